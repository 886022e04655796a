#include "sender.hpp"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <utility>

namespace parlour {

void write_now(int descriptor, std::string& bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::send(descriptor, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0)
            bytes.erase(0, static_cast<std::size_t>(count));
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        else if (errno != EINTR)
            bytes.clear();
    }
}

Sender::Sender() : bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (bell_ < 0)
        throw std::system_error(errno, std::generic_category(), "no bell for what is sent");
    thread_ = std::thread(&Sender::work, this);
}

Sender::~Sender() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    posted_.notify_one();
    thread_.join();
    ::close(bell_);
}

void Sender::post(Parcels&& parcels) {
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty())
            waiting_ = std::move(parcels);
        else
            waiting_.insert(waiting_.end(), std::make_move_iterator(parcels.begin()),
                            std::make_move_iterator(parcels.end()));
    }
    posted_.notify_one();
}

Parcels Sender::collect() {
    const std::lock_guard lock(mutex_);
    if (rung_) {
        std::uint64_t times;
        [[maybe_unused]] const ssize_t size = ::read(bell_, &times, sizeof times);
        rung_ = false;
    }
    return std::exchange(written_, {});
}

void Sender::await() {
    const std::lock_guard lock(mutex_);
    awaited_ = true;
    if (waiting_.empty() && !working_)
        ring();
}

void Sender::drain() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return waiting_.empty() && !working_; });
}

void Sender::ring() {
    awaited_ = false;
    if (!rung_) {
        rung_ = true;
        const std::uint64_t once = 1;
        [[maybe_unused]] const ssize_t size = ::write(bell_, &once, sizeof once);
    }
}

void Sender::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        posted_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        if (over_)
            return;
        Parcels parcels = std::exchange(waiting_, {});
        working_ = true;
        lock.unlock();
        bool whole = true;
        for (Parcel& parcel : parcels) {
            write_now(parcel.descriptor, parcel.bytes);
            whole = whole && parcel.bytes.empty();
        }
        lock.lock();
        working_ = false;
        written_.insert(written_.end(), std::make_move_iterator(parcels.begin()),
                        std::make_move_iterator(parcels.end()));
        if (!whole || (awaited_ && waiting_.empty()))
            ring();
        if (waiting_.empty())
            idle_.notify_all();
    }
}

}  // namespace parlour
