// A subgame of two players as the solver sees it: their hands, the betting, and the cards that are still to come.
//
// The betting tree is written once, without cards: a Deal stands where the next card comes, and the solver plays what
// follows on every board. So the same code solves hold'em from a flop, a turn or a river, and the small games of the
// textbooks, whose hands have a single card.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cards/cards.hpp"

namespace parlour::solver {

inline constexpr int Players = 2;

// The second card of a hand that has only one: another number for each player, so that it blocks nothing.
constexpr Card no_card(int player) { return static_cast<Card>(DeckSize + player); }
inline constexpr int CardNumbers = DeckSize + Players;

// A hand that a player may hold, with its weight in the player's range.
struct Holdable {
    Card a, b;
    float weight;

    constexpr CardMask mask() const { return mask_of(a) | mask_of(b); }
};

enum class Kind : std::uint8_t { Decision, Deal, Fold, Showdown };

// What a player gains or loses against the stack at the start of the subgame. At a Fold only `win` counts, for both.
struct Payoff {
    double win = 0, tie = 0, lose = 0;
};

struct Node {
    Kind kind;
    int player = 0;  // who decides
    std::vector<int> children;  // after a node in the order of numbers; one for a Deal
    std::array<Payoff, Players> payoff{};
};

// The strength of a hand on a full board; higher is better.
using Strength = std::function<std::uint16_t(CardMask board, const Holdable& hand)>;

struct Game {
    std::array<std::vector<Holdable>, Players> hands;
    std::vector<Node> nodes;  // the first is the root
    CardMask board = 0;
    std::vector<Card> deck;  // all cards but those of the board
    int deals = 0;  // how many cards are still to come: 0 to 2
    int hole_cards = 2;
    Strength strength;
    bool suits_alike = true;  // whether the suits have no order, so that boards can be the same but for their names
};

// Throws std::invalid_argument that names what is wrong with a game.
void check(const Game& game);

}  // namespace parlour::solver
