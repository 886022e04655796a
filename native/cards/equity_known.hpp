// Known hold'em hands before the flop: exact by counting boards by rank, and sampled.
#pragma once

#include <cstdint>
#include <vector>

#include "cards/equity_work.hpp"

namespace parlour {

// How many boards end with each set of winners, over all boards from the cards that are in no hand and not dead.
// Bit p of an index is player p. Hands and dead cards must not share a card.
WinnerCounts count_winners(const std::vector<CardMask>& hands, CardMask dead);

struct HeadsUpCounts {
    std::uint32_t wins, ties, boards;  // wins of the first hand
};
HeadsUpCounts count_heads_up(CardMask first, CardMask second, CardMask dead);

// Monte Carlo over boards.
Tally sample_known(const std::vector<CardMask>& hands, CardMask dead, std::uint64_t trials, std::uint64_t seed,
                   const Effort& effort);

}  // namespace parlour
