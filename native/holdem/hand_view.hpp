// What viewers read of a hand, as JSON. It is written for every viewer after every action, hence here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "holdem/hand.hpp"

namespace parlour {

// What somebody did last: `all_in` is only said of an action, not of a post.
struct Deed {
    std::string_view word;
    Chips amount = 0;
    std::optional<bool> all_in;
};

// A player at the table: as JSON that the table has written, or, with a place in the hand, what that begins with.
struct Row {
    std::string_view text;
    int place = -1;
    Chips behind = 0;    // chips that are not in the hand
    bool hides = false;  // whether the cards, if not folded, are neither shown nor mucked
    bool out = false;    // whether the player sits out the next hand
    std::optional<Deed> last;
};

// A hand that was shown; place -1 where its player has left the table.
struct ShownHand {
    int seat = 0;
    int place = -1;
    std::array<std::string_view, MaxHoleCards> cards;
    std::size_t count = 0;
};

// What everyone may see of a hand while it is played and, with its `result`, afterwards. `head` begins the object;
// `seats` tells which seat each place is; `run_out` is the JSON of the chances of open hands. There is no card in it
// but those of `board`, `rows` and `result`.
std::string public_json(const Hand& hand, std::string_view head, std::span<const std::string_view> board,
                        std::span<const int> seats, std::optional<int> aggressor, std::span<const Row> rows,
                        std::optional<std::string_view> result, std::string_view run_out);

// How a hand that is over ended, with what the hands that are shown whole are worth with so many cards of the first
// board, if any. Boards, lows and the parts of pots are not in it.
std::string result_json(const Hand& hand, int number, int board_cards, std::span<const int> seats,
                        std::span<const ShownHand> shown);

// What the seat to act may do; null where nobody has a decision.
std::string choice_json(const Hand& hand);

// A seat's own cards, and what they are worth with so many cards of the board, if any.
std::string private_json(const Hand& hand, int seat, int board_cards);

}  // namespace parlour
