#include "preflop.hpp"

#include <bit>
#include <vector>

namespace parlour {

namespace {

const MatchupIndex& matchups() {
    static const MatchupIndex index;
    return index;
}

// A range by kinds of hands. Where all holdings of a kind have the same weight, as in most ranges, whole kinds are matched.
struct KindWeights {
    std::vector<int> even, mixed;  // kinds in the range with one weight, with several
    std::array<double, KindCount> weight{};
    std::array<std::vector<std::pair<int, double>>, KindCount> holdings;

    explicit KindWeights(const Hands& hands) {
        for (const auto& hand : hands.hands) {
            const Card low = static_cast<Card>(std::countr_zero(hand.cards)), high = static_cast<Card>(std::bit_width(hand.cards) - 1);
            holdings[kind_of({high, low})].emplace_back(holding_index(high, low), hand.weight);
        }
        constexpr std::array<std::size_t, 3> Sizes = {6, 4, 12};
        for (int kind = 0; kind < KindCount; ++kind) {
            const auto& own = holdings[kind];
            if (own.empty()) continue;
            weight[kind] = own[0].second;
            bool same = own.size() == Sizes[shape_of(kind)];
            for (const auto& [holding, w] : own) same = same && w == weight[kind];
            (same ? even : mixed).push_back(kind);
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

void match_kinds(Sums& sums, int first, int second, double weight) {
    const MatchupIndex& index = matchups();
    const bool exchanged = first > second;
    const int less = exchanged ? second : first, more = exchanged ? first : second;
    const SuitPatterns& suits = index.patterns(shape_of(less), shape_of(more));
    int number = index.start(less, more);
    for (unsigned left = index.possible(less, more); left; left &= left - 1, ++number) {
        const int pattern = std::countr_zero(left), reversed = suits.reversed[pattern];
        sums.add(weight * suits.holdings[pattern], PreflopTable[number], exchanged);
        if (less == more && reversed != pattern) sums.add(weight * suits.holdings[reversed], PreflopTable[number], !exchanged);
    }
}

void match_holdings(Sums& sums, const KindWeights& first, int kind, const KindWeights& second, int other_kind) {
    for (const auto& [holding, weight] : first.holdings[kind])
        for (const auto& [other, other_weight] : second.holdings[other_kind]) {
            if (Holdings[holding].mask() & Holdings[other].mask()) continue;
            const auto [number, exchanged] = matchups().find(holding, other);
            sums.add(weight * other_weight, PreflopTable[number], exchanged);
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
    for (const int kind : a.even) {
        for (const int other : b.even) match_kinds(sums, kind, other, a.weight[kind] * b.weight[other]);
        for (const int other : b.mixed) match_holdings(sums, a, kind, b, other);
    }
    for (const int kind : a.mixed) {
        for (const int other : b.even) match_holdings(sums, a, kind, b, other);
        for (const int other : b.mixed) match_holdings(sums, a, kind, b, other);
    }
    Tally tally;
    tally.add(1, sums.wins);
    tally.add(2, sums.combinations * PreflopBoards - sums.wins - sums.ties);
    tally.add(3, sums.ties);
    return tally;
}

}  // namespace parlour
