#include "cards/cards.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace parlour {

namespace {

constexpr int None = -1;

constexpr bool is_separator(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

void skip_separators(std::string_view& text) {
    while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (text.size() < prefix.size()) return false;
    for (std::size_t i = 0; i < prefix.size(); ++i)
        if (lower(text[i]) != prefix[i]) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Takes club, clubs, ♣, ♧ and so on; None if no such suit stands there.
int take_suit_word(std::string_view& text) {
    struct Name {
        std::string_view word, black, white;
    };
    static constexpr std::array<Name, 4> names = {
        {{"club", "♣", "♧"}, {"diamond", "♦", "♢"}, {"heart", "♥", "♡"}, {"spade", "♠", "♤"}}};
    for (int suit = 0; suit < 4; ++suit) {
        if (take_prefix(text, names[suit].word)) {
            take_prefix(text, "s");
            return suit;
        }
        if (take_prefix(text, names[suit].black) || take_prefix(text, names[suit].white)) {
            take_prefix(text, "\xEF\xB8\x8F");  // asks for the coloured form of the symbol
            return suit;
        }
    }
    return None;
}

int take_suit(std::string_view& text) {
    if (const int suit = take_suit_word(text); suit != None) return suit;
    const int suit = text.empty() ? None : suit_of_char(text.front());
    if (suit != None) text.remove_prefix(1);
    return suit;
}

std::optional<Card> card(int rank, int suit) {
    if (rank < 0 || rank > 12 || suit == None) return std::nullopt;
    return make_card(rank, suit);
}

// 1-c … 13-s, 14-Club and 14 Club; `number` has been read, `rest` is what follows it.
std::optional<Card> take_numbered(int number, std::string_view& rest) {
    if (take_prefix(rest, "-"))
        return number == 14 ? card(12, take_suit_word(rest)) : card(number == 1 ? 12 : number - 2, take_suit(rest));
    skip_separators(rest);
    return card(number - 2, take_suit_word(rest));
}

std::optional<Card> take_any(std::string_view& text) {
    std::size_t digits = 0;
    int number = 0;
    while (digits < 2 && digits < text.size() && is_digit(text[digits])) number = 10 * number + (text[digits++] - '0');
    if (digits > 0) {
        auto rest = text.substr(digits);
        if (const auto c = take_numbered(number, rest)) {
            text = rest;
            return c;
        }
    }
    const bool ten = text.substr(0, 2) == "10";
    if (text.empty()) return std::nullopt;
    const int rank = ten ? 8 : rank_of_char(text.front());
    text.remove_prefix(ten ? 2 : 1);
    return card(rank, take_suit(text));
}

// The beginning of a text of so many bytes at most, not cut inside a character.
std::string_view beginning(std::string_view text, std::size_t most) {
    auto end = std::min(text.size(), most);
    while (end < text.size() && (text[end] & 0xC0) == 0x80) --end;
    return text.substr(0, end);
}

std::string_view first_word(std::string_view text) {
    return beginning(text.substr(0, text.find_first_of(" ,\t\n\r")), 24);
}

// Cards of two characters, by far the most frequent form; false if anything else is found.
bool read_plain(std::string_view text, CardList& cards) {
    std::size_t i = 0;
    while (true) {
        while (i < text.size() && is_separator(text[i])) ++i;
        if (i == text.size()) return true;
        if (i + 1 == text.size()) return false;
        const auto c = plain_card(text[i], text[i + 1]);
        if (!c || !cards.add(*c)) return false;
        i += 2;
    }
}

}  // namespace

std::string to_string(Card c) { return {"23456789TJQKA"[rank_of(c)], "cdhs"[suit_of(c)]}; }

std::string excerpt(std::string_view text) {
    const auto shown = beginning(text, 40);
    return std::string(shown) + (shown.size() < text.size() ? "…" : "");
}

std::optional<Card> take_card(std::string_view& text) {
    auto rest = text;
    const auto c = take_any(rest);
    if (c) text = rest;
    return c;
}

void read_cards(std::string_view text, CardList& cards) {
    const int before = cards.size();
    if (read_plain(text, cards)) return;
    cards.cut(before);
    for (skip_separators(text); !text.empty(); skip_separators(text)) {
        const auto token = first_word(text);
        const auto c = take_card(text);
        if (!c) throw std::invalid_argument("not a card: '" + std::string(token) + "'");
        if (!cards.add(*c)) throw std::invalid_argument("the card " + to_string(*c) + " is there twice");
    }
}

CardMask parse_cards(std::string_view text) {
    CardList cards;
    read_cards(text, cards);
    return cards.mask();
}

}  // namespace parlour
