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

LowRank showdown_low(CardMask hand, CardMask board) {
    const LowRank rank = evaluate_omaha_low(hand, board);
    return is_eight_or_better(rank) ? rank : 0;
}

std::array<Card, 5> low_cards(LowRank rank, CardMask cards, CardMask hole) {
    return reading_order(five_of_rank(rank, cards, hole, [](CardMask c) { return evaluate_low(c); }), true);
}

}  // namespace parlour
