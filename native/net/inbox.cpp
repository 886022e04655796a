#include "net/inbox.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace parlour {

namespace {

constexpr int ConnectionsATurn = 256;
constexpr std::size_t BytesARead = 16 * 1024;
constexpr std::size_t BytesATurn = 16 * BytesARead;

void control(int epoll, int how, int descriptor, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = descriptor;
    if (epoll_ctl(epoll, how, descriptor, &event) != 0 && how == EPOLL_CTL_ADD)
        throw std::system_error(errno, std::generic_category(), "a connection cannot be watched");
}

}  // namespace

Inbox::Pile::Pile() : bytes(BytesATurn) {}

Inbox::Inbox() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) throw std::system_error(errno, std::generic_category(), "connections cannot be watched");
}

Inbox::~Inbox() { ::close(epoll_); }

void Inbox::add(void* owner, int descriptor, std::uint32_t events) {
    const std::lock_guard lock(reading_);
    const auto place = static_cast<std::size_t>(descriptor);
    owners_.resize(std::max(owners_.size(), place + 1));
    owners_[place] = owner;
    control(epoll_, EPOLL_CTL_ADD, descriptor, events);
}

void Inbox::change(int descriptor, std::uint32_t events) { control(epoll_, EPOLL_CTL_MOD, descriptor, events); }

void Inbox::remove(const void* owner, int descriptor) {
    const std::lock_guard lock(reading_);
    control(epoll_, EPOLL_CTL_DEL, descriptor, 0);
    std::erase_if(coming_.arrivals, [owner](const Arrival& arrival) { return arrival.owner == owner; });
}

bool Inbox::read_ahead() {
    const std::unique_lock lock(reading_, std::try_to_lock);
    if (!lock) return false;
    read(true);
    return !coming_.arrivals.empty();
}

const std::vector<Inbox::Arrival>& Inbox::take() {
    const std::lock_guard lock(reading_);
    read(false);
    std::swap(coming_, taken_);
    coming_.arrivals.clear();
    coming_.used = 0;
    return taken_.arrivals;
}

// With the lock. What was read is all that is told ahead: the rest is still so when it is taken.
void Inbox::read(bool ahead) {
    epoll_event events[ConnectionsATurn];
    const int count = ::epoll_wait(epoll_, events, ConnectionsATurn, 0);
    for (int i = 0; i < count; ++i) {
        const int descriptor = events[i].data.fd;
        void* const owner = owners_[static_cast<std::size_t>(descriptor)];
        Arrival arrival{owner, true, !ahead && (events[i].events & EPOLLOUT), coming_.used, 0};
        if (owner && (events[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) && !read_from(descriptor, arrival)) continue;
        if (arrival.room || arrival.size || !arrival.open || (!owner && !ahead)) coming_.arrivals.push_back(arrival);
    }
}

// Whether there was room for what is there.
bool Inbox::read_from(int descriptor, Arrival& arrival) {
    if (coming_.bytes.size() - coming_.used < BytesARead) return false;
    const ssize_t count = ::recv(descriptor, coming_.bytes.data() + coming_.used, BytesARead, MSG_DONTWAIT);
    if (count > 0) {
        arrival.size = static_cast<std::size_t>(count);
        coming_.used += arrival.size;
    } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        arrival.open = false;
        control(epoll_, EPOLL_CTL_DEL, descriptor, 0);
    }
    return true;
}

}  // namespace parlour
