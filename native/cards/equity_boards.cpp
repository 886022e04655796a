#include "cards/equity_boards.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <vector>

namespace parlour {

namespace {

using Counts = std::array<std::uint8_t, 13>;

std::unique_ptr<BoardTables> build() {
    auto t = std::make_unique<BoardTables>();

    // Level by level, so that a parent precedes its children; ranks are added in ascending order.
    struct Entry {
        Counts counts;
        int size, next_rank;
    };
    std::vector<Entry> entries{{{}, 0, 0}};
    std::vector<BoardTables::Node> nodes{{0, 0}}, board_nodes;
    std::vector<Counts> boards;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry entry = entries[i];
        for (int rank = entry.next_rank; rank < 13; ++rank)
            for (int count = 1; count <= 4 && entry.size + count <= 5; ++count) {
                Entry child{entry.counts, entry.size + count, rank + 1};
                child.counts[rank] = static_cast<std::uint8_t>(count);
                const BoardTables::Node node{static_cast<std::uint16_t>(i),
                                             static_cast<std::uint8_t>(rank * 5 + count)};
                if (child.size == 5) {
                    boards.push_back(child.counts);
                    board_nodes.push_back(node);
                } else {
                    entries.push_back(child);
                    nodes.push_back(node);
                }
            }
    }
    std::copy(nodes.begin(), nodes.end(), t->nodes.begin());
    std::copy(board_nodes.begin(), board_nodes.end(), t->nodes.end() - RankBoards);

    std::map<Counts, std::uint16_t> number;
    for (int b = 0; b < RankBoards; ++b) {
        number[boards[b]] = static_cast<std::uint16_t>(b);
        t->key[b] = 0;
        for (int rank = 0; rank < 13; ++rank) t->key[b] += boards[b][rank] * tables::RankKey[rank];
    }
    for (int a = 0; a < 13; ++a)
        for (int b = 0; b <= a; ++b)
            for (int c = 0; c <= b; ++c)
                for (int d = 0; d < 13; ++d)
                    for (int e = 0; e <= d; ++e) {
                        Counts counts{};
                        for (const int rank : {a, b, c, d, e}) ++counts[rank];
                        const auto found = number.find(counts);  // five of one rank is no board
                        t->board[rank_triple(a, b, c)][rank_pair(d, e)] = found == number.end() ? 0 : found->second;
                    }

    t->suited_set.fill(0);
    int sets = 0;
    for (int size = 3; size <= 5; ++size)
        for (unsigned ranks = 0; ranks < 8192; ++ranks)
            if (std::popcount(ranks) == size) {
                t->suited_ranks[sets] = static_cast<std::uint16_t>(ranks);
                t->suited_set[ranks] = static_cast<std::uint16_t>(++sets);
            }
    return t;
}

}  // namespace

const BoardTables& board_tables() {
    static const std::unique_ptr<const BoardTables> tables = build();
    return *tables;
}

void count_boards(const RankCounts& available, BoardWeights& weights) {
    static constexpr std::uint8_t Choose[5][5] = {
        {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
    std::array<std::uint32_t, 65> ways;
    for (int rank = 0; rank < 13; ++rank)
        for (int count = 0; count < 5; ++count) ways[rank * 5 + count] = Choose[available[rank]][count];
    const auto& nodes = board_tables().nodes;
    constexpr int Inner = 8555 - RankBoards;
    std::array<std::uint32_t, Inner> inner;
    inner[0] = 1;
    for (int i = 1; i < Inner; ++i) inner[i] = inner[nodes[i].parent] * ways[nodes[i].group];
    for (int b = 0; b < RankBoards; ++b) {
        const auto node = nodes[Inner + b];
        weights[b] = inner[node.parent] * ways[node.group];
    }
}

}  // namespace parlour
