// Boards by rank alone: the 6,175 multisets of five ranks, numbered, and how many boards each stands for.
#pragma once

#include <array>
#include <cstdint>

#include "cards/evaluator.hpp"

namespace parlour {

inline constexpr int RankPairs = 91;      // multisets of two ranks
inline constexpr int RankTriples = 455;   // of three
inline constexpr int RankBoards = 6175;   // of five, no rank more than four times
inline constexpr int SuitedSets = 2288;   // sets of three, four or five ranks of one suit

// Multisets are numbered with a >= b >= c.
constexpr int rank_pair(int a, int b) { return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }
constexpr int rank_triple(int a, int b, int c) { return a * (a + 1) * (a + 2) / 6 + b * (b + 1) / 2 + c; }

// Numbers of available cards of each rank.
using RankCounts = std::array<int, 13>;

struct BoardTables {
    // The board that a triple of ranks and a pair of ranks make.
    std::array<std::array<std::uint16_t, RankPairs>, RankTriples> board;
    // Sum of the rank keys of each board.
    std::array<std::uint32_t, RankBoards> key;
    // The number of a 13-bit set of 3, 4 or 5 ranks, from 1 on; 0 for all other sets. Smaller sets come first.
    std::array<std::uint16_t, 8192> suited_set;
    std::array<std::uint16_t, SuitedSets> suited_ranks;  // the reverse, less one
    // Multisets of up to five ranks as a tree: a parent and a group of equal ranks, rank * 5 + how many.
    struct Node {
        std::uint16_t parent;
        std::uint8_t group;
    };
    std::array<Node, 8555> nodes;  // nodes[0] is the empty multiset; boards are the last RankBoards nodes
};

// Built at first use, in about a millisecond.
const BoardTables& board_tables();

// How many boards there are of each multiset of ranks.
using BoardWeights = std::array<std::uint32_t, RankBoards>;
void count_boards(const RankCounts& available, BoardWeights& weights);

}  // namespace parlour
