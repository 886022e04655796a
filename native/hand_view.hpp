// What viewers read of a hand, as JSON. It is written for every viewer after every action, hence here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hand.hpp"

namespace parlour {

// What somebody did last: `all_in` is only said of an action, not of a post.
struct Deed {
    std::string_view word;
    Chips amount = 0;
    std::optional<bool> all_in;
};

// A player at the table, as JSON that the table has written: all of it, or, with a place in the hand, its beginning.
struct Row {
    std::string_view text;
    int place = -1;
    Chips behind = 0;  // chips that are not in the hand
    std::optional<Deed> last;
};

// What everyone may see while a hand is played. `head` begins the object; `seats` tells which seat each place is. There
// is no card in it but those of `board` and those that `rows` bring along.
std::string public_json(const Hand& hand, std::string_view head, std::span<const std::string_view> board,
                        std::span<const int> seats, std::optional<int> aggressor, std::span<const Row> rows);

// What the seat to act may do; null where the hand is over.
std::string choice_json(const Hand& hand);

// A seat's own cards, and what they are worth: `name` in words and the `best` five cards, both empty without a board.
std::string private_json(const Hand& hand, int seat, std::string_view name, std::span<const Card> best);

}  // namespace parlour
