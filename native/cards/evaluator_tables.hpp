// The look-up tables of the evaluator. generate_tables.cpp computes them while the core is built; they are constant
// data.
//
// A set of ranks with repetitions (a multiset: A A K 9 9 4 2) has a key, the sum of its ranks' keys modulo 2^23, and no
// two multisets of the same size (5, 6 or 7) share a key. The keys are sparse (49,205 of 8.4 million for seven cards),
// so a table is stored as rows of 2^RowBits keys that are shifted into each other's gaps: values[key + offset of the
// key's row].
#pragma once

#include <array>
#include <cstdint>

namespace parlour::tables {

inline constexpr std::uint32_t KeyMask = (1u << 23) - 1;
inline constexpr int RowBits = 11;
inline constexpr int Rows = 4096;

// The smallest ascending numbers of which all sums of seven differ (no rank occurs more than four times), times an odd
// factor that scatters the keys over the rows; of some dozens tried, this one packs best.
inline constexpr auto RankKey = [] {
    std::array<std::uint32_t, 13> keys = {0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181};
    for (auto& key : keys) key = key * 5461331 & KeyMask;
    return keys;
}();

// One table over the multisets of one size. Slots are counted modulo 2^16, hence the narrow offsets.
struct RankTable {
    std::uint16_t offsets[Rows];
    const std::uint16_t* values;

    // `key` is a sum of RankKey, already taken modulo 2^23.
    std::uint16_t operator[](std::uint32_t key) const {
        return values[static_cast<std::uint16_t>(key + offsets[key >> RowBits])];
    }
};

// Indexed by the number of cards less five. Hold'em may be asked for any key below 2^23, sound or not.
extern const RankTable Holdem[3];
extern const RankTable ShortDeck[3];
// Ace-to-five low, of five cards alone.
extern const RankTable Low[1];

// The best hand among five or more cards of one suit, by the 13-bit set of their ranks; 0 where there are fewer than
// five.
extern const std::uint16_t HoldemFlush[8192];
extern const std::uint16_t ShortDeckFlush[8192];
// The best ace-to-five low with five different ranks, by the set of ranks; 0 where there are fewer than five.
extern const std::uint16_t LowOfSet[8192];

}  // namespace parlour::tables
