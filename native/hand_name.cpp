#include "hand_name.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

namespace parlour {

namespace {

constexpr int Ace = 12;
constexpr std::array<std::string_view, 13> One = {"Two",  "Three", "Four", "Five", "Six",   "Seven", "Eight",
                                                  "Nine", "Ten",   "Jack", "Queen", "King", "Ace"};
constexpr std::array<std::string_view, 13> Many = {"Twos",  "Threes", "Fours", "Fives",  "Sixes", "Sevens", "Eights",
                                                   "Nines", "Tens",   "Jacks", "Queens", "Kings", "Aces"};

std::string join(std::initializer_list<std::string_view> parts) {
    std::string text;
    text.reserve(48);
    for (std::string_view part : parts)
        text += part;
    return text;
}

}  // namespace

std::string hand_name(std::span<const Card, 5> five) {
    std::array<int, 5> ranks{};  // each once
    int count = 0;
    for (Card card : five)
        if (count == 0 || ranks[count - 1] != rank_of(card))
            ranks[count++] = rank_of(card);
    const auto [first, second, third, fourth, fifth] = ranks;
    const auto most = std::ranges::count(five, first, rank_of);
    switch (count) {
        case 2:
            if (most == 4)
                return join({"Four of a Kind, ", Many[first], ", ", One[second], " kicker"});
            return join({"Full House, ", Many[first], " over ", Many[second]});
        case 3:
            if (most == 3)
                return join({"Three of a Kind, ", Many[first], ", ", One[second], " kicker"});
            return join({"Two Pairs, ", Many[first], " and ", Many[second], ", ", One[third], " kicker"});
        case 4:
            return join({"Pair of ", Many[first], ", ", One[second], " kicker"});
    }
    const bool straight = first - fourth == 3 && (fourth - fifth == 1 || fifth == Ace);
    const bool flush = std::ranges::count(five, suit_of(five[0]), suit_of) == 5;
    if (straight && flush && first == Ace)
        return "Royal Flush";
    if (straight || flush)
        return join({straight && flush ? "Straight Flush, " : flush ? "Flush, " : "Straight, ", One[first], " high"});
    return join({"High Card, ", One[first], ", ", One[second], " kicker"});
}

}  // namespace parlour
