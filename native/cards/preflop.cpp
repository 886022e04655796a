#include "cards/preflop.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace parlour {

namespace {

const MatchupIndex& matchups() {
    static const MatchupIndex index;
    return index;
}

// A range by kinds of hands. Where all holdings of a kind have the same weight, as in most ranges, whole kinds are
// matched.
struct KindWeights {
    struct Member {
        std::uint8_t suits;
        double weight;
    };
    std::vector<int> kinds;
    std::array<bool, KindCount> even{};
    std::array<double, KindCount> weight{};  // of each holding, for even kinds
    std::array<std::vector<Member>, KindCount> holdings;

    explicit KindWeights(const Hands& hands) {
        for (const auto& hand : hands.hands) {
            const Card low = static_cast<Card>(std::countr_zero(hand.cards)),
                       high = static_cast<Card>(std::bit_width(hand.cards) - 1);
            const auto suits = static_cast<std::uint8_t>(suit_of(high) | suit_of(low) << 2);
            holdings[kind_of({high, low})].push_back({suits, hand.weight});
        }
        constexpr std::array<std::size_t, 3> Sizes = {6, 4, 12};
        for (int kind = 0; kind < KindCount; ++kind) {
            const auto& own = holdings[kind];
            if (own.empty()) continue;
            kinds.push_back(kind);
            weight[kind] = own[0].weight;
            even[kind] = own.size() == Sizes[shape_of(kind)] &&
                         std::all_of(own.begin(), own.end(),
                                     [&](const Member& member) { return member.weight == weight[kind]; });
        }
    }
};

// Sums for the first player; the second has the rest.
struct Sums {
    double wins = 0, ties = 0, combinations = 0;

    void add(double weight, PreflopCounts counts, bool exchanged) {
        combinations += weight;
        ties += weight * counts.ties;
        wins += weight * (exchanged ? PreflopBoards - counts.wins - counts.ties : counts.wins);
    }
};

// Matches all holdings of one kind with all of another. How a pair of holdings does depends on the pattern of their
// suits alone, and so does whether they share a card.
void match_kinds(Sums& sums, const KindWeights& first, int kind, const KindWeights& second, int other_kind, bool even) {
    const MatchupIndex& index = matchups();
    const bool exchanged = kind > other_kind;
    const int less = exchanged ? other_kind : kind, more = exchanged ? kind : other_kind;
    const SuitPatterns& suits = index.patterns(shape_of(less), shape_of(more));
    std::array<double, MaxPatterns> weights{};
    if (even) {
        const double weight = first.weight[kind] * second.weight[other_kind];
        for (int pattern = 0; pattern < suits.count; ++pattern) weights[pattern] = weight * suits.holdings[pattern];
    } else {
        const auto& outer = exchanged ? second.holdings[less] : first.holdings[less];
        const auto& inner = exchanged ? first.holdings[more] : second.holdings[more];
        for (const auto& a : outer)
            for (const auto& b : inner) weights[suits.pattern[a.suits | b.suits << 4]] += a.weight * b.weight;
    }
    const unsigned possible = index.possible(less, more);
    for (int pattern = 0; pattern < suits.count; ++pattern) {
        const bool turned = less == more && suits.reversed[pattern] < pattern;
        const int listed = turned ? suits.reversed[pattern] : pattern;
        if (possible >> listed & 1)
            sums.add(weights[pattern], PreflopTable[index.number(less, more, listed)], exchanged != turned);
    }
}

}  // namespace

PreflopCounts preflop_counts(int first, int second) {
    const auto [number, exchanged] = matchups().find(first, second);
    const PreflopCounts counts = PreflopTable[number];
    return exchanged ? PreflopCounts{PreflopBoards - counts.wins - counts.ties, counts.ties} : counts;
}

Tally preflop_range_equity(const Hands& first, const Hands& second) {
    const KindWeights a(first), b(second);
    Sums sums;
    for (const int kind : a.kinds)
        for (const int other : b.kinds) match_kinds(sums, a, kind, b, other, a.even[kind] && b.even[other]);
    Tally tally;
    tally.add(1, sums.wins);
    tally.add(2, sums.combinations * PreflopBoards - sums.wins - sums.ties);
    tally.add(3, sums.ties);
    return tally;
}

}  // namespace parlour
