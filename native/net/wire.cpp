#include "net/wire.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace parlour {

namespace {

constexpr std::size_t Many = 16;  // lines for which the sender's thread is worth waking
constexpr std::size_t Crowd = 64;  // lines for which it begins before the turn is over
constexpr std::size_t MailsKept = 4;
constexpr std::size_t Spare = 1024;  // memory that an idle line may keep

}  // namespace

Line::Line(Wire& wire, int descriptor)
    : wire_(wire), reader_(wire.limits_.message), descriptor_(descriptor), watched_(EPOLLIN) {
    try {
        wire_.inbox_.add(this, descriptor_, watched_);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

Line::~Line() { close(); }

void Line::close() {
    if (descriptor_ < 0) return;
    if (posted()) {
        wire_.sender_->drain();
        wire_.collect();
    }
    if (mail_ == wire_.mail_->number) wire_.mail_->cancel(this);
    wire_.inbox_.remove(this, descriptor_);
    ::close(descriptor_);
    descriptor_ = -1;
    finished_ = true;
    unsent_ = std::string();
    if (waiting_) std::erase(wire_.waiting_, this);
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
    if (finished_) return;
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
bool Line::posted() const { return mail_ > wire_.collected_ && mail_ != wire_.mail_->number; }

void Line::shut() {
    finished_ = shut_ = true;
    if (descriptor_ >= 0) wait();
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
    if (descriptor_ >= 0) wait();
}

int Line::silence() {
    if (held_) return silence_ = 0;
    if (unsent_.empty() && unsent_.capacity() > Spare) unsent_ = std::string();
    return ++silence_;
}

// Send as much of what is kept as there is room for; whether all is sent. That a connection is broken is found by
// reading.
bool Line::send() {
    write_now(descriptor_, unsent_);
    if (blocked_ != !unsent_.empty()) {
        blocked_ = !blocked_;
        watch();
    }
    if (!blocked_ && shut_) ::shutdown(descriptor_, SHUT_WR);
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
    if (wanted == watched_ || descriptor_ < 0) return;
    watched_ = wanted;
    wire_.inbox_.change(descriptor_, wanted);
}

Wire::Wire(Limits limits) : limits_(limits) { mail_ = fresh_mail(); }

const std::vector<Wire::Item>& Wire::receive() {
    forget();
    for (const Inbox::Arrival& arrival : inbox_.take()) {
        if (!arrival.owner) {  // the sender's bell
            collect();
            look_after();
            continue;
        }
        Line& line = *static_cast<Line*>(arrival.owner);
        if ((arrival.room && line.send() && line.ending_) || !arrival.open)
            note(line, Ended);
        else if (arrival.size)
            hear(line, inbox_.bytes(arrival));
    }
    return items_;
}

void Wire::hear(Line& line, std::string_view bytes) {
    line.silence_ = 0;
    line.reader_.feed(bytes);
    if (!line.taken_) {
        if (const auto message = line.next()) note(line, message->kind, message->payload);
    } else if (line.reader_.unread() > limits_.unread) {
        line.held_ = true;
        line.watch();
    }
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
void Wire::post() { sender().post(std::exchange(mail_, fresh_mail())); }

// Send the mail here and now.
void Wire::send() {
    mail_->send();
    for (const Mail::Piece& piece : mail_->pieces())
        if (piece.owner) static_cast<Line*>(piece.owner)->mail_ = 0;
    for (auto& [owner, unsent] : mail_->rest) static_cast<Line*>(owner)->keep(std::move(unsent));
    mail_->reuse(mail_->number);
}

// Take back the mail that the sender is done with.
void Wire::collect() {
    if (!sender_) return;
    for (auto& mail : sender_->collect()) {
        for (auto& [owner, unsent] : mail->rest) static_cast<Line*>(owner)->keep(std::move(unsent));
        collected_ = mail->number;
        if (spare_.size() < MailsKept) spare_.push_back(std::move(mail));
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
        if (line->unsent_.size() > limits_.unsent) note(*line, Lagging);
    }
    if (!waiting_.empty()) sender().await();
}

std::unique_ptr<Mail> Wire::fresh_mail() {
    if (spare_.empty()) return std::make_unique<Mail>(++mails_);
    std::unique_ptr<Mail> mail = std::move(spare_.back());
    spare_.pop_back();
    mail->reuse(++mails_);
    return mail;
}

Sender& Wire::sender() {
    if (!sender_) {
        sender_ = std::make_unique<Sender>(inbox_);
        inbox_.add(nullptr, sender_->bell(), EPOLLIN);
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
