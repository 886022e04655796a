// Ace-to-five low: the ace is low, straights and flushes do not count, the lowest hand wins.
//
// Ranks run from 1 (K-K-K-K-Q) to 6175 (the wheel, 5-4-3-2-A); as everywhere here, higher is better.
#pragma once

#include "cards/evaluator.hpp"

namespace parlour {

using LowRank = std::uint16_t;
inline constexpr LowRank BestLow = 6175;

// Eight or better: the 56 hands of five different ranks up to eight.
inline constexpr LowRank WorstEightLow = BestLow - 55;
constexpr bool is_eight_or_better(LowRank rank) { return rank >= WorstEightLow; }

// The rank of exactly five cards by the sum of their keys.
inline LowRank low_of_five(HandKey key) { return tables::Low[0][static_cast<std::uint32_t>(key) & tables::KeyMask]; }

// The rank of the lowest five of 5, 6 or 7 cards. The count is not checked.
inline LowRank evaluate_low(CardMask cards) {
    const unsigned ranks = ranks_of(cards);
    if (std::popcount(ranks) >= 5) return tables::LowOfSet[ranks];
    if (std::popcount(cards) == 5) return low_of_five(key_of(cards));
    LowRank best = 0;
    for (CardMask left = cards; left; left &= left - 1) best = std::max(best, evaluate_low(cards & ~(left & -left)));
    return best;
}

}  // namespace parlour
