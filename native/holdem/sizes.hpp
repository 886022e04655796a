// What it costs to go on, and sizes of a bet or a raise that make sense, for people and programs that choose.
#pragma once

#include <string_view>
#include <vector>

#include "holdem/hand.hpp"

namespace parlour {

// A bet or raise to choose: `percent` of what `name` says comes to the total `to` on this street.
//   big_blind  of the blind to beat, before the flop while nobody has raised; a hundred more for each caller
//   bet        of the bet faced
//   pot        of the pot as it is after calling, on top of the call
//   limit      the one size that fixed limit allows
//   all_in     every chip
struct Size {
    std::string_view name;
    int percent;
    Chips to;
    bool operator==(const Size&) const = default;
};

// The sizes for the seat to act: legal, each total once, ascending; none where it may not raise.
std::vector<Size> raise_sizes(const Hand& hand);

// The total on this street that going all-in comes to for the seat to act: a bet, a raise, or a call where no raise is
// allowed; 0 where the limit or the betting does not allow it.
Chips all_in_to(const Hand& hand);

// The chips that a seat would have to add to go on as the bets lie, whoever's turn it is.
Chips chips_to_call(const Hand& hand, int seat);

}  // namespace parlour
