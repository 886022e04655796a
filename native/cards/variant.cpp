#include "cards/variant.hpp"

namespace parlour {

std::array<Card, 5> showdown_cards(Variant variant, HandRank rank, CardMask hand, CardMask board) {
    constexpr unsigned WheelRanks = 0x100F, ShortDeckWheelRanks = 0x10F0;
    const CardMask all = hand | board;
    if (variant == Variant::ShortDeck) {
        const CardMask five = five_of_rank(rank, all, 0, [](CardMask c) { return evaluate_short_deck(c); });
        return reading_order(five, ranks_of(five) == ShortDeckWheelRanks);
    }
    const CardMask two_of = variant == Variant::Holdem ? 0 : hand;
    const CardMask five = five_of_rank(rank, all, two_of, [](CardMask c) { return evaluate(c); });
    return reading_order(five, ranks_of(five) == WheelRanks);
}

}  // namespace parlour
