#include "net/sender.hpp"

#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace parlour {

namespace {

constexpr std::size_t Spare = 4 * 1024 * 1024;  // memory that mail keeps for the next time

}  // namespace

void append_frame(std::string& out, int opcode, std::string_view payload) {
    const std::size_t length = payload.size();
    out.push_back(static_cast<char>(0x80 | opcode));
    if (length < 126) {
        out.push_back(static_cast<char>(length));
    } else {
        const bool wide = length > 0xffff;
        out.push_back(static_cast<char>(wide ? 127 : 126));
        for (int shift = wide ? 56 : 8; shift >= 0; shift -= 8)
            out.push_back(static_cast<char>(static_cast<std::uint64_t>(length) >> shift));
    }
    out.append(payload);
}

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

int Mail::add(void* owner, int descriptor, int opcode, std::string_view payload, int after) {
    const std::size_t start = bytes_.size();
    append_frame(bytes_, opcode, payload);
    const std::size_t size = bytes_.size() - start;
    const int place = static_cast<int>(pieces_.size());
    if (after == place - 1 && after != None) {
        pieces_.back().size += size;
        return after;
    }
    if (after == None)
        ++connections;
    else
        pieces_[static_cast<std::size_t>(after)].next = place;
    pieces_.push_back({owner, descriptor, None, start, size, after == None});
    return place;
}

void Mail::cancel(const void* owner) {
    for (Piece& piece : pieces_)
        if (piece.owner == owner) piece.owner = nullptr;
}

void Mail::send() {
    for (const Piece& piece : pieces_) {
        if (!piece.first || !piece.owner) continue;
        std::string left = send_from(piece);
        if (!left.empty()) rest.emplace_back(piece.owner, std::move(left));
    }
}

// Send all pieces of a connection in one call; what there is no room for.
std::string Mail::send_from(const Piece& first) {
    std::array<iovec, 8> parts;
    std::size_t count = 0;
    std::string left;
    for (const Piece* piece = &first;; piece = &pieces_[static_cast<std::size_t>(piece->next)]) {
        if (count < parts.size())
            parts[count++] = {bytes_.data() + piece->start, piece->size};
        else
            left.append(bytes_, piece->start, piece->size);
        if (piece->next == None) break;
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    ssize_t sent;
    do {
        sent = ::sendmsg(first.descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return {};
    std::string unsent;
    std::size_t skip = sent < 0 ? 0 : static_cast<std::size_t>(sent);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t gone = std::min(skip, parts[i].iov_len);
        unsent.append(static_cast<const char*>(parts[i].iov_base) + gone, parts[i].iov_len - gone);
        skip -= gone;
    }
    unsent += left;
    write_now(first.descriptor, unsent);
    return unsent;
}

void Mail::reuse(std::uint64_t as) {
    number = as;
    connections = 0;
    rest.clear();
    pieces_.clear();
    bytes_.clear();
    if (bytes_.capacity() > Spare) bytes_ = std::string();
}

Sender::Sender(Inbox& inbox) : inbox_(inbox), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (bell_ < 0) throw std::system_error(errno, std::generic_category(), "no bell for what is sent");
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

void Sender::post(std::unique_ptr<Mail> mail) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(mail));
    }
    posted_.notify_one();
}

std::vector<std::unique_ptr<Mail>> Sender::collect() {
    const std::lock_guard lock(mutex_);
    if (rung_) {
        std::uint64_t times;
        [[maybe_unused]] const ssize_t size = ::read(bell_, &times, sizeof times);
        rung_ = false;
    }
    return std::exchange(sent_, {});
}

void Sender::await() {
    const std::lock_guard lock(mutex_);
    awaited_ = true;
    if (waiting_.empty() && !working_) ring();
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
    const sched_param plain{};
    ::sched_setscheduler(0, SCHED_BATCH, &plain);  // not to displace those who think of what to send
    std::unique_lock lock(mutex_);
    while (true) {
        posted_.wait(lock, [this] { return over_ || !waiting_.empty(); });
        if (over_) return;
        std::vector<std::unique_ptr<Mail>> mails = std::exchange(waiting_, {});
        working_ = true;
        lock.unlock();
        bool news = false;
        for (const auto& mail : mails) {
            mail->send();
            news = inbox_.read_ahead() || !mail->rest.empty() || news;
        }
        lock.lock();
        working_ = false;
        sent_.insert(sent_.end(), std::make_move_iterator(mails.begin()), std::make_move_iterator(mails.end()));
        if (news || (awaited_ && waiting_.empty())) ring();
        if (waiting_.empty()) idle_.notify_all();
    }
}

}  // namespace parlour
