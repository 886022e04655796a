// The cards of a trial are a partial shuffle of the deck; nothing is thrown away but one random word in a million, so that
// the shuffle is exactly uniform. Each hand is one look-up of its rank without a flush and one of its flush, no branch.
#include "equity_dealt.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "equity_lanes.hpp"
#include "equity_random.hpp"
#include "equity_work.hpp"
#include "evaluator.hpp"

namespace parlour {

namespace {

// Draws the first cards of shuffled decks. Several draws share a random word: what is left of the word after one draw,
// scaled up, is uniform for the next. Each draw waits for the one before it, so several decks are shuffled side by side.
class PartialShuffles {
public:
    static constexpr int Decks = 4;

    PartialShuffles(CardMask cards, int draws) {
        for (; cards; cards &= cards - 1) decks_[0][size_++] = static_cast<Card>(std::countr_zero(cards));
        decks_.fill(decks_[0]);
        for (int drawn = 0; drawn < draws;) {
            std::uint64_t bound = 1;
            while (drawn < draws && bound < (std::uint64_t{1} << 38)) bound *= size_ - drawn++;
            words_[word_count_++] = {drawn, -bound % bound};
        }
    }

    void shuffle(Random& random) {
        int first = 0;
        for (int w = 0; w < word_count_; ++w) {
            while (!draw(random, first, words_[w])) continue;
            first = words_[w].end;
        }
    }

    const Card* cards(int deck) const { return decks_[deck].data(); }

private:
    struct Word {
        int end;               // the draws up to here are made from this word
        std::uint64_t biased;  // a remainder below this would favour some draws: the word is thrown away
    };

    bool draw(Random& random, int first, const Word& word) {
        std::array<std::uint64_t, Decks> left;
        for (auto& bits : left) bits = random();
        for (int k = first; k < word.end; ++k)
            for (int d = 0; d < Decks; ++d) {
                const Product product = multiply(left[d], size_ - k);
                left[d] = product.low;
                std::swap(decks_[d][k], decks_[d][k + product.high]);
            }
        return std::all_of(left.begin(), left.end(), [&word](std::uint64_t bits) { return bits >= word.biased; });
    }

    std::array<std::array<Card, DeckSize>, Decks> decks_{};
    std::array<Word, 8> words_;
    int word_count_ = 0;
    std::uint64_t size_ = 0;
};

// What a card adds to a hand: to its key, and to its ranks by suit, 16 bits a suit.
struct Part {
    HandKey key = 0;
    std::uint64_t suited = 0;

    Part operator+(const Part& other) const { return {key + other.key, suited | other.suited}; }
};

constexpr auto PartOf = [] {
    std::array<Part, DeckSize> parts{};
    for (Card card = 0; card < DeckSize; ++card) parts[card] = {CardKey[card], std::uint64_t{1} << (16 * suit_of(card) + rank_of(card))};
    return parts;
}();

Part part_of(CardMask cards) {
    Part part;
    for (; cards; cards &= cards - 1) part = part + PartOf[std::countr_zero(cards)];
    return part;
}

template <int Players>
class Deal {
public:
    explicit Deal(const Spot& spot) : to_come_(spot.to_come()), board_(part_of(spot.board)) {
        CardMask used = spot.board | spot.dead;
        draws_ = to_come_;
        for (int p = 0; p < Players; ++p) {
            const Hands& player = spot.players[p];
            place_[p] = -1;
            if (player.known()) {
                used |= player.hands[0].cards;
                hands_[p] = part_of(player.hands[0].cards);
            } else {
                place_[p] = draws_;
                draws_ += 2;
            }
        }
        live_ = FullDeck & ~used;
    }

    void sample(Random& random, std::uint64_t trials, WinnerCounts& counts) const {
        PartialShuffles shuffles(live_, draws_);
        while (trials) {
            shuffles.shuffle(random);
            for (int deck = 0; deck < PartialShuffles::Decks && trials; ++deck, --trials) ++counts[winners(shuffles.cards(deck))];
        }
    }

private:
    // The winners if the first of these cards are the board's and the others the players'.
    unsigned winners(const Card* cards) const {
        Part board = board_;
        for (int i = 0; i < to_come_; ++i) board = board + PartOf[cards[i]];
        // The suit of which the board has three; or spades, of which it then has fewer, and nobody has five.
        constexpr HandKey Three = HandKey{0x5555} << 32, Spades = HandKey{0x8000} << 32;
        const int shift = 4 * (std::countr_zero(((board.key + Three) & FlushBits) | Spades) - 35);
        PackedRanks<Players> ranks;
        for (int p = 0; p < Players; ++p) {
            const Card* own = cards + place_[p];
            const Part hand = board + (place_[p] >= 0 ? PartOf[own[0]] + PartOf[own[1]] : hands_[p]);
            ranks.set(p, std::max(rank_without_flush<7>(hand.key), rank_of_flush(hand.suited >> shift & 0x1FFF)));
        }
        return ranks.winners();
    }

    int to_come_, draws_;
    CardMask live_;
    Part board_;
    std::array<int, Players> place_{};  // of a player's two cards among those drawn; negative for a known hand
    std::array<Part, Players> hands_{};
};

template <int Players>
Tally sample_players(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort) {
    const Deal<Players> deal(spot);
    return sum_of_trials(trials, seed, Players, effort, [&deal](Random& random, std::uint64_t count, WinnerCounts& counts) {
        deal.sample(random, count, counts);
    });
}

}  // namespace

Tally sample_dealt(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort) {
    switch (spot.players.size()) {
        case 2: return sample_players<2>(spot, trials, seed, effort);
        case 3: return sample_players<3>(spot, trials, seed, effort);
        case 4: return sample_players<4>(spot, trials, seed, effort);
        case 5: return sample_players<5>(spot, trials, seed, effort);
        case 6: return sample_players<6>(spot, trials, seed, effort);
        case 7: return sample_players<7>(spot, trials, seed, effort);
        case 8: return sample_players<8>(spot, trials, seed, effort);
        case 9: return sample_players<9>(spot, trials, seed, effort);
        default: return sample_players<10>(spot, trials, seed, effort);
    }
}

}  // namespace parlour
