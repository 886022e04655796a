// Short deck (six plus): 36 cards from six to ace. A-6-7-8-9 is the lowest straight and a flush beats a full house.
//
// Its ranks are a scale of their own, 1 (J-9-8-7-6) to 1404 (royal flush), and do not compare with those of the full
// deck.
#pragma once

#include "cards/evaluator.hpp"

namespace parlour {

using ShortDeckRank = std::uint16_t;
inline constexpr ShortDeckRank BestShortDeckHand = 1404;

inline constexpr CardMask ShortDeck = FullDeck & ~((CardMask{1} << make_card(4, 0)) - 1);

// The rank of 5, 6 or 7 cards of the short deck. Neither the count nor the deck is checked.
inline ShortDeckRank evaluate_short_deck(CardMask cards) {
    const HandKey key = EmptyHand + key_of(cards);
    if (has_flush(key)) return tables::ShortDeckFlush[ranks_in_suit(cards, flush_suit(key))];
    return tables::ShortDeck[(key >> 48) - 5][static_cast<std::uint32_t>(key) & tables::KeyMask];
}

}  // namespace parlour
