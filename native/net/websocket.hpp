// The receiving half of a WebSocket server: from bytes, as they come, to whole messages (RFC 6455, section 5).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parlour {

// What a frame is, as its header says.
enum Opcode : int { Continuation = 0, Text = 1, Binary = 2, Close = 8, Ping = 9, Pong = 10 };

// Why the other end has to be left: codes of a Close frame (section 7.4.1).
enum Breach : int { ProtocolError = 1002, BadText = 1007, TooBig = 1009 };

// A whole message, or what was wrong with the bytes.
struct Message {
    int kind;  // an Opcode, or a Breach, whose payload tells what it was
    std::string_view payload;
};

// Puts the frames of a client together to messages of at most `limit` bytes. A message stays unread until it is asked
// for; after a Close frame and after a breach there are no more.
class MessageReader {
public:
    explicit MessageReader(std::size_t limit) : limit_(limit) {}

    void feed(std::string_view bytes);

    // The next message, if all of it is there. Its payload holds until the next call of anything here.
    std::optional<Message> next();

    // Bytes that no message has been made of yet.
    std::size_t unread() const { return unread_.size() - at_; }

private:
    struct Header {
        bool final;
        int opcode;
        std::size_t size;  // of the header itself
        std::size_t length;  // of what follows it
    };

    std::optional<Message> breach(Breach code, std::string_view what);
    std::optional<Message> complete(const Header& header, std::string_view payload);
    std::string_view unmasked(const Header& header);
    void end();
    void tidy();

    std::size_t limit_;
    std::string unread_;
    std::size_t at_ = 0;  // where the unread bytes begin
    std::string fragments_;
    int parts_ = 0;  // how many fragments those are
    int opcode_ = Continuation;  // of the message whose fragments are read; Continuation where there is none
    bool over_ = false;
};

// Whether these bytes are text (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view bytes);

}  // namespace parlour
