// Heads-up hold'em on a board: range against range, and hand against range.
#pragma once

#include "cards/equity.hpp"

namespace parlour {

// All holdings are ranked at once for each run-out and swept from the worst to the best. Expects a prepared hold'em
// spot of two players with a board.
Tally sweep_ranges(const Spot& spot, const Effort& effort);

// The weights that a hand wins, ties and loses.
struct Outcome {
    double wins, ties, losses;
};

// One hand against a range on a flop; the range may hold hands that clash with it.
Outcome count_against_range(CardMask hand, const Hands& range, CardMask flop, CardMask dead);

}  // namespace parlour
