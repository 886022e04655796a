// Plays at many two-player tables of a server and measures: moves a second, and the time from a move to the other
// player's socket. Usage: load KIND SECONDS RATE SOCKET…
// The sockets are descriptors of open WebSockets, two for each table, whose game has started (seating.py sees to it).
// RATE 0: every table moves again as soon as it can. Otherwise about so many moves a second over all tables.
#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "contestants.hpp"
#include "wire.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Time = Clock::time_point;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr auto WarmUp = std::chrono::seconds(1);
constexpr int ReadEvery = 100;
constexpr int Nobody = -1;

// A move is sent, and is over when the other player has it.
struct Match {
    int sender = Nobody;
    Time sent;
};

struct Player {
    Link link;
    int table, seat;
    long moves = 0;
};

// A move that waits for its time.
struct Pause {
    Time end;
    Player* player;
    long answer;

    bool operator>(const Pause& other) const { return end > other.end; }
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class Load {
public:
    Load(std::string kind, double rate, const std::vector<int>& sockets)
        : kind_(std::move(kind)), contestant_(contestant_of(kind_)), matches_(sockets.size() / 2) {
        pause_ = rate == 0 ? 0 : static_cast<double>(matches_.size()) / rate;
        latencies_.reserve(1 << 20);
        for (std::size_t i = 0; i < sockets.size(); ++i)
            players_.push_back({Link(sockets[i]), static_cast<int>(i / 2), static_cast<int>(i % 2)});
        for (std::size_t i = 0; i < sockets.size(); ++i) {
            epoll_event wanted{EPOLLIN, {&players_[i]}};
            if (epoll_ctl(epoll_, EPOLL_CTL_ADD, sockets[i], &wanted) != 0)
                throw std::runtime_error("no such socket: " + std::to_string(sockets[i]));
        }
    }

    // Warm up, measure for a while, and tell.
    void run(double seconds) {
        if (contestant_->opens_unasked())
            for (std::size_t i = 0; i < players_.size(); i += 2) act(players_[i], 0);
        play_until(Clock::now() + WarmUp);
        std::puts("measuring");
        std::fflush(stdout);
        const double cpu = cpu_seconds();
        const Time began = Clock::now();
        measuring_ = true;
        play_until(began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
        const double took = std::chrono::duration<double>(Clock::now() - began).count();
        tell(took, (cpu_seconds() - cpu) / took);
    }

private:
    void play_until(Time end) {
        epoll_event ready[256];
        for (Time now = Clock::now(); now < end; now = Clock::now()) {
            for (; !pauses_.empty() && pauses_.top().end <= now; pauses_.pop())
                move(*pauses_.top().player, pauses_.top().answer);
            const Time next = pauses_.empty() ? end : std::min(end, pauses_.top().end);
            const auto wait = std::chrono::nanoseconds(std::max(next - now, Clock::duration(0))).count();
            const timespec timeout{wait / 1'000'000'000, wait % 1'000'000'000};
            const int count = epoll_pwait2(epoll_, ready, std::size(ready), &timeout, nullptr);
            if (count < 0 && errno != EINTR)
                throw std::runtime_error("no waiting for sockets: " + std::string(std::strerror(errno)));
            for (int i = 0; i < count; ++i) {
                Player& player = *static_cast<Player*>(ready[i].data.ptr);
                player.link.read();
                while (const auto message = player.link.next()) hear(player, *message);
            }
        }
    }

    void hear(Player& player, std::string_view message) {
        if (const auto answer = contestant_->pulse(message); !answer.empty()) return player.link.send(answer);
        const Told told = contestant_->glance(message, player.seat);
        if (!measuring_ || ++messages_ % ReadEvery == 0) check(told, message, player.seat);
        if (told.moved) heard(player);
        if (told.answer != Told::Nothing) act(player, told.answer);
        if (told.refused && ++refusals_ < 5)
            std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
    }

    // Reading the message in full must tell the same as the glance did.
    void check(const Told& told, std::string_view message, int seat) const {
        std::string found;
        try {
            const Told read = contestant_->read(message, seat);
            if (read == told) return;
            found = description(read);
        } catch (const std::exception& fault) {
            found = fault.what();
        }
        throw std::runtime_error(kind_ + " is not what the load takes it for: " + description(told) + ", but " + found +
                                 " out of " + std::string(message));
    }

    static std::string description(const Told& told) {
        return std::string(told.refused ? "refused"
                           : told.moved ? "moved"
                                        : "nothing") +
               ", answer " + (told.answer == Told::Nothing ? "none" : std::to_string(told.answer));
    }

    // The player has heard of the other's move: it is over.
    void heard(const Player& player) {
        Match& match = matches_[static_cast<std::size_t>(player.table)];
        if (match.sender != 1 - player.seat) return;
        match.sender = Nobody;
        if (measuring_) latencies_.push_back(Milliseconds(Clock::now() - match.sent).count());
    }

    // Let the player move, now or after a pause of any length, so that all tables together keep the pace throughout.
    void act(Player& player, long answer) {
        if (pause_ == 0) return move(player, answer);
        const std::chrono::duration<double> pause(pause_ * std::exponential_distribution<>()(chance_));
        pauses_.push({Clock::now() + std::chrono::duration_cast<Clock::duration>(pause), &player, answer});
    }

    void move(Player& player, long answer) {
        const std::string_view words = contestant_->say({player.table, player.seat, ++player.moves, answer});
        Match& match = matches_[static_cast<std::size_t>(player.table)];
        match.sender = player.seat;
        match.sent = Clock::now();
        player.link.send(words, contestant_->opcode());
    }

    void tell(double seconds, double load) {
        if (latencies_.empty()) throw std::runtime_error("no move in all that time");
        std::sort(latencies_.begin(), latencies_.end());
        const auto at = [this](double fraction) {
            const auto place = static_cast<std::size_t>(fraction * static_cast<double>(latencies_.size()));
            return latencies_[std::min(place, latencies_.size() - 1)];
        };
        std::printf(R"({"moves":%zu,"seconds":%.9f,"refusals":%ld,"p50":%.6f,"p99":%.6f,"max":%.6f,"load":%.9f})"
                    "\n",
                    latencies_.size(), seconds, refusals_, at(0.5), at(0.99), at(1), load);
    }

    std::string kind_;
    std::unique_ptr<Contestant> contestant_;
    double pause_;  // of a table between two moves, on average, in seconds
    std::vector<Match> matches_;
    std::vector<Player> players_;
    std::priority_queue<Pause, std::vector<Pause>, std::greater<>> pauses_;
    std::vector<double> latencies_;  // in milliseconds
    std::mt19937 chance_{std::random_device()()};
    int epoll_ = epoll_create1(EPOLL_CLOEXEC);
    long messages_ = 0;
    long refusals_ = 0;
    bool measuring_ = false;
};

}  // namespace

int main(int count, char** arguments) {
    try {
        if (count < 6 || count % 2 != 0)
            throw std::runtime_error("load KIND SECONDS RATE SOCKET…, two sockets for each table");
        std::vector<int> sockets;
        for (int i = 4; i < count; ++i) sockets.push_back(std::atoi(arguments[i]));
        Load(arguments[1], std::atof(arguments[3]), sockets).run(std::atof(arguments[2]));
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
}
