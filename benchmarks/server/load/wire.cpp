#include "wire.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace {

constexpr unsigned char Final = 0x80, Masked = 0x80;
constexpr std::size_t LongestShort = 125;  // a longer length has two bytes of its own, or eight, which none here needs
constexpr std::size_t LongestSent = 1024;

std::size_t byte(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

// A mask has to be new with every frame; nobody here tries to guess it.
std::uint32_t any_mask() {
    static std::uint32_t state = 2463534242;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

}  // namespace

void Link::read() {
    static char arrived[1 << 16];  // all links share it, as each read is dealt with before the next
    const ssize_t size = recv(descriptor_, arrived, sizeof arrived, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) throw std::runtime_error("a connection was closed by the server");
    unread_ = {arrived, static_cast<std::size_t>(size)};
    if (!rest_.empty()) unread_ = rest_.append(unread_);
}

std::optional<std::string_view> Link::next() {
    while (unread_.size() >= 2) {
        std::size_t start = 2, size = byte(unread_, 1);
        if (size == LongestShort + 1) {
            start += 2;
            if (unread_.size() < start) break;
            size = byte(unread_, 2) << 8 | byte(unread_, 3);
        } else if (size > LongestShort) {
            throw std::runtime_error("a masked frame from the server, or one of 64 KiB");
        }
        if (unread_.size() < start + size) break;
        const std::size_t first = byte(unread_, 0);
        const std::string_view message = unread_.substr(start, size);
        unread_.remove_prefix(start + size);
        if (first == (Final | Text) || first == (Final | Binary)) return message;
        if (first != (Final | Ping))
            throw std::runtime_error("a frame that begins with " + std::to_string(first) + " from the server");
        send(message, Pong);
    }
    rest_ = std::string(unread_);  // a copy first: it may be a part of itself
    unread_ = {};
    return std::nullopt;
}

void Link::send(std::string_view message, Opcode opcode) {
    char frame[LongestSent + 8];
    if (message.size() > LongestSent) throw std::runtime_error("the load has too much to say");
    std::size_t size = 0;
    frame[size++] = static_cast<char>(Final | opcode);
    if (message.size() <= LongestShort) {
        frame[size++] = static_cast<char>(Masked | message.size());
    } else {
        frame[size++] = static_cast<char>(Masked | (LongestShort + 1));
        frame[size++] = static_cast<char>(message.size() >> 8);
        frame[size++] = static_cast<char>(message.size());
    }
    const std::uint32_t number = any_mask();
    char mask[sizeof number];
    std::memcpy(mask, &number, sizeof number);
    std::memcpy(frame + size, mask, sizeof mask);
    size += sizeof mask;
    for (std::size_t i = 0; i < message.size(); ++i)
        frame[size++] = static_cast<char>(message[i] ^ mask[i % sizeof mask]);
    if (::send(descriptor_, frame, size, MSG_DONTWAIT | MSG_NOSIGNAL) != static_cast<ssize_t>(size))
        throw std::runtime_error("a connection takes no more: " + std::string(std::strerror(errno)));
}
