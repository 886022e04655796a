// What bots answer, as an action on a hand, and the step that is written down for it.
#pragma once

#include <nanobind/nanobind.h>

#include "holdem/hand.hpp"

namespace parlour {

// (seat, street, what was done, the total on that street or the chips posted)
nanobind::tuple step(int seat, int street, const char* word, Chips amount);

// The number of the street that a step names.
int street_number(PyObject* street);

// Plays the answer of the seat to act, and writes it down: a word, a pair of a word and an amount, or a dict with
// `type` and `amount`. Something else is a nb::type_error; what the rules do not allow is a nb::value_error, and
// nothing has changed.
void take(Hand& hand, nanobind::handle answer, nanobind::list steps);

}  // namespace parlour
