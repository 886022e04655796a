// The games that the core deals and ranks.
#pragma once

#include <array>
#include <cstdint>

#include "cards/omaha.hpp"
#include "cards/short_deck.hpp"

namespace parlour {

// The numbers are part of the bytes of a hand: add at the end.
enum class Variant : std::uint8_t { Holdem, Omaha, Omaha5, Omaha6, ShortDeck };

constexpr int hole_cards_of(Variant variant) {
    switch (variant) {
        case Variant::Omaha: return 4;
        case Variant::Omaha5: return 5;
        case Variant::Omaha6: return 6;
        default: return 2;
    }
}

inline constexpr int MaxHoleCards = 6;

constexpr CardMask deck_of(Variant variant) { return variant == Variant::ShortDeck ? ShortDeck : FullDeck; }

// The rank of hole cards with a board of 3, 4 or 5; higher is better. Neither counts nor deck are checked.
inline HandRank showdown_rank(Variant variant, CardMask hand, CardMask board) {
    switch (variant) {
        case Variant::Holdem: return evaluate(hand | board);
        case Variant::ShortDeck: return evaluate_short_deck(hand | board);
        default: return evaluate_omaha(hand, board);
    }
}

// The five cards that make this rank of theirs, in the order in which one reads them.
std::array<Card, 5> showdown_cards(Variant variant, HandRank rank, CardMask hand, CardMask board);

}  // namespace parlour
