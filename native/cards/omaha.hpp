// Omaha: exactly two of the hole cards with exactly three of the board.
#pragma once

#include "cards/low.hpp"

namespace parlour {

// The rank, on the scale of `evaluate`, of 2…6 hole cards with a board of 3, 4 or 5. The counts are not checked.
HandRank evaluate_omaha(CardMask hole, CardMask board);

// The same for ace-to-five low; ask is_eight_or_better whether it qualifies.
LowRank evaluate_omaha_low(CardMask hole, CardMask board);

}  // namespace parlour
