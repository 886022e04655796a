// Random hands by the million, each checked against what must always hold.
#pragma once

#include <cstdint>

#include "chacha.hpp"

namespace parlour {

struct SoakReport {
    std::uint64_t hands = 0;
    std::uint64_t actions = 0;
    std::uint64_t showdowns = 0;
    std::uint64_t signature = 0;  // over all final stacks: changes only when behaviour does
};

// Plays this many random hands of every variant and limit with random legal actions and checks after each action that no
// chip is lost and the turn is somebody's who can act. Throws std::logic_error at the first fault.
SoakReport play_random_hands(std::uint64_t hands, const ChaChaKey& seed);

}  // namespace parlour
