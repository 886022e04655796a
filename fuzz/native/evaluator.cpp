// Ranks of any cards: within bounds, and never worse for having one card more.
#include "cards/evaluator.hpp"

#include "bytes.hpp"
#include "cards/low.hpp"
#include "cards/omaha.hpp"
#include "cards/short_deck.hpp"

using namespace parlour;

namespace {

CardMask draw(Bytes& in, int count, CardMask without) {
    CardMask cards = 0;
    while (std::popcount(cards) < count) {
        CardMask free = FullDeck & ~(cards | without);
        for (auto skip = in.below(static_cast<std::uint64_t>(std::popcount(free))); skip; --skip) free &= free - 1;
        cards |= free & ~(free - 1);
    }
    return cards;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes in(data, size);
    const CardMask five = draw(in, 5, 0), six = five | draw(in, 1, five), seven = six | draw(in, 1, six);
    require(evaluate(five) >= 1 && evaluate(five) <= evaluate(six) && evaluate(six) <= evaluate(seven) &&
            evaluate(seven) <= BestHand);
    require(evaluate_low(five) >= 1 && evaluate_low(five) <= evaluate_low(six) &&
            evaluate_low(six) <= evaluate_low(seven));
    if (!(seven & ~ShortDeck))
        require(evaluate_short_deck(five) >= 1 && evaluate_short_deck(seven) >= evaluate_short_deck(five));

    const CardMask hole = draw(in, 4 + static_cast<int>(in.below(3)), 0);
    const CardMask flop = draw(in, 3, hole), river = flop | draw(in, 2, hole | flop);
    require(evaluate_omaha(hole, flop) >= 1 && evaluate_omaha(hole, flop) <= evaluate_omaha(hole, river) &&
            evaluate_omaha(hole, river) <= BestHand);
    require(evaluate_omaha_low(hole, flop) <= evaluate_omaha_low(hole, river));
    return 0;
}
