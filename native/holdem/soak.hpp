// Random hands by the million, each checked against what must always hold.
#pragma once

#include <cstdint>

#include "cards/chacha.hpp"

namespace parlour {

struct SoakReport {
    std::uint64_t hands = 0;
    std::uint64_t actions = 0;
    std::uint64_t showdowns = 0;
    std::uint64_t signature = 0;  // over all final stacks: changes only when behaviour does
};

// Plays this many random hands of every limit with random legal actions, checks after each action that no chip is lost
// and the turn is somebody's who can act, and adds them to the report. Throws std::logic_error at a fault. With
// `options` there are hi-lo games, boards, runs, bomb pots, button blinds, straddles of any seat and bounties among
// them; without, the hands are those of the versions before there were any.
void play_random_hands(std::uint64_t hands, bool options, ChaCha20& random, SoakReport& report);

}  // namespace parlour
