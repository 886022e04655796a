// Any bytes as a client's WebSocket frames: reading ends, stays within its limit, and does not depend on how the bytes
// are cut; text is what it says.
#include "net/websocket.hpp"

#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"

using namespace parlour;

namespace {

constexpr std::size_t Limit = 200;

std::vector<std::pair<int, std::string>> read(MessageReader& reader, std::string_view bytes) {
    std::vector<std::pair<int, std::string>> messages;
    reader.feed(bytes);
    while (const auto message = reader.next()) {
        require(message->payload.size() <= Limit);
        require(message->kind != Text || is_utf8(message->payload));
        messages.emplace_back(message->kind, message->payload);
    }
    return messages;
}

// Random bytes seldom begin like frames, so the input chooses the header's bits and the rest follows.
std::string frames_from(Bytes& in) {
    std::string bytes;
    while (!in.empty()) {
        const auto opcode = in.below(8) ? (in.below(2) ? in.below(3) : 8 + in.below(3)) : in.below(16);
        const auto reserved = in.below(32) ? 0 : in.below(8);
        bytes += static_cast<char>((in.below(4) ? 0x80 : 0) | reserved << 4 | opcode);
        const auto length = in.below(in.below(8) ? 12 : 128);
        bytes += static_cast<char>((in.below(64) ? 0x80 : 0) | length);
        for (auto rest = 4 + length; rest; --rest) bytes += static_cast<char>(in.byte());
    }
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes in(data, size);
    const std::string made = frames_from(in);
    const std::string_view given(reinterpret_cast<const char*>(data), size);
    for (const std::string_view bytes : {std::string_view(made), given}) {
        MessageReader whole(Limit), pieces(Limit);
        const auto expected = read(whole, bytes);
        std::vector<std::pair<int, std::string>> found;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t piece = 1 + (size ? data[at % size] % 9 : 0);
            for (auto& message : read(pieces, bytes.substr(at, piece))) found.push_back(std::move(message));
            at += piece;
        }
        require(found == expected);
        require(whole.unread() == pieces.unread());
    }
    return 0;
}
