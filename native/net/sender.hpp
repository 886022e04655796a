// A thread that writes to connections, so that whoever has much to say to many need not wait for the kernel to take it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "net/inbox.hpp"

namespace parlour {

// What is said to many connections in one go. All of it lies in one stretch of memory that serves again and again: with
// thousands of connections, buffers of their own would have to be fetched from afar each time.
class Mail {
public:
    struct Piece {
        void* owner;  // none once it is cancelled
        int descriptor;
        int next;  // for the same connection
        std::size_t start, size;
        bool first;
    };

    explicit Mail(std::uint64_t number) : number(number) {}

    // Take in a frame for a connection: as its first, or after another of its frames, which is the one at `after`. The
    // place at which it is.
    int add(void* owner, int descriptor, int opcode, std::string_view payload, int after);

    // Send nothing to that owner.
    void cancel(const void* owner);

    // Write as much to everybody as there is room for. A broken connection takes everything.
    void send();

    // Serve again.
    void reuse(std::uint64_t as);

    static constexpr int None = -1;

    std::uint64_t number;
    std::size_t connections = 0;
    std::vector<std::pair<void*, std::string>> rest;  // what there was no room for

    const std::vector<Piece>& pieces() const { return pieces_; }

private:
    std::string send_from(const Piece& first);

    std::string bytes_;
    std::vector<Piece> pieces_;
};

// Put a whole frame as a server sends it (RFC 6455, section 5.2) behind other bytes.
void append_frame(std::string& out, int opcode, std::string_view payload);

// Write as much of the bytes as there is room for, without waiting. A broken connection takes everything.
void write_now(int descriptor, std::string& bytes);

// Mail is sent in the order in which it was posted, and then lies ready to be collected. Whoever gets mail is likely to
// answer, so the sender reads ahead what has come meanwhile.
class Sender {
public:
    explicit Sender(Inbox& inbox);
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    void post(std::unique_ptr<Mail> mail);

    // All that was posted and is sent by now, in order.
    std::vector<std::unique_ptr<Mail>> collect();

    // Have the bell rung as soon as all that was posted is sent.
    void await();

    // Wait until all that was posted is sent.
    void drain();

    // Readable from when the bell is rung, until `collect`: as `await` asked, or since there was no room for something,
    // or since something was read ahead.
    int bell() const { return bell_; }

private:
    void work();
    void ring();

    Inbox& inbox_;
    const int bell_;
    std::mutex mutex_;
    std::condition_variable posted_, idle_;
    std::vector<std::unique_ptr<Mail>> waiting_, sent_;
    bool working_ = false;
    bool awaited_ = false;
    bool rung_ = false;
    bool over_ = false;
    std::thread thread_;  // last: it needs all the others
};

}  // namespace parlour
