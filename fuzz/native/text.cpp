// Any text as cards and as a range: reading ends, and what was read is written and read again as the same.
#include <stdexcept>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "cards/cards.hpp"
#include "cards/ranges.hpp"

using namespace parlour;

namespace {

void read_range(std::string_view text) {
    Range range;
    try {
        range = parse_range(text);
    } catch (const std::invalid_argument&) {
        return;
    }
    for (const double weight : range) require(weight >= 0 && weight < 1e300);
    const std::string written = format_range(range);
    if (!written.empty()) require(parse_range(written) == range);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    read_range(text);
    while (!text.empty()) {
        const std::size_t before = text.size();
        const auto card = take_card(text);
        if (!card) {
            require(text.size() == before);
            text.remove_prefix(1);
            continue;
        }
        require(*card < DeckSize && text.size() < before);
        const std::string written = to_string(*card);
        std::string_view again = written;
        require(take_card(again) == card && again.empty());
    }
    return 0;
}
