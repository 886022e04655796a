// Heads-up equity before the flop by look-up.
#pragma once

#include <cstdint>

#include "cards/equity.hpp"
#include "cards/preflop_index.hpp"

namespace parlour {

inline constexpr std::uint32_t PreflopBoards = 1712304;

// Boards won and tied by the first hand of a matchup.
struct PreflopCounts {
    std::uint32_t wins, ties;
};

// By number of the matchup; generate_preflop.cpp computes it while the core is built.
extern const PreflopCounts PreflopTable[MatchupCount];

// The first holding's boards against the second; they must share no card.
PreflopCounts preflop_counts(int first, int second);

// The sum over all combinations of two ranges.
Tally preflop_range_equity(const Hands& first, const Hands& second);

}  // namespace parlour
