#include "cards/hand_name.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace parlour {

namespace {

constexpr int Ace = 12;
constexpr std::string_view Ranks = "23456789TJQKA";
constexpr std::array<std::string_view, 13> One = {"Two",  "Three", "Four", "Five",  "Six",  "Seven", "Eight",
                                                  "Nine", "Ten",   "Jack", "Queen", "King", "Ace"};
constexpr std::array<std::string_view, 13> Many = {"Twos",  "Threes", "Fours", "Fives",  "Sixes", "Sevens", "Eights",
                                                   "Nines", "Tens",   "Jacks", "Queens", "Kings", "Aces"};

enum class Kind { HighCard, Pair, TwoPair, Three, Straight, Flush, FullHouse, Four, StraightFlush, RoyalFlush };

constexpr std::array<std::string_view, 10> Codes = {"high_card",      "pair",       "two_pair",   "three_of_a_kind",
                                                    "straight",       "flush",      "full_house", "four_of_a_kind",
                                                    "straight_flush", "royal_flush"};

// What five cards make, and the ranks that tell it, each once, of which the first `named` are said.
struct Made {
    Kind kind;
    std::array<int, 5> ranks{};
    int named = 0;
};

Made made_of(std::span<const Card, 5> five) {
    Made made{Kind::HighCard};
    int count = 0;
    for (Card card : five)
        if (count == 0 || made.ranks[count - 1] != rank_of(card)) made.ranks[count++] = rank_of(card);
    const auto [first, second, third, fourth, fifth] = made.ranks;
    const auto most = std::ranges::count(five, first, rank_of);
    const auto as = [&made](Kind kind, int named) {
        made.kind = kind;
        made.named = named;
        return made;
    };
    switch (count) {
        case 2: return as(most == 4 ? Kind::Four : Kind::FullHouse, 2);
        case 3: return most == 3 ? as(Kind::Three, 2) : as(Kind::TwoPair, 3);
        case 4: return as(Kind::Pair, 2);
    }
    const bool straight = first - fourth == 3 && (fourth - fifth == 1 || fifth == Ace);
    const bool flush = std::ranges::count(five, suit_of(five[0]), suit_of) == 5;
    if (straight && flush) return first == Ace ? as(Kind::RoyalFlush, 0) : as(Kind::StraightFlush, 1);
    if (straight || flush) return as(flush ? Kind::Flush : Kind::Straight, 1);
    return as(Kind::HighCard, 2);
}

std::string join(std::initializer_list<std::string_view> parts) {
    std::string text;
    text.reserve(48);
    for (std::string_view part : parts) text += part;
    return text;
}

}  // namespace

std::string hand_name(std::span<const Card, 5> five) {
    const Made made = made_of(five);
    const auto [first, second, third, fourth, fifth] = made.ranks;
    switch (made.kind) {
        case Kind::Four: return join({"Four of a Kind, ", Many[first], ", ", One[second], " kicker"});
        case Kind::FullHouse: return join({"Full House, ", Many[first], " over ", Many[second]});
        case Kind::Three: return join({"Three of a Kind, ", Many[first], ", ", One[second], " kicker"});
        case Kind::TwoPair:
            return join({"Two Pairs, ", Many[first], " and ", Many[second], ", ", One[third], " kicker"});
        case Kind::Pair: return join({"Pair of ", Many[first], ", ", One[second], " kicker"});
        case Kind::RoyalFlush: return "Royal Flush";
        case Kind::StraightFlush: return join({"Straight Flush, ", One[first], " high"});
        case Kind::Flush: return join({"Flush, ", One[first], " high"});
        case Kind::Straight: return join({"Straight, ", One[first], " high"});
        case Kind::HighCard: break;
    }
    return join({"High Card, ", One[first], ", ", One[second], " kicker"});
}

std::string hand_code(std::span<const Card, 5> five) {
    const Made made = made_of(five);
    std::string code(Codes[static_cast<std::size_t>(made.kind)]);
    if (made.named > 0) code += ':';
    for (int i = 0; i < made.named; ++i)
        code += Ranks[static_cast<std::size_t>(made.ranks[static_cast<std::size_t>(i)])];
    return code;
}

std::string low_name(std::span<const Card, 5> five) {
    std::string name;
    for (Card card : five) (name += Ranks[rank_of(card)]) += '-';
    name.back() = ' ';
    return name + "low";
}

std::string low_code(std::span<const Card, 5> five) {
    std::string code("low:");
    for (Card card : five) code += Ranks[rank_of(card)];
    return code;
}

}  // namespace parlour
