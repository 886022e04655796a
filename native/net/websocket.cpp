#include "net/websocket.hpp"

#include <cstdint>
#include <cstring>

namespace parlour {

namespace {

constexpr std::size_t LongestShort = 125;  // a longer length has a field of its own; control frames have none
constexpr std::size_t MaskSize = 4;
constexpr int MostParts = 256;  // of a message: empty ones would cost the sender next to nothing
constexpr std::size_t Spare = 1024;  // memory that an idle reader may keep

std::uint8_t byte(std::string_view bytes, std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); }

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value = value << 8 | byte(bytes, i);
    return value;
}

bool is_control(int opcode) { return opcode >= Close; }

bool is_known(int opcode) { return opcode <= Binary || (opcode >= Close && opcode <= Pong); }

// The codes that may be sent: those of the registry but for the ones that only stand for what was not sent, and the two
// ranges for libraries and applications (section 7.4.2).
bool may_close_with(std::uint64_t code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1013) || (code >= 3000 && code <= 4999);
}

}  // namespace

void MessageReader::feed(std::string_view bytes) {
    if (over_) return;
    unread_.erase(0, at_);
    at_ = 0;
    unread_.append(bytes);
}

std::optional<Message> MessageReader::next() {
    while (unread() >= 2) {
        const std::string_view rest = std::string_view(unread_).substr(at_);
        const int first = byte(rest, 0), second = byte(rest, 1);
        Header header{(first & 0x80) != 0, first & 0x0f, 2, static_cast<std::size_t>(second & 0x7f)};
        if (first & 0x70) return breach(ProtocolError, "no extension was agreed on");
        if (!is_known(header.opcode)) return breach(ProtocolError, "no such opcode");
        if (!(second & 0x80)) return breach(ProtocolError, "a client's frames are masked");
        if (is_control(header.opcode)) {
            if (!header.final || header.length > LongestShort)
                return breach(ProtocolError, "a control frame is short and whole");
        } else if ((header.opcode == Continuation) != (opcode_ != Continuation)) {
            return breach(ProtocolError, "a fragment out of order");
        }
        if (header.length > LongestShort) {
            const std::size_t field = header.length == LongestShort + 1 ? 2 : 8;
            if (rest.size() < header.size + field) return std::nullopt;
            const std::uint64_t length = big_endian(rest.substr(header.size, field));
            if (length <= (field == 2 ? LongestShort : 0xffff) || length >> 63)
                return breach(ProtocolError, "a length has its shortest form");
            if (length > limit_) return breach(TooBig, "the message is too long");
            header.size += field;
            header.length = static_cast<std::size_t>(length);
        }
        const std::size_t before = header.opcode == Continuation ? fragments_.size() : 0;
        if (!is_control(header.opcode) && before + header.length > limit_)
            return breach(TooBig, "the message is too long");
        header.size += MaskSize;
        if (rest.size() < header.size + header.length) return std::nullopt;
        if (const auto message = complete(header, unmasked(header))) return message;
    }
    tidy();
    return std::nullopt;
}

// The payload of the frame that begins at the first unread byte, which is read with it.
std::string_view MessageReader::unmasked(const Header& header) {
    char* const payload = unread_.data() + at_ + header.size;
    std::uint8_t mask[2 * MaskSize];
    std::memcpy(mask, payload - MaskSize, MaskSize);
    std::memcpy(mask + MaskSize, mask, MaskSize);
    std::uint64_t mask8;
    std::memcpy(&mask8, mask, sizeof mask8);
    std::size_t i = 0;
    for (; i + sizeof mask8 <= header.length; i += sizeof mask8) {
        std::uint64_t eight;
        std::memcpy(&eight, payload + i, sizeof eight);
        eight ^= mask8;
        std::memcpy(payload + i, &eight, sizeof eight);
    }
    for (; i < header.length; ++i) payload[i] = static_cast<char>(payload[i] ^ mask[i % MaskSize]);
    at_ += header.size + header.length;
    return {payload, header.length};
}

// The message that a frame is, or that it is the last fragment of.
std::optional<Message> MessageReader::complete(const Header& header, std::string_view payload) {
    int opcode = header.opcode;
    if (opcode == Close) {
        if (payload.size() == 1 || (payload.size() > 1 && !may_close_with(big_endian(payload.substr(0, 2)))))
            return breach(ProtocolError, "no such code to close with");
        if (payload.size() > 2 && !is_utf8(payload.substr(2))) return breach(BadText, "the reason is not UTF-8");
        end();
    } else if (!is_control(opcode)) {
        if (!header.final || opcode == Continuation) {
            if (opcode != Continuation) {
                opcode_ = opcode;
                fragments_.clear();
                parts_ = 0;
            }
            if (++parts_ > MostParts) return breach(TooBig, "the message has too many fragments");
            fragments_.append(payload);
            if (!header.final) return std::nullopt;
            payload = fragments_;
            opcode = opcode_;
            opcode_ = Continuation;
        }
        if (opcode == Text && !is_utf8(payload)) return breach(BadText, "the message is not UTF-8");
    }
    return Message{opcode, payload};
}

std::optional<Message> MessageReader::breach(Breach code, std::string_view what) {
    end();
    return Message{code, what};
}

// Whatever else comes is not read.
void MessageReader::end() {
    over_ = true;
    at_ = unread_.size();
}

// Nothing is left to read: an idle connection keeps little memory.
void MessageReader::tidy() {
    if (unread() == 0) {
        at_ = 0;
        if (unread_.capacity() > Spare)
            unread_ = std::string();
        else
            unread_.clear();
    }
    if (opcode_ == Continuation && !fragments_.empty()) fragments_ = std::string();
}

bool is_utf8(std::string_view bytes) {
    std::size_t i = 0;
    while (i < bytes.size()) {
        std::uint64_t eight;
        if (i + sizeof eight <= bytes.size()) {
            std::memcpy(&eight, bytes.data() + i, sizeof eight);
            if (!(eight & 0x8080808080808080)) {
                i += sizeof eight;
                continue;
            }
        }
        const std::uint8_t lead = byte(bytes, i);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        // How many bytes follow, and between which bounds the first of them lies.
        std::size_t more;
        std::uint8_t low = 0x80, high = 0xbf;
        if (lead >= 0xc2 && lead <= 0xdf) {
            more = 1;
        } else if (lead >= 0xe0 && lead <= 0xef) {
            more = 2;
            if (lead == 0xe0) low = 0xa0;  // shorter forms exist below
            if (lead == 0xed) high = 0x9f;  // surrogates
        } else if (lead >= 0xf0 && lead <= 0xf4) {
            more = 3;
            if (lead == 0xf0) low = 0x90;
            if (lead == 0xf4) high = 0x8f;  // U+10FFFF
        } else {
            return false;
        }
        if (i + more >= bytes.size() || byte(bytes, i + 1) < low || byte(bytes, i + 1) > high) return false;
        for (std::size_t k = 2; k <= more; ++k)
            if ((byte(bytes, i + k) & 0xc0) != 0x80) return false;
        i += more + 1;
    }
    return true;
}

}  // namespace parlour
