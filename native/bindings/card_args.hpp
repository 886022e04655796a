// Cards as Python callers write them: one text, or a sequence of texts, numbers and (rank, suit) pairs.
#pragma once

#include "cards/cards.hpp"

#include <nanobind/nanobind.h>

namespace parlour {

// Adds the cards of `argument` to `cards`. On a fault it sets ValueError or TypeError, which names it, and returns
// false.
bool read_cards(PyObject* argument, CardList& cards);

// The same, but throws the Python error.
CardList card_list_from(nanobind::handle argument);

}  // namespace parlour
