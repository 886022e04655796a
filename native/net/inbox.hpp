// Watches many connections and reads what has come on them. Two threads may take turns at reading, so that one can read
// ahead of the other; what has come on a connection is taken in the order in which it came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace parlour {

class Inbox {
public:
    // Of one connection.
    struct Arrival {
        void* owner;
        bool open;  // whether the connection goes on
        bool room;  // whether more can be sent
        std::size_t start, size;  // of the bytes that were read
    };

    Inbox();
    ~Inbox();
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    // Readable when there is something that has not been read.
    int descriptor() const { return epoll_; }

    // Tell of a connection what the events of epoll are about: what can be read is read. Without an owner, something
    // that is not to be read.
    void add(void* owner, int descriptor, std::uint32_t events);
    void change(int descriptor, std::uint32_t events);

    // Nothing is told of it any more.
    void remove(const void* owner, int descriptor);

    // Read what there is, unless the other thread is about it; whether that was something.
    bool read_ahead();

    // Read, and take all that has arrived since the last time. It is good until the next time.
    const std::vector<Arrival>& take();

    std::string_view bytes(const Arrival& arrival) const { return {taken_.bytes.data() + arrival.start, arrival.size}; }

private:
    struct Pile {
        Pile();
        std::vector<Arrival> arrivals;
        std::vector<char> bytes;
        std::size_t used = 0;
    };

    void read(bool ahead);
    bool read_from(int descriptor, Arrival& arrival);

    const int epoll_;
    std::mutex reading_;
    std::vector<void*> owners_;  // by descriptor
    Pile coming_, taken_;
};

}  // namespace parlour
