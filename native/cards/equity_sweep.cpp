// Range against range on a board, in a time that grows with the number of holdings and not with its square.
//
// For each run-out holdings are visited from the worst to the best. The weight of the opponents met so far, less those
// that hold one of my two cards, is the weight that I beat; the same after my own class of equal hands includes the
// ties. Without a flush the rank of a holding depends on its two ranks alone, so 91 groups of holdings are put in order
// once for the ranks of a run-out; flushes are taken out of their groups and put in order by themselves.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "cards/equity_boards.hpp"
#include "cards/equity_heads_up.hpp"
#include "cards/equity_work.hpp"
#include "cards/evaluator.hpp"

namespace parlour {

namespace {

// A range, sorted into groups by the ranks of its holdings.
class Grouped {
public:
    struct Member {
        Card high, low;
        std::uint8_t group;
        double own_twin;  // the opponent's weight of the same holding
    };

    Grouped(const Hands& hands, const Hands& opponent) {
        std::array<std::array<double, DeckSize>, DeckSize> twin{};
        for (const auto& hand : opponent.hands)
            twin[std::bit_width(hand.cards) - 1][std::countr_zero(hand.cards)] = hand.weight;
        std::array<std::vector<std::pair<Member, double>>, RankPairs> groups;
        for (const auto& hand : hands.hands) {
            const Card high = static_cast<Card>(std::bit_width(hand.cards) - 1),
                       low = static_cast<Card>(std::countr_zero(hand.cards));
            const int group = rank_pair(rank_of(high), rank_of(low));
            groups[group].push_back({{high, low, static_cast<std::uint8_t>(group), twin[high][low]}, hand.weight});
        }
        for (int group = 0; group < RankPairs; ++group) {
            start_[group] = static_cast<int>(members_.size());
            for (const auto& [member, weight] : groups[group]) {
                const auto place = static_cast<std::uint16_t>(members_.size());
                with_card_[member.high].push_back(place);
                with_card_[member.low].push_back(place);
                members_.push_back(member);
                weights_.push_back(weight);
            }
        }
        start_[RankPairs] = static_cast<int>(members_.size());
    }

    int begin(int group) const { return start_[group]; }
    int end(int group) const { return start_[group + 1]; }
    int size() const { return static_cast<int>(members_.size()); }
    const Member& member(int place) const { return members_[place]; }
    const std::vector<double>& weights() const { return weights_; }
    const std::vector<std::uint16_t>& with_card(Card card) const { return with_card_[card]; }

private:
    std::vector<Member> members_;
    std::vector<double> weights_;
    std::array<int, RankPairs + 1> start_;
    std::array<std::vector<std::uint16_t>, DeckSize> with_card_;
};

// The groups in order of rank for a board of known ranks.
struct GroupOrder {
    std::array<std::uint8_t, RankPairs> order;
    std::array<HandRank, RankPairs> rank;  // by place in the order

    explicit GroupOrder(std::uint32_t board_key) {
        std::array<std::uint32_t, RankPairs> keyed;
        for (int a = 0; a < 13; ++a)
            for (int b = 0; b <= a; ++b) {
                const int group = rank_pair(a, b);
                // A board can leave no card of a rank; such a group has no holding and its rank means nothing.
                const HandRank value = rank_without_flush<7>(board_key + tables::RankKey[a] + tables::RankKey[b]);
                keyed[group] = static_cast<std::uint32_t>(value) << 8 | group;
            }
        std::sort(keyed.begin(), keyed.end());
        for (int i = 0; i < RankPairs; ++i) {
            order[i] = static_cast<std::uint8_t>(keyed[i]);
            rank[i] = static_cast<HandRank>(keyed[i] >> 8);
        }
    }
};

constexpr HandRank FirstFullHouse = CategoryStart[static_cast<int>(Category::FullHouse)];

// The sweep over one run-out after another.
class Sweep {
public:
    Sweep(const Spot& spot, const Grouped& mine, const Grouped& theirs)
        : spot_(spot), mine_(mine), theirs_(theirs), my_weights_(mine.weights()), their_weights_(theirs.weights()) {}

    double wins() const { return beaten_; }
    double ties() const { return not_worse_ - beaten_; }

    void run(CardMask runout, const GroupOrder& groups) {
        const CardMask board = spot_.board | runout;
        for (CardMask left = runout; left; left &= left - 1) {
            hide(mine_.with_card(static_cast<Card>(std::countr_zero(left))), my_weights_);
            hide(theirs_.with_card(static_cast<Card>(std::countr_zero(left))), their_weights_);
        }
        collect_flushes(board);
        met_ = {};
        total_ = 0;
        std::size_t flush = 0;
        int place = 0;
        const auto sweep_groups = [&](HandRank below) {
            while (place < RankPairs && groups.rank[place] < below) {
                int next = place + 1;
                while (next < RankPairs && groups.rank[next] == groups.rank[place]) ++next;
                for (int i = place; i < next; ++i) beaten_ += met_by(groups.order[i], false);
                for (int i = place; i < next; ++i) meet(groups.order[i]);
                for (int i = place; i < next; ++i) not_worse_ += met_by(groups.order[i], true);
                place = next;
            }
        };
        const auto sweep_flushes = [&](HandRank below) {
            while (flush < flushes_.size() && rank_at(flush) < below) {
                std::size_t next = flush + 1;
                while (next < flushes_.size() && rank_at(next) == rank_at(flush)) ++next;
                for (std::size_t i = flush; i < next; ++i) beaten_ += flush_met(flushes_[i], false);
                for (std::size_t i = flush; i < next; ++i) meet_flush(flushes_[i]);
                for (std::size_t i = flush; i < next; ++i) not_worse_ += flush_met(flushes_[i], true);
                flush = next;
            }
        };
        sweep_groups(FirstFullHouse);
        sweep_flushes(FirstFullHouse);
        sweep_groups(BestHand + 1);
        sweep_flushes(BestHand + 1);
        restore(runout);
    }

private:
    // A flush: its rank, whose it is, and its place among the members.
    static constexpr std::uint32_t Theirs = 1 << 15;
    static constexpr int place_of(std::uint32_t flush) { return flush & (Theirs - 1); }
    HandRank rank_at(std::size_t i) const { return static_cast<HandRank>(flushes_[i] >> 16); }

    static void hide(const std::vector<std::uint16_t>& places, std::vector<double>& weights) {
        for (const auto place : places) weights[place] = 0;
    }

    void collect_flushes(CardMask board) {
        flushes_.clear();
        for (int suit = 0; suit < 4; ++suit) {
            const unsigned ranks = ranks_in_suit(board, suit);
            if (std::popcount(ranks) < 3) continue;
            collect_flushes(mine_, my_weights_, 0, suit, ranks);
            collect_flushes(theirs_, their_weights_, Theirs, suit, ranks);
            std::sort(flushes_.begin(), flushes_.end());
        }
    }

    void collect_flushes(const Grouped& range, std::vector<double>& weights, std::uint32_t whose, int suit,
                         unsigned ranks) {
        const auto collect = [&](int place) {
            const auto& member = range.member(place);
            unsigned all = ranks;
            if (suit_of(member.high) == suit) all |= 1U << rank_of(member.high);
            if (suit_of(member.low) == suit) all |= 1U << rank_of(member.low);
            const HandRank rank = rank_of_flush(all);
            if (rank == 0 || weights[place] == 0) return;
            flushes_.push_back(static_cast<std::uint32_t>(rank) << 16 | whose | static_cast<std::uint32_t>(place));
            weights[place] = 0;
        };
        if (std::popcount(ranks) == 5) {
            for (int place = 0; place < range.size(); ++place) collect(place);
            return;
        }
        for (int rank = 0; rank < 13; ++rank)
            for (const auto place : range.with_card(make_card(rank, suit))) collect(place);
    }

    void meet(Card high, Card low, double weight) {
        total_ += weight;
        met_[high] += weight;
        met_[low] += weight;
    }

    void meet(int group) {
        for (int place = theirs_.begin(group); place < theirs_.end(group); ++place)
            meet(theirs_.member(place).high, theirs_.member(place).low, their_weights_[place]);
    }

    void meet_flush(std::uint32_t flush) {
        const int place = place_of(flush);
        if (flush & Theirs) meet(theirs_.member(place).high, theirs_.member(place).low, theirs_.weights()[place]);
    }

    // The weight met that can be held against a member. Its twin, met or not, is taken off twice and given back once.
    double met_against(const Grouped::Member& member, bool twin_met) const {
        return total_ - met_[member.high] - met_[member.low] + (twin_met ? member.own_twin : 0);
    }

    double met_by(int group, bool twin_met) const {
        double sum = 0;
        for (int place = mine_.begin(group); place < mine_.end(group); ++place)
            sum += my_weights_[place] * met_against(mine_.member(place), twin_met);
        return sum;
    }

    double flush_met(std::uint32_t flush, bool twin_met) const {
        if (flush & Theirs) return 0;
        const int place = place_of(flush);
        return mine_.weights()[place] * met_against(mine_.member(place), twin_met);
    }

    void restore(CardMask runout) {
        for (const auto flush : flushes_) {
            const int place = place_of(flush);
            if (flush & Theirs)
                their_weights_[place] = theirs_.weights()[place];
            else
                my_weights_[place] = mine_.weights()[place];
        }
        for (CardMask left = runout; left; left &= left - 1) {
            const Card card = static_cast<Card>(std::countr_zero(left));
            for (const auto place : mine_.with_card(card)) my_weights_[place] = mine_.weights()[place];
            for (const auto place : theirs_.with_card(card)) their_weights_[place] = theirs_.weights()[place];
        }
    }

    const Spot& spot_;
    const Grouped &mine_, &theirs_;
    std::vector<double> my_weights_, their_weights_;  // 0 for holdings that the run-out excludes and for flushes
    std::vector<std::uint32_t> flushes_;
    std::array<double, DeckSize> met_{};
    double total_ = 0, beaten_ = 0, not_worse_ = 0;
};

// The weight of all pairs of holdings that share no card.
double weight_of_pairs(const Grouped& mine, const Grouped& theirs) {
    std::array<double, DeckSize> with_card{};
    double total = 0, sum = 0;
    for (int i = 0; i < theirs.size(); ++i) {
        total += theirs.weights()[i];
        with_card[theirs.member(i).high] += theirs.weights()[i];
        with_card[theirs.member(i).low] += theirs.weights()[i];
    }
    for (int i = 0; i < mine.size(); ++i) {
        const auto& member = mine.member(i);
        sum += mine.weights()[i] * (total - with_card[member.high] - with_card[member.low] + member.own_twin);
    }
    return sum;
}

}  // namespace

Tally sweep_ranges(const Spot& spot, const Effort& effort) {
    const Grouped mine(spot.players[0], spot.players[1]), theirs(spot.players[1], spot.players[0]);
    const CardMask live = FullDeck & ~(spot.board | spot.dead);
    const std::uint32_t board_key = static_cast<std::uint32_t>(key_of(spot.board));
    const int to_come = spot.to_come();

    // Orders of the groups: by the pair of ranks to come, by the one rank, or the only one.
    std::vector<GroupOrder> orders;
    for (int a = 0; a < (to_come == 0 ? 1 : 13); ++a)
        for (int b = 0; b <= (to_come == 2 ? a : 0); ++b)
            orders.emplace_back(board_key + (to_come > 0 ? tables::RankKey[a] : 0) +
                                (to_come == 2 ? tables::RankKey[b] : 0));

    std::vector<Card> firsts;
    for (CardMask left = live; left; left &= left - 1) firsts.push_back(static_cast<Card>(std::countr_zero(left)));
    const std::size_t chunks = to_come == 2 ? firsts.size() : 1;
    Tally tally = sum_of_chunks(chunks, effort, [&](std::size_t chunk) {
        Sweep sweep(spot, mine, theirs);
        if (to_come == 0) sweep.run(0, orders[0]);
        if (to_come == 1)
            for (const Card card : firsts) sweep.run(mask_of(card), orders[rank_of(card)]);
        if (to_come == 2)
            for (std::size_t second = 0; second < chunk; ++second)
                sweep.run(mask_of(firsts[chunk]) | mask_of(firsts[second]),
                          orders[rank_pair(rank_of(firsts[chunk]), rank_of(firsts[second]))]);
        Tally part;
        part.add(1, sweep.wins());
        part.add(3, sweep.ties());
        return part;
    });
    // Each pair of holdings leaves the same number of run-outs.
    const int left = std::popcount(live) - 4;
    const double runouts = to_come == 2 ? left * (left - 1) / 2 : to_come == 1 ? left : 1;
    tally.add(2, weight_of_pairs(mine, theirs) * runouts - tally.total);
    return tally;
}

}  // namespace parlour
