// Equity: how often each player wins or ties when the rest of the cards is dealt.
//
// The chance of a deal is uniform; where players hold ranges, every combination of holdings that share no card counts
// with the product of its weights. A pot is split evenly among those who tie.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "cards/variant.hpp"

namespace parlour {

inline constexpr int MaxPlayers = 10;

// What a player may hold: hands with weights, or any hand at all.
struct Hands {
    struct Weighted {
        CardMask cards;
        double weight;
    };
    std::vector<Weighted> hands;  // may be left empty where `any` is set
    bool any = false;             // every hand of the deck, all with the same weight

    bool known() const { return !any && hands.size() == 1; }
};

struct Spot {
    Variant variant = Variant::Holdem;
    std::vector<Hands> players;
    CardMask board = 0;
    CardMask dead = 0;

    int to_come() const { return 5 - std::popcount(board); }
};

// Sums over deals, each with its weight.
struct Tally {
    double total = 0;
    std::array<double, MaxPlayers> wins{}, ties{};
    std::array<double, MaxPlayers> shares{};   // of the pot: 1 for a win, 1/k for a tie of k; in hi-lo by halves
    std::array<double, MaxPlayers> squares{};  // of the shares, for the standard error

    // `winners` has bit p set if player p has the best hand.
    void add(unsigned winners, double weight);

    // Hi-lo: who has the best high and the best low; none with a low where `low` is 0. A win is the whole pot, a tie
    // any other part of it.
    void add_halves(unsigned high, unsigned low, double weight);

    void add(const Tally& other);
};

struct EquityResult {
    Tally tally;
    bool exact = true;
    double boards = 0;  // deals counted: exact ones, or trials
};

// Called on the calling thread now and then with the fraction done; throws to stop the work.
using Poll = std::function<void(double)>;

struct Effort {
    int threads = 1;
    Poll poll;
};

// Checks a spot and takes out of each player's hands what the board, dead cards and known hands exclude. Throws
// std::invalid_argument naming the fault.
void prepare(Spot& spot);

// The work of an exact answer in nanoseconds of one thread, roughly; infinite if there is no exact method.
double exact_cost(const Spot& spot);

// Both expect a prepared spot.
EquityResult exact_equity(const Spot& spot, const Effort& effort);
EquityResult sampled_equity(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort);

}  // namespace parlour
