// A hand against a range on a flop, without a look at each opponent on each run-out.
//
// Opponents are counted by the ranks of their two cards: the weight of a group, less those who hold the turn or the
// river. What depends on the ranks of turn and river alone is computed once for all their suits. Where three of a suit
// lie on the board, opponents with a flush are taken out of their groups and judged by themselves.
#include <array>
#include <bit>

#include "cards/equity_boards.hpp"
#include "cards/equity_heads_up.hpp"
#include "cards/evaluator.hpp"

namespace parlour {

namespace {

constexpr HandRank FirstFullHouse = CategoryStart[static_cast<int>(Category::FullHouse)];

// Weight beaten and tied with.
struct Score {
    double beaten = 0, tied = 0;

    void add(HandRank mine, HandRank theirs, double weight) {
        beaten += mine > theirs ? weight : 0;
        tied += mine == theirs ? weight : 0;
    }
    Score& operator+=(const Score& other) {
        beaten += other.beaten;
        tied += other.tied;
        return *this;
    }
    Score& operator-=(const Score& other) {
        beaten -= other.beaten;
        tied -= other.tied;
        return *this;
    }
};

class AgainstRange {
public:
    AgainstRange(CardMask hand, const Hands& range, CardMask flop, CardMask dead)
        : hand_(hand), flop_(flop), live_(FullDeck & ~(hand | flop | dead)) {
        for (const auto& theirs : range.hands) {
            if (theirs.cards & hand) continue;
            const Card high = static_cast<Card>(std::bit_width(theirs.cards) - 1),
                       low = static_cast<Card>(std::countr_zero(theirs.cards));
            const int a = rank_of(high), b = rank_of(low);
            weight_[high][low] = weight_[low][high] = theirs.weight;
            group_[rank_pair(a, b)] += theirs.weight;
            with_[high][b] += theirs.weight;
            with_[low][a] += theirs.weight;
            with_any_[high] += theirs.weight;
            with_any_[low] += theirs.weight;
            total_ += theirs.weight;
        }
        for (CardMask left = live_; left; left &= left - 1) {
            const Card card = static_cast<Card>(std::countr_zero(left));
            cards_[rank_of(card)][count_[rank_of(card)]++] = card;
        }
    }

    // Fills in the score over all run-outs and returns the weight of all opponents over them.
    double run(Score& score) {
        for (int a = 0; a < 13; ++a)
            for (int b = 0; b <= a; ++b)
                if (a == b ? count_[a] >= 2 : count_[a] && count_[b]) score += run_ranks(a, b);
        return all_;
    }

private:
    using PlainRanks = std::array<HandRank, RankPairs>;

    // All run-outs of two ranks.
    Score run_ranks(int a, int b) {
        const std::uint32_t board = static_cast<std::uint32_t>(key_of(flop_)) + tables::RankKey[a] + tables::RankKey[b];
        const HandRank mine = rank_without_flush<7>(board + static_cast<std::uint32_t>(key_of(hand_)));
        Score whole;
        PlainRanks plain;
        int big = 0;  // groups with a full house or better
        for (int x = 0; x < 13; ++x)
            for (int y = 0; y <= x; ++y) {
                const int group = rank_pair(x, y);
                plain[group] = rank_without_flush<7>(board + tables::RankKey[x] + tables::RankKey[y]);
                whole.add(mine, plain[group], group_[group]);
                if (plain[group] >= FirstFullHouse && group_[group] > 0) big_[big++] = group;
            }
        std::array<Score, 4> with_turn,
            with_river;  // opponents who hold the card, by its place among those of its rank
        for (int i = 0; i < count_[a]; ++i) with_turn[i] = score_of_holders(cards_[a][i], mine, plain);
        for (int i = 0; i < count_[b]; ++i)
            with_river[i] = a == b ? with_turn[i] : score_of_holders(cards_[b][i], mine, plain);

        Score sum;
        for (int i = 0; i < count_[a]; ++i)
            for (int j = 0; j < (a == b ? i : count_[b]); ++j) {
                const Card turn = cards_[a][i], river = cards_[b][j];
                const double both = weight_[turn][river];
                const double opponents = total_ - with_any_[turn] - with_any_[river] + both;
                all_ += opponents;
                Score score = whole;
                score -= with_turn[i];
                score -= with_river[j];
                score.add(mine, plain[rank_pair(a, b)], both);

                const CardMask board_cards = flop_ | mask_of(turn) | mask_of(river);
                const HandKey suits = (key_of_suits(board_cards) + 0x5555) & 0x8888;
                if (suits) [[unlikely]] {
                    const int suit = std::countr_zero(suits) >> 2;
                    const HandRank flush = rank_of_flush(ranks_in_suit(board_cards | hand_, suit));
                    if (flush) score = score_of_flush(flush, turn, river, plain, big, opponents);
                    score += correct_flushes(suit, flush ? flush : mine, board_cards, turn, river, plain);
                }
                sum += score;
            }
        return sum;
    }

    static unsigned key_of_suits(CardMask cards) { return static_cast<unsigned>(key_of(cards) >> 32 & 0xFFFF); }

    Score score_of_holders(Card card, HandRank mine, const PlainRanks& plain) const {
        Score score;
        for (int r = 0; r < 13; ++r) score.add(mine, plain[rank_pair(rank_of(card), r)], with_[card][r]);
        return score;
    }

    // I have a flush: all opponents lose but those with more than a flush. Their flushes are left to correct_flushes.
    Score score_of_flush(HandRank flush, Card turn, Card river, const PlainRanks& plain, int big,
                         double opponents) const {
        Score score{opponents, 0};
        for (int i = 0; i < big; ++i) {
            const int group = big_[i];
            if (plain[group] < flush) continue;
            score.beaten -= group_[group] - in_group(turn, group) - in_group(river, group);
            if (group == rank_pair(rank_of(turn), rank_of(river))) score.beaten -= weight_[turn][river];
        }
        return score;
    }

    // The weight of those in a group who hold a card.
    double in_group(Card card, int group) const {
        for (int r = 0; r < 13; ++r)
            if (rank_pair(rank_of(card), r) == group) return with_[card][r];
        return 0;
    }

    // What changes when the opponents' flushes count as such.
    Score correct_flushes(int suit, HandRank mine, CardMask board, Card turn, Card river,
                          const PlainRanks& plain) const {
        const unsigned on_board = ranks_in_suit(board, suit);
        Score change;
        const auto correct = [&](HandRank flush, HandRank before, double weight) {
            change.add(mine, flush, weight);
            change.add(mine, before, -weight);
        };
        const int length = std::popcount(on_board);
        if (length == 5) {
            for (CardMask left = live_ & ~board; left; left &= left - 1) {
                const Card x = static_cast<Card>(std::countr_zero(left));
                for (CardMask rest = left & (left - 1); rest; rest &= rest - 1) {
                    const Card y = static_cast<Card>(std::countr_zero(rest));
                    const CardMask theirs = mask_of(x) | mask_of(y);
                    correct(rank_of_flush(on_board | ranks_in_suit(theirs, suit)),
                            plain[rank_pair(rank_of(x), rank_of(y))], weight_[x][y]);
                }
            }
            return change;
        }
        const unsigned suited = ranks_in_suit(live_ & ~board, suit);
        for (unsigned left = suited; left; left &= left - 1) {
            const int x = std::countr_zero(left);
            const Card first = make_card(x, suit);
            for (unsigned rest = left & (left - 1); rest; rest &= rest - 1) {
                const int y = std::countr_zero(rest);
                correct(rank_of_flush(on_board | 1U << x | 1U << y), plain[rank_pair(x, y)],
                        weight_[first][make_card(y, suit)]);
            }
            if (length < 4) continue;
            // With four on the board one card makes the flush; the other one, of another suit, by its rank.
            const HandRank flush = rank_of_flush(on_board | 1U << x);
            for (int r = 0; r < 13; ++r) {
                double weight = with_[first][r] - weight_[first][make_card(r, suit)];
                if (rank_of(turn) == r && suit_of(turn) != suit) weight -= weight_[first][turn];
                if (rank_of(river) == r && suit_of(river) != suit) weight -= weight_[first][river];
                correct(flush, plain[rank_pair(x, r)], weight);
            }
        }
        return change;
    }

    CardMask hand_, flop_, live_;
    double total_ = 0, all_ = 0;
    std::array<double, RankPairs> group_{};
    std::array<std::array<double, 13>, DeckSize> with_{};  // holders of a card, by the rank of their other card
    std::array<double, DeckSize> with_any_{};
    std::array<std::array<double, DeckSize>, DeckSize> weight_{};
    std::array<std::array<Card, 4>, 13> cards_{};  // live cards of each rank
    std::array<int, 13> count_{};
    std::array<int, RankPairs> big_;
};

}  // namespace

Outcome count_against_range(CardMask hand, const Hands& range, CardMask flop, CardMask dead) {
    AgainstRange against(hand, range, flop, dead);
    Score score;
    const double all = against.run(score);
    return {score.beaten, score.tied, all - score.beaten - score.tied};
}

}  // namespace parlour
