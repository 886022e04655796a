// A poker hand in words.
#pragma once

#include <span>
#include <string>

#include "cards/cards.hpp"

namespace parlour {

// The words for five cards in the order in which one reads them: the most frequent rank first, then the highest. That
// order tells an ace that is low, so that neither the rank nor the deck need be known.
std::string hand_name(std::span<const Card, 5> five);

// The same for programs: the category and the ranks that the words name, such as two_pair:AKQ.
std::string hand_code(std::span<const Card, 5> five);

// The same for a low hand, its highest card first: "8-6-4-3-A low" and low:8643A.
std::string low_name(std::span<const Card, 5> five);
std::string low_code(std::span<const Card, 5> five);

}  // namespace parlour
