#include "solver/showdown.hpp"

#include <algorithm>

namespace parlour::solver {

Ranking rank_hands(std::span<const Holdable> hands, CardMask board, const Strength& strength) {
    Ranking ranking;
    for (std::size_t place = 0; place < hands.size(); ++place)
        if (!(hands[place].mask() & board))
            ranking.push_back(
                {static_cast<std::uint16_t>(place), strength(board, hands[place]), hands[place].a, hands[place].b});
    std::stable_sort(ranking.begin(), ranking.end(),
                     [](const Ranked& one, const Ranked& other) { return one.strength < other.strength; });
    return ranking;
}

std::vector<int> find_twins(std::span<const Holdable> mine, std::span<const Holdable> theirs) {
    std::vector<int> twins;
    for (const Holdable& hand : mine) {
        const auto twin = std::find_if(theirs.begin(), theirs.end(),
                                       [&hand](const Holdable& other) { return other.mask() == hand.mask(); });
        twins.push_back(twin == theirs.end() ? -1 : static_cast<int>(twin - theirs.begin()));
    }
    return twins;
}

void meet(std::span<const Holdable> mine, std::span<const Holdable> theirs, std::span<const int> twins,
          const float* their_reach, double factor, float* values) {
    Weights all;
    for (std::size_t i = 0; i < theirs.size(); ++i) all.add(theirs[i].a, theirs[i].b, their_reach[i]);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double twin = twins[i] < 0 ? 0 : their_reach[twins[i]];
        values[i] = static_cast<float>(factor * (all.without(mine[i].a, mine[i].b) + twin));
    }
}

void show_down(const Ranking& mine, const Ranking& theirs, std::span<const int> twins, const Payoff& payoff,
               const float* their_reach, std::span<float> values) {
    std::fill(values.begin(), values.end(), 0.0F);
    // A hand of mine and the same of the opponent's are equally strong, so a twin is neither beaten nor better.
    Weights beaten;
    auto weaker = theirs.begin();
    for (const Ranked& hand : mine) {
        for (; weaker != theirs.end() && weaker->strength < hand.strength; ++weaker)
            beaten.add(weaker->a, weaker->b, their_reach[weaker->place]);
        values[hand.place] = static_cast<float>((payoff.win - payoff.tie) * beaten.without(hand.a, hand.b));
    }
    Weights all = beaten, better;
    for (; weaker != theirs.end(); ++weaker) all.add(weaker->a, weaker->b, their_reach[weaker->place]);
    auto stronger = theirs.rbegin();
    for (auto hand = mine.rbegin(); hand != mine.rend(); ++hand) {
        for (; stronger != theirs.rend() && stronger->strength > hand->strength; ++stronger)
            better.add(stronger->a, stronger->b, their_reach[stronger->place]);
        const double twin = twins[hand->place] < 0 ? 0 : their_reach[twins[hand->place]];
        values[hand->place] += static_cast<float>((payoff.lose - payoff.tie) * better.without(hand->a, hand->b) +
                                                  payoff.tie * (all.without(hand->a, hand->b) + twin));
    }
}

}  // namespace parlour::solver
