// The outcome of a board without a flush depends on its ranks alone, so each of the 6,175 multisets of ranks is judged
// once and counted with the number of its boards. Boards with three or more cards of a suit in which somebody can have
// a flush are taken out of those numbers and judged by themselves: the suited ranks, and the ranks of the rest.
#include "cards/equity_known.hpp"

#include <array>
#include <bit>
#include <memory>

#include "cards/equity_boards.hpp"
#include "cards/equity_lanes.hpp"
#include "cards/equity_random.hpp"
#include "cards/equity_work.hpp"
#include "cards/evaluator.hpp"

namespace parlour {

namespace {

template <int Lanes>
class Showdown {
public:
    Showdown(const std::vector<CardMask>& hands, CardMask dead) : tables_(board_tables()) {
        CardMask used = dead;
        int players = 0;
        std::array<std::uint32_t, Lanes> keys{};
        for (const CardMask hand : hands) {
            keys[players] = static_cast<std::uint32_t>(key_of(hand));
            for (int suit = 0; suit < 4; ++suit) {
                suited_[suit][players] = ranks_in_suit(hand, suit);
                longest_[suit] = std::max(longest_[suit], std::popcount(suited_[suit][players]));
            }
            used |= hand;
            ++players;
        }
        players_ = players;
        live_ = FullDeck & ~used;
        for (int b = 0; b < RankBoards; ++b)
            for (int p = 0; p < Lanes; ++p)
                plain_[b].of[p] = p < players ? rank_without_flush<7>(tables_.key[b] + keys[p]) : HandRank{0};
    }

    CardMask live() const { return live_; }
    const Ranks<Lanes>& plain(int board) const { return plain_[board]; }

    // The ranks of those who have a flush in a suit of which the board has these ranks; 0 for the others.
    Ranks<Lanes> flushes(int suit, unsigned board_ranks) const {
        Ranks<Lanes> ranks{};
        for (int p = 0; p < players_; ++p) ranks.of[p] = rank_of_flush(board_ranks | suited_[suit][p]);
        return ranks;
    }

    // Calls add(ranks, ways) so that all boards are counted.
    template <typename Add>
    void each_outcome(Add add) const {
        RankCounts available;
        for (int rank = 0; rank < 13; ++rank) available[rank] = std::popcount(live_ >> (4 * rank) & 0xF);
        BoardWeights ways;
        count_boards(available, ways);
        for (int suit = 0; suit < 4; ++suit) each_flush(suit, available, ways, add);
        for (int b = 0; b < RankBoards; ++b) add(plain_[b], ways[b]);
    }

private:
    template <typename Add>
    void each_flush(int suit, const RankCounts& available, BoardWeights& ways, Add& add) const {
        const unsigned live = ranks_in_suit(live_, suit);
        std::array<std::uint32_t, 13> one;
        std::array<std::uint32_t, RankPairs> two;
        for (int a = 0; a < 13; ++a) {
            one[a] = available[a] - (live >> a & 1);
            for (int b = 0; b < a; ++b) two[rank_pair(a, b)] = one[a] * one[b];
            two[rank_pair(a, a)] = one[a] * (one[a] - 1) / 2;
        }
        // Sets are ordered by size: those of four begin at 286, those of five at 1,001.
        constexpr std::array<int, 3> FirstSet = {0, 286, 1001};
        for (int set = FirstSet[2 - longest_[suit]]; set < SuitedSets; ++set) {
            unsigned ranks = tables_.suited_ranks[set];
            if (ranks & ~live) continue;
            const Ranks<Lanes> flush = flushes(suit, ranks);
            const auto visit = [&](int board, std::uint32_t count) {
                ways[board] -= count;
                add(best_of(plain_[board], flush), count);
            };
            const auto next_rank = [&ranks] {
                const int rank = std::bit_width(ranks) - 1;
                ranks ^= 1U << rank;
                return rank;
            };
            const int a = next_rank(), b = next_rank(), c = next_rank();
            const auto& row = tables_.board[rank_triple(a, b, c)];
            if (set < FirstSet[1]) {
                for (int pair = 0; pair < RankPairs; ++pair) visit(row[pair], two[pair]);
            } else if (set < FirstSet[2]) {
                const int d = next_rank();
                for (int rest = 0; rest < 13; ++rest) visit(row[rank_pair(d, rest)], one[rest]);
            } else {
                const int d = next_rank();
                visit(row[rank_pair(d, next_rank())], 1);
            }
        }
    }

    const BoardTables& tables_;
    CardMask live_ = 0;
    int players_ = 0;
    std::array<int, 4> longest_{};
    std::array<std::array<unsigned, Lanes>, 4> suited_{};
    std::array<Ranks<Lanes>, RankBoards> plain_;
};

template <int Lanes>
WinnerCounts count_in_lanes(const std::vector<CardMask>& hands, CardMask dead) {
    const auto showdown = std::make_unique<Showdown<Lanes>>(hands, dead);
    WinnerCounts counts(std::size_t{1} << hands.size());
    showdown->each_outcome(
        [&counts](const Ranks<Lanes>& ranks, std::uint32_t ways) { counts[winners_of(ranks)] += ways; });
    return counts;
}

// Two or three cards at once, to make a board of two look-ups.
struct Draw {
    std::uint64_t cards;   // 16 bits a suit
    std::uint32_t ranks;   // number of the pair, or of the triple times the number of pairs
    std::uint32_t suits;   // 4 bits a suit, how many
};

Draw draw_of(CardMask cards, std::uint32_t ranks) {
    Draw draw{0, ranks, 0};
    for (int suit = 0; suit < 4; ++suit) {
        const unsigned suited = ranks_in_suit(cards, suit);
        draw.cards |= std::uint64_t{suited} << (16 * suit);
        draw.suits |= static_cast<std::uint32_t>(std::popcount(suited)) << (4 * suit);
    }
    return draw;
}

// Every board is ten pairs of two cards and three others, so boards are uniform if a pair and a triple are, and share
// no card.
template <int Lanes>
class BoardSampler {
public:
    BoardSampler(const std::vector<CardMask>& hands, CardMask dead) : showdown_(hands, dead) {
        std::vector<Card> deck;
        for (CardMask left = showdown_.live(); left; left &= left - 1)
            deck.push_back(static_cast<Card>(std::countr_zero(left)));
        for (std::size_t i = 0; i < deck.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const CardMask two = mask_of(deck[i]) | mask_of(deck[j]);
                pairs_.push_back(draw_of(two, rank_pair(rank_of(deck[i]), rank_of(deck[j]))));
                for (std::size_t k = 0; k < j; ++k)
                    triples_.push_back(
                        draw_of(two | mask_of(deck[k]),
                                RankPairs * rank_triple(rank_of(deck[i]), rank_of(deck[j]), rank_of(deck[k]))));
            }
        for (int suit = 0; suit < 4; ++suit)
            for (int set = 0; set < SuitedSets; ++set)
                flushes_[suit][set + 1] = showdown_.flushes(suit, tables_.suited_ranks[set]);
    }

    // Adds `trials` boards to counts, by winners.
    void sample(std::uint64_t trials, Random& random, std::uint64_t* counts) const {
        const std::uint64_t bound = pairs_.size() * triples_.size(), biased = -bound % bound;
        const std::uint16_t* const boards = tables_.board[0].data();
        while (trials) {
            const Product first = multiply(random(), triples_.size());
            const Product second = multiply(first.low, pairs_.size());
            const Draw& triple = triples_[first.high];
            const Draw& pair = pairs_[second.high];
            if ((triple.cards & pair.cards) || second.low < biased) continue;
            // The suit of which the board has three; or spades, of which it then has fewer, and flushes_ has nothing.
            const std::uint32_t flush = (triple.suits + pair.suits + 0x5555) & 0x8888;
            const int suit = std::countr_zero(flush | 0x8000) >> 2;
            const unsigned suited = (triple.cards | pair.cards) >> (16 * suit) & 0x1FFF;
            const auto& plain = showdown_.plain(boards[triple.ranks + pair.ranks]);
            ++counts[winners_of(best_of(plain, flushes_[suit][tables_.suited_set[suited]]))];
            --trials;
        }
    }

private:
    const BoardTables& tables_ = board_tables();
    Showdown<Lanes> showdown_;
    std::vector<Draw> pairs_, triples_;
    std::array<std::array<Ranks<Lanes>, SuitedSets + 1>, 4> flushes_{};
};

template <int Lanes>
Tally sample_in_lanes(const std::vector<CardMask>& hands, CardMask dead, std::uint64_t trials, std::uint64_t seed,
                      const Effort& effort) {
    const auto sampler = std::make_unique<BoardSampler<Lanes>>(hands, dead);
    return sum_of_trials(trials, seed, hands.size(), effort,
                         [&](Random& random, std::uint64_t count, WinnerCounts& counts) {
                             sampler->sample(count, random, counts.data());
                         });
}

}  // namespace

WinnerCounts count_winners(const std::vector<CardMask>& hands, CardMask dead) {
    return hands.size() <= 8 ? count_in_lanes<8>(hands, dead) : count_in_lanes<16>(hands, dead);
}

HeadsUpCounts count_heads_up(CardMask first, CardMask second, CardMask dead) {
    const Showdown<2> showdown({first, second}, dead);
    HeadsUpCounts counts{0, 0, 0};
    showdown.each_outcome([&counts](const Ranks<2>& ranks, std::uint32_t ways) {
        counts.wins += ranks.of[0] > ranks.of[1] ? ways : 0;
        counts.ties += ranks.of[0] == ranks.of[1] ? ways : 0;
        counts.boards += ways;
    });
    return counts;
}

Tally sample_known(const std::vector<CardMask>& hands, CardMask dead, std::uint64_t trials, std::uint64_t seed,
                   const Effort& effort) {
    return hands.size() <= 8 ? sample_in_lanes<8>(hands, dead, trials, seed, effort)
                             : sample_in_lanes<16>(hands, dead, trials, seed, effort);
}

}  // namespace parlour
