// Reads the arguments of hands, batches and pots from Python: every fault becomes a ValueError or TypeError that names
// it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "cards/chacha.hpp"
#include "holdem/hand.hpp"

namespace parlour {

// A whole number of chips, 0 … 10**15; `what` names it in the error.
Chips chips_from(nanobind::handle value, const char* what);

// A whole number that fits an int; out of range it becomes a ValueError, never an OverflowError.
int int_from(nanobind::handle value, const char* what);

// A seat of this hand.
int seat_from(const Hand& hand, nanobind::handle value);

// One of the hand's boards.
int which_board_from(const Hand& hand, nanobind::handle value);

// A number of cards that lie on the board, three or more.
int board_from(const Hand& hand, nanobind::handle value);

// A str as UTF-8; it lives as long as the object.
std::string_view text_from(nanobind::handle value, const char* what);

std::vector<Chips> chips_list_from(nanobind::handle values, const char* what);

// Seat numbers as a mask.
SeatMask seats_from(nanobind::handle values, int seats, const char* what);

Variant variant_from(nanobind::handle name);
const char* name_of(Variant variant);
const char* name_of(Limit limit);

// The keyword arguments that Hand and HandBatch share.
Rules rules_from(nanobind::handle stacks, nanobind::handle blinds, nanobind::handle ante,
                 nanobind::handle big_blind_ante, nanobind::handle straddle, nanobind::handle straddle_seat,
                 bool button_blind, nanobind::handle bomb, nanobind::handle button, nanobind::handle variant,
                 nanobind::handle limit, nanobind::handle posts, nanobind::handle big_blind_seat, nanobind::handle cap,
                 bool half_bet, bool ante_first, nanobind::handle boards, nanobind::handle seven_deuce);

// Exactly 32 bytes, or None for a key from the operating system.
ChaChaKey key_from(nanobind::handle seed);

nanobind::list list_of(SeatMask seats);

// Why an action was refused, in words.
std::string explain(const Hand& hand, Fault fault);

}  // namespace parlour
