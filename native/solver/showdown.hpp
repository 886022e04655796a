// What hands win where the betting ends, in a time that grows with their number and not with its square.
#pragma once

#include <span>

#include "solver/game.hpp"

namespace parlour::solver {

// The hands of a player that a board leaves possible, the weakest first.
struct Ranked {
    std::uint16_t place;  // among the player's hands
    std::uint16_t strength;
    Card a, b;
};
using Ranking = std::vector<Ranked>;

Ranking rank_hands(std::span<const Holdable> hands, CardMask board, const Strength& strength);

// For each hand of a player the place of the same hand among the opponent's; -1 where the opponent never has it.
std::vector<int> find_twins(std::span<const Holdable> mine, std::span<const Holdable> theirs);

// The weights of a player's hands, in all and by card: what remains of them for an opponent who holds two of the cards.
class Weights {
public:
    void add(Card a, Card b, double weight) {
        total_ += weight;
        by_card_[a] += weight;
        by_card_[b] += weight;
    }
    // A hand with both cards is taken off twice: whoever may have counted it adds it again.
    double without(Card a, Card b) const { return total_ - by_card_[a] - by_card_[b]; }

private:
    double total_ = 0;
    std::array<double, CardNumbers> by_card_{};
};

// For each of my hands the weight of the opponent's hands that can be out with it.
void meet(std::span<const Holdable> mine, std::span<const Holdable> theirs, std::span<const int> twins,
          const float* their_reach, double factor, float* values);

// For each of my hands what it wins at a showdown, times the weight of the opponent's hands; 0 for impossible ones.
void show_down(const Ranking& mine, const Ranking& theirs, std::span<const int> twins, const Payoff& payoff,
               const float* their_reach, std::span<float> values);

}  // namespace parlour::solver
