// The server's end of many WebSockets: what is ready is read, and what was put is sent, in few calls for all of them.
// Linux only: it stands on epoll, whose descriptor an event loop can watch in its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/inbox.hpp"
#include "net/sender.hpp"
#include "net/websocket.hpp"

namespace parlour {

class Wire;

// What a line may be told of besides messages; below every Opcode that a whole message has.
enum News : int {
    Lagging = -1,  // the other end reads so slowly that too much waits for it
    Ended = 0,  // the connection is no more, or has said all that it had to say
};

// One connection. It owns its descriptor.
class Line {
public:
    Line(Wire& wire, int descriptor);
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    int descriptor() const { return descriptor_; }

    // Take bytes that somebody else has read from the connection.
    void feed(std::string_view bytes) { reader_.feed(bytes); }

    // The next message that is there. A line whose message has been taken is silent until this finds none.
    std::optional<Message> next();

    // Send a frame soon, after all that was put before.
    void put(int opcode, std::string_view payload);

    // Nothing is sent any more after what has been put.
    void finish() { finished_ = true; }

    // Let the other end know that nothing comes after what was put.
    void shut();

    // Tell `Ended` as soon as all that was put is sent.
    void end_when_sent();

    // Let go of the connection at once.
    void close();

    // Whether so much is unread that no more is read.
    bool held() const { return held_; }

    // How often in a row this was asked while nothing had been heard; 0 where what was said is not being read.
    int silence();

private:
    friend class Wire;

    bool posted() const;
    bool send();
    void keep(std::string&& unsent);
    void wait();
    void watch();

    Wire& wire_;
    MessageReader reader_;
    std::string unsent_;  // what the other end has no room for, and what was put after that
    std::uint64_t mail_ = 0;  // the number of the mail that its last frames went into; 0 where that is sent
    int place_ = Mail::None;  // of the last of them
    int descriptor_;
    int silence_ = 0;
    std::uint32_t watched_;  // what epoll is asked to tell of
    bool taken_ = true;  // whether a message is being dealt with: no other is handed out
    bool held_ = false;
    bool blocked_ = false;  // whether the other end has to make room before more can be sent
    bool waiting_ = false;  // whether it is to be looked after in the next flush
    bool finished_ = false;
    bool shut_ = false;
    bool ending_ = false;
};

// All lines of a server.
class Wire {
public:
    struct Limits {
        std::size_t message;  // bytes of a message
        std::size_t unread;  // bytes that may wait behind a message that is being dealt with
        std::size_t unsent;  // bytes that may wait for a slow reader
    };

    // Something for the holder of a line: a message, or News.
    struct Item {
        int descriptor;
        int kind;
        std::size_t start, size;  // of the payload
    };

    explicit Wire(Limits limits);
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    // Readable when there is something to receive.
    int descriptor() const { return inbox_.descriptor(); }

    const Limits& limits() const { return limits_; }

    // Read what has come on all lines: of each at most one message, if it is not dealing with one already.
    const std::vector<Item>& receive();

    // Send what was put on all lines. Where that is much, a thread of the wire's own does it.
    const std::vector<Item>& flush();

    // What came with an item of the last call.
    std::string_view payload(const Item& item) const {
        return std::string_view(payloads_).substr(item.start, item.size);
    }

    // Whether a line waits for a flush.
    bool waits() const { return !waiting_.empty() || mail_->connections; }

private:
    friend class Line;

    void forget();
    void hear(Line& line, std::string_view bytes);
    void post();
    void send();
    void collect();
    void look_after();
    std::unique_ptr<Mail> fresh_mail();
    Sender& sender();
    void note(const Line& line, int kind, std::string_view payload = {});

    Limits limits_;
    Inbox inbox_;
    std::uint64_t mails_ = 0;  // how many there were
    std::uint64_t collected_ = 0;  // the number of the last one that the sender is done with
    std::unique_ptr<Mail> mail_;  // what was put since the last flush
    std::vector<std::unique_ptr<Mail>> spare_;
    std::vector<Line*> waiting_;  // that need more than to have their mail sent
    std::unique_ptr<Sender> sender_;  // from when there first was much to send
    std::vector<Item> items_;
    std::string payloads_;
};

}  // namespace parlour
