// Cards in any text: reading ends, and what was read is written and read again as the same card.
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "cards.hpp"

using namespace parlour;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
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
