// Cards as small integers and sets of cards as bit masks: the words that the whole core speaks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
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

constexpr CardMask mask_of(std::span<const Card> cards) {
    CardMask mask = 0;
    for (Card c : cards) mask |= mask_of(c);
    return mask;
}

// "As"; the one notation that is written.
std::string to_string(Card c);

// What an error message quotes of a text: its beginning, not cut inside a character.
std::string excerpt(std::string_view text);

// Takes one card off the front of `text`, in any notation that is read (case does not matter):
//   As, Th, 10h, 0h (0 = ten)     A♠, 10♥     14 Club (2…14)     1-c … 13-s (1 = ace)
// Leaves `text` alone and gives nothing if no card stands there.
std::optional<Card> take_card(std::string_view& text);

namespace detail {
constexpr auto make_table(std::string_view upper, std::string_view lower) {
    std::array<std::int8_t, 256> table{};
    table.fill(-1);
    for (std::size_t i = 0; i < upper.size(); ++i)
        table[static_cast<unsigned char>(upper[i])] = table[static_cast<unsigned char>(lower[i])] =
            static_cast<std::int8_t>(i);
    return table;
}
inline constexpr auto RankOfChar = [] {
    auto table = make_table("23456789TJQKA", "23456789tjqka");
    table['0'] = 8;  // 0 = ten
    return table;
}();
inline constexpr auto SuitOfChar = make_table("CDHS", "cdhs");
}  // namespace detail

// The rank or suit that a single character means, -1 if none.
constexpr int rank_of_char(char c) { return detail::RankOfChar[static_cast<unsigned char>(c)]; }
constexpr int suit_of_char(char c) { return detail::SuitOfChar[static_cast<unsigned char>(c)]; }

// The card of two characters, As or tH; nothing if they are none.
constexpr std::optional<Card> plain_card(char rank, char suit) {
    const int r = rank_of_char(rank), s = suit_of_char(suit);
    if ((r | s) < 0) return std::nullopt;
    return make_card(r, s);
}

// Cards in the order in which they came, none twice.
class CardList {
public:
    // False, and nothing is added, if the card is already there.
    bool add(Card c) {
        if (mask_ & mask_of(c)) return false;
        mask_ |= mask_of(c);
        cards_[count_++] = c;
        return true;
    }
    // Forgets all but the first `count` cards.
    void cut(int count) {
        while (count_ > count) mask_ ^= mask_of(cards_[--count_]);
    }
    int size() const { return count_; }
    CardMask mask() const { return mask_; }
    const Card* begin() const { return cards_; }
    const Card* end() const { return cards_ + count_; }

private:
    CardMask mask_ = 0;
    int count_ = 0;
    Card cards_[DeckSize];
};

// Reads cards, with or without blanks or commas between them, to the end of `text`. Throws std::invalid_argument that
// names a bad or repeated card.
void read_cards(std::string_view text, CardList& cards);

// The same for a text by itself, where the order does not matter.
CardMask parse_cards(std::string_view text);

}  // namespace parlour
