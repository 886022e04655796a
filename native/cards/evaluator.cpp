#include "cards/evaluator.hpp"

#include <algorithm>
#include <tuple>

namespace parlour {

CardMask five_of_rank(std::uint16_t rank, CardMask cards, CardMask hole, std::uint16_t (*rank_of_five)(CardMask)) {
    // Every subset of a mask, from the whole down.
    for (CardMask five = cards; five; five = (five - 1) & cards)
        if (std::popcount(five) == 5 && (!hole || std::popcount(five & hole) == 2) && rank_of_five(five) == rank)
            return five;
    return 0;
}

std::array<Card, 5> reading_order(CardMask five, bool ace_is_low) {
    std::array<Card, 5> cards{};
    std::array<int, 13> frequency{};
    for (auto& card : cards) {
        card = static_cast<Card>(std::countr_zero(five));
        five &= five - 1;
        ++frequency[rank_of(card)];
    }
    const auto place = [&](Card c) {
        const int height = ace_is_low && rank_of(c) == 12 ? -1 : rank_of(c);
        return std::tuple(frequency[rank_of(c)], height, suit_of(c));
    };
    std::sort(cards.begin(), cards.end(), [&](Card a, Card b) { return place(a) > place(b); });
    return cards;
}

}  // namespace parlour
