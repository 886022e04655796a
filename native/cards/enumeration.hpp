// All 133,784,560 hands of seven cards, in order.
#pragma once

#include "cards/evaluator.hpp"

#include <array>
#include <cstdint>

namespace parlour {

// How many hands have each rank; index 0 is unused.
using RankCounts = std::array<std::uint32_t, BestHand + 1>;

// Counts the ranks of all seven-card hands, by going through all prefixes in order. No hand is hashed: six ranks in
// order point to a row with the outcome for each seventh rank, and hands that differ only in the suits of their last
// two cards and cannot have a flush are counted together.
RankCounts count_all_seven_card_hands();

}  // namespace parlour
