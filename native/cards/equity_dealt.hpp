// Monte Carlo where every player has a known hand or any hand at all.
#pragma once

#include "cards/equity.hpp"

namespace parlour {

// Expects a prepared hold'em spot without ranges.
Tally sample_dealt(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort);

}  // namespace parlour
