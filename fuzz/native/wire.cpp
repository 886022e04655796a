// Many connections on a wire, and their other ends: whatever is put, sent, read, hung up and in which order, each end
// reads exactly the frames that were put for it, in order, and each line hands out the messages that were sent to it,
// or its end.
#include "net/wire.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "bytes.hpp"

using namespace parlour;

namespace {

constexpr std::size_t Lines = 40;
constexpr std::size_t Longest = 3000;

std::string frame(int opcode, const std::string& payload) {
    std::string out{static_cast<char>(0x80 | opcode)};
    if (payload.size() < 126) {
        out += static_cast<char>(payload.size());
    } else {
        out += static_cast<char>(126);
        out += static_cast<char>(payload.size() >> 8);
        out += static_cast<char>(payload.size() & 255);
    }
    return out + payload;
}

std::string masked(const std::string& payload) {
    std::string out = frame(Text, payload);
    out[1] = static_cast<char>(out[1] | 0x80);
    return out.insert(out.size() - payload.size(), 4, '\0');  // a mask of noughts changes nothing
}

struct End {
    std::unique_ptr<Line> line;
    int other = -1;
    std::string expected;  // that the other end has not read yet
    std::size_t said = 0, heard = 0;  // messages of the other end
};

class Room {
public:
    Room() : wire_({Longest, 500, 1 << 30}) {
        for (End& end : ends_) {
            std::array<int, 2> pair;
            require(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.data()) == 0);
            const int small = 4096;
            ::setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
            end.line = std::make_unique<Line>(wire_, pair[0]);
            end.other = pair[1];
            lines_[pair[0]] = &end;
            require(!end.line->next());
        }
    }

    ~Room() {
        for (End& end : ends_) hang_up(end);
    }

    void step(Bytes& in) {
        End& end = ends_[in.below(Lines)];
        switch (in.below(8)) {
            case 0:
            case 1:
                return put(end,
                           std::string(in.below(in.below(4) ? 100 : Longest), static_cast<char>('a' + in.below(26))));
            case 2:
                for (End& each : ends_) put(each, std::string(in.below(200), 'z'));
                return;
            case 3: return handle(wire_.flush());
            case 4: return handle(wire_.receive());
            case 5: return read(end);
            case 6: return say(end);
            default:
                if (in.below(8) == 0) in.below(2) ? hang_up(end) : leave(end);
        }
    }

    // Everything arrives that was put for an end that is still there.
    void settle() {
        for (int turn = 0; turn < 100'000 && !settled(); ++turn) {
            handle(wire_.flush());
            handle(wire_.receive());
            for (End& end : ends_) read(end);
        }
        require(settled());
    }

private:
    void put(End& end, const std::string& payload) {
        if (end.other < 0) return;
        end.line->put(Text, payload);
        end.expected += frame(Text, payload);
    }

    void say(End& end) {
        const std::string message = masked(std::to_string(end.said));
        if (end.other >= 0 &&
            ::write(end.other, message.data(), message.size()) == static_cast<ssize_t>(message.size()))
            ++end.said;
    }

    void read(End& end) {
        std::array<char, 2000> bytes;
        const ssize_t count = end.other < 0 ? 0 : ::read(end.other, bytes.data(), bytes.size());
        if (count <= 0) return;
        const std::string_view got(bytes.data(), static_cast<std::size_t>(count));
        require(end.expected.starts_with(got));
        end.expected.erase(0, got.size());
    }

    // The server lets go of the connection.
    void hang_up(End& end) {
        if (!end.line) return;
        leave(end);
        lines_.erase(end.line->descriptor());
        end.line.reset();
    }

    // The other end does.
    void leave(End& end) {
        if (end.other < 0) return;
        ::close(end.other);
        end.other = -1;
        end.expected.clear();
    }

    void handle(const std::vector<Wire::Item>& items) {
        for (const Wire::Item& item : items) {
            End& end = *lines_.at(item.descriptor);
            if (item.kind == Ended) {
                require(end.other < 0);
                hang_up(end);
                continue;
            }
            hear(end, item.kind, wire_.payload(item));
            while (const auto message = end.line->next()) hear(end, message->kind, message->payload);
        }
    }

    void hear(End& end, int kind, std::string_view payload) {
        require(kind == Text && payload == std::to_string(end.heard));
        ++end.heard;
    }

    bool settled() const {
        return std::all_of(ends_.begin(), ends_.end(), [](const End& end) {
            return end.other < 0 ? !end.line : end.expected.empty() && end.said == end.heard;
        });
    }

    Wire wire_;
    std::array<End, Lines> ends_;
    std::map<int, End*> lines_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes in(data, size);
    Room room;
    while (!in.empty()) room.step(in);
    room.settle();
    return 0;
}
