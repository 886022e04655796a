// Heads-up matchups before the flop, up to the names of suits and the order of the players: 47,008 of them, numbered.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "cards/ranges.hpp"

namespace parlour {

inline constexpr int KindCount = 169;
inline constexpr int MatchupCount = 47008;
inline constexpr int MaxPatterns = 7;

// A shape of hand. Kinds are numbered by shape: 13 pairs, 78 suited, 78 offsuit.
enum Shape : std::uint8_t { Pair, Suited, Offsuit };
constexpr Shape shape_of(int kind) { return kind < 13 ? Pair : kind < 91 ? Suited : Offsuit; }

constexpr int kind_of(const Holding& holding) {
    const int high = rank_of(holding.high), low = rank_of(holding.low);
    if (high == low) return high;
    return (suit_of(holding.high) == suit_of(holding.low) ? 13 : 91) + high * (high - 1) / 2 + low;
}

// How the suits of two hands of given shapes relate, the first hand's shape being the lesser: a number below
// MaxPatterns for the four suits, and how many pairs of holdings have each pattern.
struct SuitPatterns {
    int count = 0;
    std::array<std::uint8_t, 256> pattern{};           // by suits_code
    std::array<std::uint8_t, MaxPatterns> example{};   // a suits_code of each pattern
    std::array<std::uint8_t, MaxPatterns> reversed{};  // the pattern with the hands exchanged, for equal shapes
    std::array<std::uint8_t, MaxPatterns> holdings{};  // pairs of holdings, shared cards not regarded
};

constexpr int suits_code(const Holding& first, const Holding& second) {
    return suit_of(first.high) | suit_of(first.low) << 2 | suit_of(second.high) << 4 | suit_of(second.low) << 6;
}

// Numbers matchups. Two kinds, the lesser first, have a block of consecutive numbers, one for each pattern that is
// possible (the hands share no card) and, for equal kinds, not the reverse of an earlier one.
class MatchupIndex {
public:
    MatchupIndex();

    struct Found {
        std::uint16_t number;
        bool exchanged;  // the number stands for (second, first)
    };

    Found find(int first, int second) const {
        const Entry &a = entries_[first], &b = entries_[second];
        bool exchanged = a.kind > b.kind;
        const Entry &x = exchanged ? b : a, &y = exchanged ? a : b;
        const SuitPatterns& suits = patterns_[x.shape][y.shape];
        int pattern = suits.pattern[x.suits | y.suits << 4];
        if (x.kind == y.kind && suits.reversed[pattern] < pattern) {
            pattern = suits.reversed[pattern];
            exchanged = !exchanged;
        }
        return {number(x.kind, y.kind, pattern), exchanged};
    }

    // The patterns that have a number for two kinds, the lesser first, as bits.
    unsigned possible(int less, int more) const { return possible_[block_of(less, more)]; }
    std::uint16_t number(int less, int more, int pattern) const {
        const int block = block_of(less, more);
        return static_cast<std::uint16_t>(start_[block] + Ones[possible_[block] & ((1U << pattern) - 1)]);
    }
    int size() const { return size_; }
    const SuitPatterns& patterns(Shape less, Shape more) const { return patterns_[less][more]; }

    // Holdings of two kinds that have a pattern.
    struct Example {
        Holding first, second;
    };
    Example example(int less, int more, int pattern) const;

private:
    struct Entry {
        std::uint8_t kind, shape, suits;
    };

    // How many bits are set; the instruction for it is not on every machine.
    static constexpr auto Ones = [] {
        std::array<std::uint8_t, 1 << MaxPatterns> ones{};
        for (unsigned i = 0; i < ones.size(); ++i) ones[i] = static_cast<std::uint8_t>(std::popcount(i));
        return ones;
    }();

    static constexpr int Blocks = KindCount * (KindCount + 1) / 2;
    static constexpr int block_of(int less, int more) { return more * (more + 1) / 2 + less; }

    int size_ = 0;
    std::array<Entry, HoldingCount> entries_;
    std::array<std::array<SuitPatterns, 3>, 3> patterns_;
    std::array<std::uint16_t, Blocks> start_;
    std::array<std::uint8_t, Blocks> possible_;
};

}  // namespace parlour
