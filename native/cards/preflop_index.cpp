#include "cards/preflop_index.hpp"

#include <algorithm>

namespace parlour {

namespace {

struct Ranks2 {
    int high, low;
};

Ranks2 ranks_of_kind(int kind) {
    if (kind < 13) return {kind, kind};
    int index = (kind - 13) % 78, high = 1;
    while (index >= high) index -= high++;
    return {high, index};
}

bool has_shape(Shape shape, int high_suit, int low_suit) { return (shape == Suited) == (high_suit == low_suit); }

// The least code that renaming the suits and turning round a pair can make.
int least_code(Shape less, Shape more, int a, int b, int c, int d) {
    int least = 256;
    std::array<int, 4> name = {0, 1, 2, 3};
    do {
        for (int turn = 0; turn < 4; ++turn) {
            if (((turn & 1) && less != Pair) || ((turn & 2) && more != Pair)) continue;
            const int first = turn & 1 ? name[b] | name[a] << 2 : name[a] | name[b] << 2;
            const int second = turn & 2 ? name[d] | name[c] << 2 : name[c] | name[d] << 2;
            least = std::min(least, first | second << 4);
        }
    } while (std::next_permutation(name.begin(), name.end()));
    return least;
}

SuitPatterns patterns_of(Shape less, Shape more) {
    SuitPatterns patterns;
    std::array<int, 256> number;
    number.fill(-1);
    for (int code = 0; code < 256; ++code) {
        const int a = code & 3, b = code >> 2 & 3, c = code >> 4 & 3, d = code >> 6;
        if (!has_shape(less, a, b) || !has_shape(more, c, d)) continue;
        const int least = least_code(less, more, a, b, c, d);
        if (number[least] < 0) {
            number[least] = patterns.count;
            patterns.example[patterns.count++] = static_cast<std::uint8_t>(code);
        }
        patterns.pattern[code] = static_cast<std::uint8_t>(number[least]);
        // A pair is one holding in either order of its cards.
        if ((less != Pair || a > b) && (more != Pair || c > d)) ++patterns.holdings[number[least]];
    }
    for (int p = 0; p < patterns.count; ++p) {
        const int code = patterns.example[p], exchanged = code >> 4 | (code & 15) << 4;
        patterns.reversed[p] = less == more ? patterns.pattern[exchanged] : static_cast<std::uint8_t>(p);
    }
    return patterns;
}

}  // namespace

MatchupIndex::MatchupIndex() {
    for (int h = 0; h < HoldingCount; ++h) {
        const int kind = kind_of(Holdings[h]);
        entries_[h] = {static_cast<std::uint8_t>(kind), shape_of(kind),
                       static_cast<std::uint8_t>(suit_of(Holdings[h].high) | suit_of(Holdings[h].low) << 2)};
    }
    for (const Shape less : {Pair, Suited, Offsuit})
        for (const Shape more : {Pair, Suited, Offsuit})
            if (less <= more) patterns_[less][more] = patterns_of(less, more);
    for (int more = 0; more < KindCount; ++more)
        for (int less = 0; less <= more; ++less) {
            const SuitPatterns& suits = patterns_[shape_of(less)][shape_of(more)];
            unsigned possible = 0;
            for (int p = 0; p < suits.count; ++p) {
                const auto [first, second] = example(less, more, p);
                if (!(first.mask() & second.mask()) && (less != more || suits.reversed[p] >= p)) possible |= 1U << p;
            }
            start_[block_of(less, more)] = static_cast<std::uint16_t>(size_);
            possible_[block_of(less, more)] = static_cast<std::uint8_t>(possible);
            size_ += std::popcount(possible);
        }
}

MatchupIndex::Example MatchupIndex::example(int less, int more, int pattern) const {
    const int code = patterns_[shape_of(less)][shape_of(more)].example[pattern];
    const Ranks2 first = ranks_of_kind(less), second = ranks_of_kind(more);
    const auto holding = [](const Ranks2& ranks, int suits) {
        return Holding{make_card(ranks.high, suits & 3), make_card(ranks.low, suits >> 2 & 3)};
    };
    return {holding(first, code & 15), holding(second, code >> 4)};
}

}  // namespace parlour
