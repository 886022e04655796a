// External-sampling Monte Carlo CFR over an abstraction: a player knows the own hand by a bucket on each street.
//
// A hand is dealt, and one player tries every action against an opponent who plays by chance what is played now. What
// would have been won is learnt for the bucket, so that hands in one bucket share what they learn.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "cards/cards.hpp"
#include "solver/game.hpp"

namespace parlour::solver {

// Boards that are dealt, each as often, and what a hand is on each of them.
struct Boards {
    std::vector<CardMask> hands;  // the cards of each hand; hands with a common card are never dealt together
    std::vector<int> buckets;  // how many there are on each street
    std::vector<std::uint8_t> bucket_of;  // by board, street and hand
    std::vector<std::uint16_t> ranks;  // by board and hand, on the last street; 0 where the board has the hand's cards

    std::size_t count() const { return ranks.size() / hands.size(); }
};

class Sampler {
public:
    // The hands of `game` are not looked at. Throws std::invalid_argument that names what is wrong.
    Sampler(const std::vector<Node>& nodes, Boards boards, std::uint64_t seed);

    // Deals so many hands, each for both players in turn. Later ones count more: in proportion to their number.
    void run(std::int64_t hands);
    std::int64_t hands() const { return dealt_; }

    // The average strategy of a decision: for each bucket the probabilities of the actions, then what they rest on.
    std::vector<float> strategy(int node) const;
    std::vector<float> weight(int node) const;

private:
    struct Point {
        Kind kind;
        std::uint8_t player, street, actions;
        std::uint32_t children;  // where they begin in children_
        std::uint64_t offset;  // where the numbers of a decision begin
        std::array<std::array<float, 3>, Players> payoff;  // lost, tied, won
    };
    struct Dealt {
        std::array<std::size_t, Players> hand;
        std::size_t board;
        int outcome;  // for the first player: 0 lost, 1 tied, 2 won
    };

    double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(uniform() * static_cast<double>(bound)); }
    Dealt deal();
    float walk(std::uint32_t at, int learner, const Dealt& dealt);
    const Point& decision(int node) const;

    std::vector<Point> points_;
    std::vector<std::uint32_t> children_;
    Boards boards_;
    std::vector<float> regrets_, sums_;
    std::mt19937_64 random_;
    std::int64_t dealt_ = 0;
    float weight_ = 0;
};

}  // namespace parlour::solver
