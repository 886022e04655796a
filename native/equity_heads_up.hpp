// Heads-up hold'em on a board: range against range, and hand against range.
#pragma once

#include "equity.hpp"

namespace parlour {

// Both expect a prepared hold'em spot of two players with at most two cards to come.

// All holdings are ranked at once for each run-out and swept from the worst to the best.
Tally sweep_ranges(const Spot& spot, const Effort& effort);

// The first player has one hand. Opponents are counted by the ranks of their cards, except those with a flush.
Tally count_against_range(const Spot& spot);

}  // namespace parlour
