// What the vector kernels share: the few hands with a flush are ranked one by one after a block.
//
// Only templates with internal linkage here: this header is compiled for several instruction sets, and the linker must
// not take one set's code for another's.
#pragma once

#include "cards/bulk.hpp"

#include <cstring>

namespace parlour {
namespace {

constexpr std::uint64_t EachByte = 0x0101010101010101;

// Rows that a kernel ranks in one call; their cards stay in the nearest cache until the flushes have been seen to.
constexpr std::size_t BlockRows = 2048;

// The rank of the flush among the `Size` cards at `hand`, which has five or more of one suit. Reads eight bytes.
template <int Size>
inline HandRank rank_of_suited(const Card* hand) {
    std::uint64_t cards;
    std::memcpy(&cards, hand, sizeof cards);
    constexpr std::uint64_t used = EachByte >> (64 - 8 * Size);
    const std::uint64_t low = cards & used, high = cards >> 1 & used;
    // Five of at most seven: each bit of the flush's suit is the majority's.
    const int suit = (__builtin_popcountll(low) >= 4 ? 1 : 0) + (__builtin_popcountll(high) >= 4 ? 2 : 0);
    CardMask mask = 0;
    for (int i = 0; i < Size; ++i) mask |= CardMask{1} << (cards >> 8 * i & 63);
    return tables::HoldemFlush[ranks_in_suit(mask, suit)];
}

// One bit a row, in words of 64 rows: which rows have a flush. About two of 64 have.
template <int Size>
inline void rank_flushes(const Card* hands, std::size_t rows, const std::uint64_t* flushes, HandRank* ranks) {
    std::uint16_t list[BlockRows + 4];
    std::size_t count = 0;
    for (std::size_t word = 0; word * 64 < rows; ++word) {
        std::uint64_t left = flushes[word];
        const int here = __builtin_popcountll(left);
        // Four at a time, needed or not: a loop for each bit would be mispredicted for each word.
        for (int done = 0; done < here; done += 4)
            for (int i = 0; i < 4; ++i, left &= left - 1)
                list[count + done + i] = static_cast<std::uint16_t>(word * 64 + __builtin_ctzll(left | 1ull << 63));
        count += here;
    }
    for (std::size_t i = 0; i < count; ++i) ranks[list[i]] = rank_of_suited<Size>(hands + list[i] * Size);
}

// Looks up the keys of `Count` hands. Scalar loads: gathers are slower.
template <int Size, int Count>
inline void look_up(const std::uint64_t* keys, HandRank* ranks) {
    const auto* offsets = tables::Holdem[Size - 5].offsets;
    const auto* values = tables::Holdem[Size - 5].values;
    for (int i = 0; i < Count; ++i) {
        const auto key = static_cast<std::uint32_t>(keys[i]);
        ranks[i] = values[static_cast<std::uint16_t>(key + offsets[key >> tables::RowBits])];
    }
}

// A byte of each rank's key, as a shuffle wants it: index the rank, 0 for what is not a rank.
consteval std::array<std::uint8_t, 16> key_bytes(int byte) {
    std::array<std::uint8_t, 16> bytes{};
    for (int rank = 0; rank < 13; ++rank) bytes[rank] = static_cast<std::uint8_t>(tables::RankKey[rank] >> 8 * byte);
    return bytes;
}

}  // namespace
}  // namespace parlour
