// The client's end of an open WebSocket (RFC 6455), which costs little more than the kernel's part of it. It sends and
// receives what every client does, frame by frame and masked; of the protocol it leaves out what none of the
// contestants uses (fragments, extensions, frames of 64 KiB) and gives up if one should come.
#pragma once

#include <optional>
#include <string>
#include <string_view>

enum Opcode : unsigned char { Text = 1, Binary = 2, Ping = 9, Pong = 10 };

class Link {
public:
    explicit Link(int descriptor) : descriptor_(descriptor) {}

    // Read once what has come. Ask for `next` until there is none, before any other link reads.
    void read();

    // The next whole message; it holds until the next call of anything here. Pings are answered on the way.
    std::optional<std::string_view> next();

    void send(std::string_view message, Opcode opcode = Text);

private:
    int descriptor_;
    std::string_view unread_;  // of this read
    std::string rest_;  // of a frame that goes on with the next read
};
