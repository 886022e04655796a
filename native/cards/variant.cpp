#include "cards/variant.hpp"

#include <algorithm>

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

std::pair<unsigned, unsigned> winners_of_halves(std::span<const CardMask> hands, CardMask board) {
    unsigned high = 0, low = 0;
    HandRank best_high = 0;
    LowRank best_low = 1;
    for (std::size_t i = 0; i < hands.size(); ++i) {
        const HandRank high_rank = evaluate_omaha(hands[i], board);
        const LowRank low_rank = showdown_low(hands[i], board);
        if (high_rank >= best_high) high = (high_rank > best_high ? 0 : high) | 1U << i;
        if (low_rank >= best_low) low = (low_rank > best_low ? 0 : low) | 1U << i;
        best_high = std::max(best_high, high_rank);
        best_low = std::max(best_low, low_rank);
    }
    return {high, low};
}

std::array<Card, 5> low_cards(LowRank rank, CardMask cards, CardMask hole) {
    return reading_order(five_of_rank(rank, cards, hole, [](CardMask c) { return evaluate_low(c); }), true);
}

}  // namespace parlour
