#include "cards/enumeration.hpp"

#include <memory>

namespace parlour {

namespace {

constexpr int binomial(int n, int k) {
    int result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return result;
}

// Six ranks in ascending order have a place among all such sequences: the sum of one number for each position.
constexpr auto PlaceOf = [] {
    std::array<std::array<int, 13>, 7> place{};
    for (int position = 1; position <= 6; ++position)
        for (int rank = 0; rank < 13; ++rank) place[position][rank] = binomial(rank + position - 1, position);
    return place;
}();
constexpr int Sequences = binomial(18, 6);

// By six ranks and a seventh: the rank of the hand if suits are left out of account.
struct SevenCardTable {
    std::array<std::array<HandRank, 13>, Sequences> rows;

    SevenCardTable() { fill(1, 0, 0, 0); }

private:
    void fill(int position, int lowest, int place, std::uint32_t key) {
        for (int rank = lowest; rank < 13; ++rank) {
            const std::uint32_t next = key + tables::RankKey[rank];
            if (position == 7)
                rows[place][rank] = rank_without_flush<7>(next);
            else
                fill(position + 1, rank, place + PlaceOf[position][rank], next);
        }
    }
};

class Enumeration {
public:
    RankCounts run() {
        extend<1>(0, 0, EmptyHand, 0);
        return counts_;
    }

private:
    // Puts every card from `first` up at `Position` of the hand.
    template <int Position>
    void extend(int first, int place, HandKey key, CardMask cards) {
        for (int card = first; card < DeckSize; ++card) {
            const int next_place = place + PlaceOf[Position][card >> 2];
            const HandKey next_key = key + CardKey[card];
            if constexpr (Position == 5)
                finish(card + 1, next_place, next_key, cards | mask_of(card));
            else
                extend<Position + 1>(card + 1, next_place, next_key, cards | mask_of(card));
        }
    }

    // Counts the hands that five cards and two from `first` up make, for all sixth cards of a rank together.
    void finish(int first, int place, HandKey key, CardMask cards) {
        const unsigned suited = suits_near_flush(key);
        unsigned suits = 15u << (first & 3) & 15;
        for (int rank = first >> 2; rank < 13; ++rank, suits = 15) {
            const auto& row = table_->rows[place + PlaceOf[6][rank]];
            const auto [sixth, pairs] = Ways[suits & ~suited];
            counts_[row[rank]] += pairs;
            for (int higher = rank + 1; higher < 13; ++higher) counts_[row[higher]] += 4 * sixth;
            for (unsigned left = suits & suited; left; left &= left - 1)
                finish_suited(make_card(rank, std::countr_zero(left)), row, key, cards);
        }
    }

    // The suits of which a sixth card leaves a flush possible: all, if four of one suit are there already.
    static unsigned suits_near_flush(HandKey key) {
        if ((key + (HandKey{0x1111} << 32)) & FlushBits) return 15;
        const HandKey three = (key + (HandKey{0x2222} << 32)) & FlushBits;
        return three ? 1u << flush_suit(three) : 0;
    }

    // Counts the hands that `sixth` and any card above it make, each by itself.
    void finish_suited(Card sixth, const std::array<HandRank, 13>& row, HandKey key, CardMask cards) {
        for (int card = sixth + 1; card < DeckSize; ++card) {
            const HandKey whole = key + CardKey[sixth] + CardKey[card];
            ++counts_[has_flush(whole)
                          ? rank_of_flush(ranks_in_suit(cards | mask_of(sixth) | mask_of(card), flush_suit(whole)))
                          : row[card >> 2]];
        }
    }

    // For a set of suits of the sixth card: how many they are, and how many higher cards of the same rank they leave.
    struct WaysOfSuits {
        std::uint32_t sixth, pairs;
    };
    static constexpr auto Ways = [] {
        std::array<WaysOfSuits, 16> ways{};
        for (int suits = 0; suits < 16; ++suits)
            for (int suit = 0; suit < 4; ++suit)
                if (suits >> suit & 1) {
                    ++ways[suits].sixth;
                    ways[suits].pairs += 3 - suit;
                }
        return ways;
    }();

    std::unique_ptr<const SevenCardTable> table_ = std::make_unique<SevenCardTable>();
    RankCounts counts_{};
};

}  // namespace

RankCounts count_all_seven_card_hands() { return Enumeration().run(); }

}  // namespace parlour
