// The games that the core deals and ranks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "cards/omaha.hpp"
#include "cards/short_deck.hpp"

namespace parlour {

// The numbers are part of the bytes of a hand: add at the end.
enum class Variant : std::uint8_t { Holdem, Omaha, Omaha5, Omaha6, ShortDeck, OmahaHiLo, Omaha5HiLo };
inline constexpr Variant LastVariant = Variant::Omaha5HiLo;

constexpr int hole_cards_of(Variant variant) {
    switch (variant) {
        case Variant::Omaha:
        case Variant::OmahaHiLo: return 4;
        case Variant::Omaha5:
        case Variant::Omaha5HiLo: return 5;
        case Variant::Omaha6: return 6;
        default: return 2;
    }
}

inline constexpr int MaxHoleCards = 6;

// Whether the lowest hand of eight or better takes half of each pot.
constexpr bool is_hi_lo(Variant variant) { return variant >= Variant::OmahaHiLo; }

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

// The rank of the low hand in a hi-lo game, with two cards of the hand; 0 where it is not eight or better.
LowRank showdown_low(CardMask hand, CardMask board);

// The hands with the best high and those with the best low in a hi-lo game, as bits by their order; no low is 0.
std::pair<unsigned, unsigned> winners_of_halves(std::span<const CardMask> hands, CardMask board);

// The five cards of a low hand of this rank, the highest first; with `hole` not empty two of them are of it.
std::array<Card, 5> low_cards(LowRank rank, CardMask cards, CardMask hole);

}  // namespace parlour
