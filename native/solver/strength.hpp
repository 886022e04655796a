// How strong hands of two cards are on a board: expected hand strength, and its square.
#pragma once

#include <vector>

#include "cards/cards.hpp"

namespace parlour::solver {

inline constexpr int Pairs = DeckSize * (DeckSize - 1) / 2;

// The strength of a hand is the part of all hands that it beats on the river, a tie being half a win. For each pair of
// cards, 0-1, 0-2, … 50-51, its mean and the mean of its square over the rivers; both 0 where the board has the cards.
struct Strengths {
    std::vector<float> mean, square;
    std::vector<std::uint16_t> ranks;  // on a full board; else empty
};

// Of three to five cards. On a flop so many rivers are drawn, the same ones whenever the same flop is asked for; 0 for
// all of them. On a turn all are looked at. Throws std::invalid_argument for another board.
Strengths strengths(CardMask board, int rivers);

}  // namespace parlour::solver
