#include "cards/omaha.hpp"

#include <algorithm>

namespace parlour {

namespace {

// A few numbers on the stack: the sums of all ways to choose two or three cards.
struct Sums {
    std::array<std::uint32_t, 20> items;
    int count = 0;
    void add(std::uint32_t item) { items[count++] = item; }
    const std::uint32_t* begin() const { return items.data(); }
    const std::uint32_t* end() const { return items.data() + count; }
};

struct Keys {
    std::array<std::uint32_t, 6> items{};
    int count = 0;
    explicit Keys(CardMask cards) {
        for (; cards; cards &= cards - 1) items[count++] = tables::RankKey[std::countr_zero(cards) >> 2];
    }
};

Sums pairs_of(const Keys& keys) {
    Sums sums;
    for (int a = 0; a < keys.count; ++a)
        for (int b = a + 1; b < keys.count; ++b) sums.add(keys.items[a] + keys.items[b]);
    return sums;
}

Sums triples_of(const Keys& keys) {
    Sums sums;
    for (int a = 0; a < keys.count; ++a)
        for (int b = a + 1; b < keys.count; ++b)
            for (int c = b + 1; c < keys.count; ++c) sums.add(keys.items[a] + keys.items[b] + keys.items[c]);
    return sums;
}

std::uint16_t best_of(const tables::RankTable& table, CardMask hole, CardMask board) {
    const Sums pairs = pairs_of(Keys(hole)), triples = triples_of(Keys(board));
    std::uint16_t best = 0;
    for (const auto pair : pairs)
        for (const auto triple : triples) best = std::max(best, table[(pair + triple) & tables::KeyMask]);
    return best;
}

// The best flush of two ranks of `hole` with three of `board`, all of one suit; 0 if there is none.
HandRank best_flush(unsigned hole, unsigned board) {
    HandRank best = 0;
    for (unsigned a = hole; a; a &= a - 1)
        for (unsigned b = a & (a - 1); b; b &= b - 1) {
            const unsigned two = (a & -a) | (b & -b);
            // Of the board at most two cards stay out.
            for (unsigned x = board | 1u << 31; x; x &= x - 1)
                for (unsigned y = x; y; y &= y - 1) {
                    const unsigned three = board & ~(x & -x) & ~(y & -y);
                    if (std::popcount(three) == 3) best = std::max(best, rank_of_flush(two | three));
                }
        }
    return best;
}

}  // namespace

HandRank evaluate_omaha(CardMask hole, CardMask board) {
    HandRank best = best_of(tables::Holdem[0], hole, board);
    for (int suit = 0; suit < 4; ++suit) {
        const unsigned of_board = ranks_in_suit(board, suit), of_hole = ranks_in_suit(hole, suit);
        if (std::popcount(of_board) >= 3 && std::popcount(of_hole) >= 2)
            best = std::max(best, best_flush(of_hole, of_board));
    }
    return best;
}

LowRank evaluate_omaha_low(CardMask hole, CardMask board) { return best_of(tables::Low[0], hole, board); }

}  // namespace parlour
