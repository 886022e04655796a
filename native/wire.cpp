#include "wire.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace parlour {

namespace {

constexpr int LinesATurn = 256;
constexpr std::size_t BytesARead = 64 * 1024;
constexpr std::size_t Many = 16;  // lines for which the sender's thread is worth waking
constexpr std::size_t Crowd = 64;  // lines for which it begins before the turn is over
constexpr std::size_t MailsKept = 4;
constexpr std::size_t Spare = 1024;  // memory that an idle line may keep

}  // namespace

Line::Line(Wire& wire, int descriptor) : wire_(wire), reader_(wire.limits_.message), descriptor_(descriptor) {
    epoll_event event{};
    event.data.ptr = this;
    if (epoll_ctl(wire_.epoll_, EPOLL_CTL_ADD, descriptor_, &event) != 0) {
        ::close(descriptor_);
        throw std::system_error(errno, std::generic_category(), "a connection cannot be watched");
    }
    watch();
}

Line::~Line() {
    close();
}

void Line::close() {
    if (descriptor_ < 0)
        return;
    if (posted()) {
        wire_.sender_->drain();
        wire_.collect();
    }
    if (mail_ == wire_.mail_->number)
        wire_.mail_->cancel(this);
    epoll_ctl(wire_.epoll_, EPOLL_CTL_DEL, descriptor_, nullptr);
    ::close(descriptor_);
    descriptor_ = -1;
    finished_ = true;
    unsent_ = std::string();
    if (waiting_)
        std::erase(wire_.waiting_, this);
    waiting_ = false;
}

std::optional<Message> Line::next() {
    const auto message = reader_.next();
    taken_ = message.has_value();
    if (held_ && reader_.unread() <= wire_.limits_.unread) {
        held_ = false;
        watch();
    }
    return message;
}

void Line::put(int opcode, std::string_view payload) {
    if (finished_)
        return;
    if (blocked_ || !unsent_.empty() || posted()) {
        append_frame(unsent_, opcode, payload);
        wait();
        return;
    }
    Mail& mail = *wire_.mail_;
    place_ = mail.add(this, descriptor_, opcode, payload, mail_ == mail.number ? place_ : Mail::None);
    mail_ = mail.number;
    if (mail.connections >= Crowd) {
        wire_.collect();
        wire_.post();
    }
}

// Whether the sender is at work for it: what is put meanwhile comes after that.
bool Line::posted() const {
    return mail_ > wire_.collected_ && mail_ != wire_.mail_->number;
}

void Line::shut() {
    finished_ = shut_ = true;
    if (descriptor_ >= 0)
        wait();
}

// Have a turn in the next flush.
void Line::wait() {
    if (!waiting_) {
        waiting_ = true;
        wire_.waiting_.push_back(this);
    }
}

void Line::end_when_sent() {
    finished_ = ending_ = true;
    if (descriptor_ >= 0)
        wait();
}

int Line::silence() {
    if (held_)
        return silence_ = 0;
    if (unsent_.empty() && unsent_.capacity() > Spare)
        unsent_ = std::string();
    return ++silence_;
}

// Read what is there; whether the connection goes on.
bool Line::read(std::string_view& bytes) {
    const ssize_t count = ::recv(descriptor_, wire_.buffer_.data(), wire_.buffer_.size(), MSG_DONTWAIT);
    bytes = {wire_.buffer_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

// Send as much of what is kept as there is room for; whether all is sent. That a connection is broken is found by reading.
bool Line::send() {
    write_now(descriptor_, unsent_);
    if (blocked_ != !unsent_.empty()) {
        blocked_ = !blocked_;
        watch();
    }
    if (!blocked_ && shut_)
        ::shutdown(descriptor_, SHUT_WR);
    return !blocked_;
}

// Keep what there was no room for, to be sent before all that was put since.
void Line::keep(std::string&& unsent) {
    unsent_.insert(0, unsent);
    blocked_ = true;
    watch();
    wait();
}

// Ask for what is of interest now. That the connection broke is told in any case.
void Line::watch() {
    const std::uint32_t wanted = (held_ ? 0u : EPOLLIN) | (blocked_ ? EPOLLOUT : 0u);
    if (wanted == watched_ || descriptor_ < 0)
        return;
    epoll_event event{};
    event.events = watched_ = wanted;
    event.data.ptr = this;
    epoll_ctl(wire_.epoll_, EPOLL_CTL_MOD, descriptor_, &event);
}

Wire::Wire(Limits limits) : limits_(limits), epoll_(::epoll_create1(EPOLL_CLOEXEC)), buffer_(BytesARead) {
    mail_ = fresh_mail();
    if (epoll_ < 0)
        throw std::system_error(errno, std::generic_category(), "connections cannot be watched");
}

Wire::~Wire() {
    ::close(epoll_);
}

const std::vector<Wire::Item>& Wire::receive() {
    forget();
    epoll_event events[LinesATurn];
    const int count = ::epoll_wait(epoll_, events, LinesATurn, 0);
    for (int i = 0; i < count; ++i) {
        if (events[i].data.ptr == nullptr) {  // the sender's bell
            collect();
            look_after();
            continue;
        }
        Line& line = *static_cast<Line*>(events[i].data.ptr);
        if ((events[i].events & EPOLLOUT) && line.send() && line.ending_) {
            note(line, Ended);
            continue;
        }
        if (!(events[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP)))
            continue;
        std::string_view bytes;
        if (!line.read(bytes)) {
            epoll_ctl(epoll_, EPOLL_CTL_DEL, line.descriptor_, nullptr);
            note(line, Ended);
            continue;
        }
        line.silence_ = 0;
        line.reader_.feed(bytes);
        if (!line.taken_) {
            if (const auto message = line.next())
                note(line, message->kind, message->payload);
        } else if (line.reader_.unread() > limits_.unread) {
            line.held_ = true;
            line.watch();
        }
    }
    return items_;
}

const std::vector<Wire::Item>& Wire::flush() {
    forget();
    collect();
    if (mail_->connections >= Many)
        post();
    else
        send();
    look_after();
    return items_;
}

// Let the sender send the mail.
void Wire::post() {
    sender().post(std::exchange(mail_, fresh_mail()));
}

// Send the mail here and now.
void Wire::send() {
    mail_->send();
    for (const Mail::Piece& piece : mail_->pieces())
        if (piece.owner)
            static_cast<Line*>(piece.owner)->mail_ = 0;
    for (auto& [owner, unsent] : mail_->rest)
        static_cast<Line*>(owner)->keep(std::move(unsent));
    mail_->reuse(mail_->number);
}

// Take back the mail that the sender is done with.
void Wire::collect() {
    if (!sender_)
        return;
    for (auto& mail : sender_->collect()) {
        for (auto& [owner, unsent] : mail->rest)
            static_cast<Line*>(owner)->keep(std::move(unsent));
        collected_ = mail->number;
        if (spare_.size() < MailsKept)
            spare_.push_back(std::move(mail));
    }
}

// See to those for whom there is more to do than to send their mail. Those for whom the sender is at work wait on.
void Wire::look_after() {
    for (Line* line : std::exchange(waiting_, {})) {
        line->waiting_ = false;
        if (line->posted())
            line->wait();
        else if (!line->blocked_ && line->send() && line->ending_)
            note(*line, Ended);
        if (line->unsent_.size() > limits_.unsent)
            note(*line, Lagging);
    }
    if (!waiting_.empty())
        sender().await();
}

std::unique_ptr<Mail> Wire::fresh_mail() {
    if (spare_.empty())
        return std::make_unique<Mail>(++mails_);
    std::unique_ptr<Mail> mail = std::move(spare_.back());
    spare_.pop_back();
    mail->reuse(++mails_);
    return mail;
}

Sender& Wire::sender() {
    if (!sender_) {
        sender_ = std::make_unique<Sender>();
        epoll_event event{};
        event.events = EPOLLIN;
        if (epoll_ctl(epoll_, EPOLL_CTL_ADD, sender_->bell(), &event) != 0)
            throw std::system_error(errno, std::generic_category(), "the sender cannot be heard");
    }
    return *sender_;
}

void Wire::forget() {
    items_.clear();
    payloads_.clear();
}

void Wire::note(const Line& line, int kind, std::string_view payload) {
    items_.push_back({line.descriptor_, kind, payloads_.size(), payload.size()});
    payloads_.append(payload);
}

}  // namespace parlour
