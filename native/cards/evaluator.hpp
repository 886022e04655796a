// The rank of a hold'em hand: the best five of 5, 6 or 7 cards.
//
// Ranks run from 1 (7-5-4-3-2) to 7462 (royal flush), one number for each class of equal hands; higher is better.
#pragma once

#include "cards/cards.hpp"
#include "cards/evaluator_tables.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace parlour {

using HandRank = std::uint16_t;
inline constexpr HandRank BestHand = 7462;

// --- Hand keys: hands put together card by card ---------------------------------------------------------------------
//
// Everything that a rank depends on but the cards of a flush is a sum over cards. Start with EmptyHand, add CardKey of
// each card (or the sum of some cards, prepared before), and look the rank up when 5, 6 or 7 are together:
//   bits 0…31   sum of rank keys (taken modulo 2^23 at the look-up)
//   bits 32…47  four bits for each suit, 3 + number of cards: the top bit shows five or more, a flush
//   bits 48…63  number of cards
using HandKey = std::uint64_t;
inline constexpr HandKey EmptyHand = HandKey{0x3333} << 32;
inline constexpr HandKey FlushBits = HandKey{0x8888} << 32;

inline constexpr auto CardKey = [] {
    std::array<HandKey, DeckSize> keys{};
    for (int c = 0; c < DeckSize; ++c)
        keys[c] = tables::RankKey[c >> 2] | HandKey{1} << (32 + 4 * (c & 3)) | HandKey{1} << 48;
    return keys;
}();

// Sum of CardKey over the cards of a mask: EmptyHand + key_of(hole) + key_of(board) is a whole hand.
inline HandKey key_of(CardMask cards) {
    HandKey key = 0;
    for (; cards; cards &= cards - 1) key += CardKey[std::countr_zero(cards)];
    return key;
}

constexpr bool has_flush(HandKey key) { return key & FlushBits; }

// The suit of the flush in a key that has one.
constexpr int flush_suit(HandKey key) { return (std::countr_zero(key & FlushBits) - 35) >> 2; }

// The set of ranks, 13 bits, that a mask holds in one suit.
constexpr unsigned ranks_in_suit(CardMask cards, int suit) {
    std::uint64_t x = cards >> suit & 0x1111111111111;
    x = (x | x >> 3) & 0x0303030303030303;
    x = (x | x >> 6) & 0x000F000F000F000F;
    x = (x | x >> 12) & 0x000000FF000000FF;
    return static_cast<unsigned>((x | x >> 24) & 0x1FFF);
}

// The set of ranks, 13 bits, that a mask holds in any suit.
constexpr unsigned ranks_of(CardMask cards) { return ranks_in_suit(cards | cards >> 1 | cards >> 2 | cards >> 3, 0); }

// The rank of `Size` cards (5, 6 or 7) by their key if suits are left out of account.
template <int Size>
inline HandRank rank_without_flush(HandKey key) {
    return tables::Holdem[Size - 5][static_cast<std::uint32_t>(key) & tables::KeyMask];
}

// The rank of five or more cards of one suit, by their set of ranks: a flush or a straight flush.
inline HandRank rank_of_flush(unsigned ranks) { return tables::HoldemFlush[ranks]; }

// The rank of `Size` different cards; `key` is EmptyHand and their keys. With five suited cards nothing but a flush or
// better is possible, because at most two cards are left to make pairs with them.
template <int Size>
inline HandRank evaluate(HandKey key, CardMask cards) {
    if (has_flush(key)) [[unlikely]]
        return rank_of_flush(ranks_in_suit(cards, flush_suit(key)));
    return rank_without_flush<Size>(key);
}

// The rank of 5, 6 or 7 cards. The count is not checked.
inline HandRank evaluate(CardMask cards) {
    const HandKey key = EmptyHand + key_of(cards);
    if (has_flush(key)) [[unlikely]]
        return rank_of_flush(ranks_in_suit(cards, flush_suit(key)));
    return tables::Holdem[(key >> 48) - 5][static_cast<std::uint32_t>(key) & tables::KeyMask];
}

// --- Categories ------------------------------------------------------------------------------------------------------

enum class Category : std::uint8_t {
    HighCard,
    Pair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
    RoyalFlush
};

// The lowest rank of each category, and one past the best rank of all.
inline constexpr std::array<HandRank, 11> CategoryStart = {1,    1278, 4138, 4996, 5854, 5864,
                                                           7141, 7297, 7453, 7462, 7463};

constexpr Category category_of(HandRank rank) {
    int category = 0;
    while (rank >= CategoryStart[category + 1]) ++category;
    return static_cast<Category>(category);
}

// --- The five cards
// ---------------------------------------------------------------------------------------------------

// Five of `cards` that have this rank by `rank_of_five`; 0 where there are none. With `hole` not empty exactly two of
// the five are of it.
CardMask five_of_rank(std::uint16_t rank, CardMask cards, CardMask hole, std::uint16_t (*rank_of_five)(CardMask));

// The order in which one reads five cards: the most frequent rank first, then the highest; in a straight from the top.
// `ace_is_low` puts the ace last among equally frequent ranks.
std::array<Card, 5> reading_order(CardMask five, bool ace_is_low);

}  // namespace parlour
