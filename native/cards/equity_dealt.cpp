// Many deals are made side by side, so that the compiler can draw their cards and find their winners with vectors. A
// deal is a list of numbers, each uniform below the number of cards left; nothing is thrown away but the few random
// bits that would make it uneven. Each hand is one look-up of its rank without a flush and one of its flush, no branch.
#include "cards/equity_dealt.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cards/equity_random.hpp"
#include "cards/equity_work.hpp"
#include "cards/evaluator.hpp"

namespace parlour {

namespace {

constexpr int Deals = 64;  // made side by side
constexpr int MaxDraws = 5 + 2 * MaxPlayers;

template <typename T>
using Row = std::array<T, Deals>;

// Draws cards without replacement from a deck of `size` cards, for all deals at once.
class Draws {
public:
    Draws(int size, int count, Random& seeder) : random_(seeder), size_(size), count_(count) {}

    // A new set of deals.
    void next() {
        for (int k = 0; k < count_; ++k)
            while (!draw(k)) continue;
        // The number drawn counts the cards that are left. Put the card taken last back, then the one before it, and so
        // on: each moves the number up by one if it lay at or below it.
        for (int k = count_ - 1; k > 0; --k) {
            Row<std::int8_t> place = places_[k];
            for (int before = k - 1; before >= 0; --before)
                for (int d = 0; d < Deals; ++d) place[d] += place[d] >= places_[before][d];
            places_[k] = place;
        }
    }

    // The place in the deck of the k-th card of each deal.
    const Row<std::int8_t>& operator[](int k) const { return places_[k]; }

private:
    // The k-th number of each deal, if all are fair: sixteen random bits times the bound, the remainder not in the part
    // of the range that would favour some numbers.
    bool draw(int k) {
        const auto bound = static_cast<std::uint16_t>(size_ - k), biased = static_cast<std::uint16_t>(0x10000 % bound);
        Row<std::uint16_t> bits;
        random_.fill(bits);
        std::uint16_t least = 0xFFFF;
        for (int d = 0; d < Deals; ++d) {
            const std::uint32_t product = std::uint32_t{bits[d]} * std::uint32_t{bound};
            places_[k][d] = static_cast<std::int8_t>(product >> 16);
            least = std::min(least, static_cast<std::uint16_t>(bits[d] * bound));
        }
        return least >= biased;
    }

    RandomLanes random_;
    int size_, count_;
    alignas(64) std::array<Row<std::int8_t>, MaxDraws> places_;
};

// What a card adds to a hand: to its key, and to its ranks by suit, 16 bits a suit.
struct Part {
    HandKey key = 0;
    std::uint64_t suited = 0;

    Part operator+(const Part& other) const { return {key + other.key, suited | other.suited}; }
};

constexpr auto PartOf = [] {
    std::array<Part, DeckSize> parts{};
    for (Card card = 0; card < DeckSize; ++card)
        parts[card] = {CardKey[card], std::uint64_t{1} << (16 * suit_of(card) + rank_of(card))};
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
        for (CardMask live = FullDeck & ~used; live; live &= live - 1) deck_[size_++] = PartOf[std::countr_zero(live)];
    }

    void sample(Random& random, std::uint64_t trials, WinnerCounts& counts) const {
        Draws draws(size_, draws_, random);
        alignas(64) Row<std::uint16_t> winners;
        while (trials) {
            draws.next();
            find_winners(draws, winners);
            const auto wanted = static_cast<int>(std::min<std::uint64_t>(trials, Deals));
            for (int d = 0; d < wanted; ++d) ++counts[winners[d]];
            trials -= wanted;
        }
    }

private:
    // The first cards drawn are the board's, the others the players'.
    void find_winners(const Draws& draws, Row<std::uint16_t>& winners) const {
        alignas(64) std::array<Row<std::uint16_t>, Players> ranks;
        for (int d = 0; d < Deals; ++d) {
            Part board = board_;
            for (int k = 0; k < to_come_; ++k) board = board + deck_[draws[k][d]];
            // The suit of which the board has three; or spades, of which it then has fewer, and nobody has five.
            constexpr HandKey Three = HandKey{0x5555} << 32, Spades = HandKey{0x8000} << 32;
            const int shift = 4 * (std::countr_zero(((board.key + Three) & FlushBits) | Spades) - 35);
            for (int p = 0; p < Players; ++p) {
                const int k = place_[p];
                const Part hand = board + (k >= 0 ? deck_[draws[k][d]] + deck_[draws[k + 1][d]] : hands_[p]);
                ranks[p][d] = std::max(rank_without_flush<7>(hand.key), rank_of_flush(hand.suited >> shift & 0x1FFF));
            }
        }
        for (int d = 0; d < Deals; ++d) {
            std::uint16_t best = 0, won = 0;
            for (int p = 0; p < Players; ++p) best = std::max(best, ranks[p][d]);
            for (int p = 0; p < Players; ++p) won |= ranks[p][d] == best ? 1 << p : 0;
            winners[d] = won;
        }
    }

    int to_come_, draws_;
    int size_ = 0;
    std::array<Part, DeckSize> deck_{};  // the cards that nobody knows, size_ of them
    Part board_;
    std::array<int, Players> place_{};  // of a player's two cards among those drawn; negative for a known hand
    std::array<Part, Players> hands_{};
};

template <int Players>
Tally sample_players(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort) {
    const Deal<Players> deal(spot);
    return sum_of_trials(
        trials, seed, Players, effort,
        [&deal](Random& random, std::uint64_t count, WinnerCounts& counts) { deal.sample(random, count, counts); });
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
