// Cards as small integers and sets of cards as bit masks: the words that the whole core speaks.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlour {

// 4·rank + suit: 2c = 0, 2d = 1, 2h = 2, 2s = 3, … As = 51.
using Card = std::uint8_t;

// Bit i is card i.
using CardMask = std::uint64_t;

inline constexpr int DeckSize = 52;
inline constexpr CardMask FullDeck = (CardMask{1} << DeckSize) - 1;

constexpr int rank_of(Card c) { return c >> 2; }
constexpr int suit_of(Card c) { return c & 3; }
constexpr Card make_card(int rank, int suit) { return static_cast<Card>(4 * rank + suit); }
constexpr CardMask mask_of(Card c) { return CardMask{1} << c; }

// "As"; the one notation that is written.
std::string to_string(Card c);

}  // namespace parlour
