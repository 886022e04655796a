// The rank of a hand with a full board, in any variant.
#pragma once

#include "equity.hpp"
#include "evaluator.hpp"
#include "omaha.hpp"
#include "short_deck.hpp"

namespace parlour {

inline HandRank showdown_rank(Variant variant, CardMask hand, CardMask board) {
    switch (variant) {
        case Variant::Holdem: return evaluate(hand | board);
        case Variant::ShortDeck: return evaluate_short_deck(hand | board);
        default: return evaluate_omaha(hand, board);
    }
}

}  // namespace parlour
