#include "solver/strength.hpp"

#include <array>
#include <bit>
#include <random>
#include <stdexcept>

#include "cards/evaluator.hpp"

namespace parlour::solver {

namespace {

struct Sums {
    std::array<float, Pairs> mean{}, square{};
    std::array<std::uint16_t, Pairs> count{}, ranks{};

    void add(CardMask river) {
        std::array<std::uint16_t, BestHand + 1> held{};
        const HandKey key = EmptyHand + key_of(river);
        int pair = 0, all = 0;
        for (int low = 0; low < DeckSize; ++low)
            for (int high = low + 1; high < DeckSize; ++high, ++pair) {
                const CardMask cards = CardMask{1} << low | CardMask{1} << high;
                ranks[static_cast<std::size_t>(pair)] = 0;
                if (cards & river) continue;
                const HandRank rank = evaluate<7>(key + CardKey[low] + CardKey[high], river | cards);
                ranks[static_cast<std::size_t>(pair)] = rank;
                ++held[rank];
                ++all;
            }
        std::array<float, BestHand + 1> strength;
        const float scale = 0.5F / static_cast<float>(all);
        int weaker = 0;
        for (std::size_t rank = 0; rank < held.size(); ++rank) {
            strength[rank] = static_cast<float>(2 * weaker + held[rank]) * scale;
            weaker += held[rank];
        }
        for (std::size_t at = 0; at < Pairs; ++at) {
            if (!ranks[at]) continue;
            const float one = strength[ranks[at]];
            mean[at] += one;
            square[at] += one * one;
            ++count[at];
        }
    }
};

}  // namespace

Strengths strengths(CardMask board, int rivers) {
    const int cards = std::popcount(board);
    if (cards < 3 || cards > 5 || (board & ~FullDeck)) throw std::invalid_argument("a board has three to five cards");
    Sums sums;
    std::vector<Card> deck;
    for (Card card = 0; card < DeckSize; ++card)
        if (!(board & mask_of(card))) deck.push_back(card);
    if (cards == 5) {
        sums.add(board);
    } else if (cards == 4) {
        for (const Card card : deck) sums.add(board | mask_of(card));
    } else if (rivers > 0) {
        std::mt19937_64 random(board);
        const auto below = [&](std::size_t bound) { return static_cast<std::size_t>((random() >> 32) * bound >> 32); };
        for (; rivers > 0; --rivers) {
            const std::size_t turn = below(deck.size()), river = below(deck.size() - 1);
            sums.add(board | mask_of(deck[turn]) | mask_of(deck[river + (river >= turn)]));
        }
    } else {
        for (std::size_t turn = 0; turn < deck.size(); ++turn)
            for (std::size_t river = turn + 1; river < deck.size(); ++river)
                sums.add(board | mask_of(deck[turn]) | mask_of(deck[river]));
    }
    Strengths found{std::vector<float>(Pairs), std::vector<float>(Pairs), {}};
    for (std::size_t at = 0; at < Pairs; ++at) {
        if (!sums.count[at]) continue;
        found.mean[at] = sums.mean[at] / static_cast<float>(sums.count[at]);
        found.square[at] = sums.square[at] / static_cast<float>(sums.count[at]);
    }
    if (cards == 5) found.ranks.assign(sums.ranks.begin(), sums.ranks.end());
    return found;
}

}  // namespace parlour::solver
