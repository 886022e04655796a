// Exact equity: chooses the method and, where no shortcut exists, deals every board.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>

#include "cards/equity.hpp"
#include "cards/equity_heads_up.hpp"
#include "cards/equity_known.hpp"
#include "cards/variant.hpp"
#include "cards/equity_work.hpp"
#include "cards/preflop.hpp"

namespace parlour {

namespace {

// The ways to choose `count` of `from` cards.
double choose(int from, int count) {
    double ways = 1;
    for (int i = 0; i < count; ++i) ways = ways * (from - i) / (i + 1);
    return ways;
}

bool all_listed(const Spot& spot) {
    return std::none_of(spot.players.begin(), spot.players.end(),
                        [](const Hands& player) { return player.hands.empty(); });
}

// Combinations of holdings, clashing ones included.
double combinations(const Spot& spot) {
    double product = 1;
    for (const Hands& player : spot.players) product *= static_cast<double>(player.hands.size());
    return product;
}

// The cards that can still come; those in the hands of known players cannot.
CardMask live_cards(const Spot& spot) {
    CardMask used = spot.board | spot.dead;
    for (const Hands& player : spot.players)
        if (player.known()) used |= player.hands[0].cards;
    return deck_of(spot.variant) & ~used;
}

// Visits every set of `count` cards of `live`, together with the cards chosen before.
template <typename Visit>
void each_runout(CardMask live, int count, CardMask chosen, Visit& visit) {
    if (count == 0) return visit(chosen);
    for (CardMask left = live; left; left &= left - 1) {
        const CardMask card = left & -left;
        each_runout(live & (card - 1), count - 1, chosen | card, visit);
    }
}

// A hand that a player can have on the board of the moment.
struct Ranked {
    CardMask cards;
    HandRank rank;
    double weight;
};

// Sums the weights of all combinations of ranked hands, by winners.
class Join {
public:
    Join(const std::vector<std::vector<Ranked>>& players, std::vector<double>& sums) : players_(players), sums_(sums) {}

    void run(std::size_t player = 0, CardMask used = 0, HandRank best = 0, unsigned winners = 0, double weight = 1) {
        const bool last = player + 1 == players_.size();
        for (const Ranked& hand : players_[player]) {
            if (hand.cards & used) continue;
            const unsigned self = 1U << player;
            const unsigned now = hand.rank > best ? self : hand.rank == best ? winners | self : winners;
            if (last)
                sums_[now] += weight * hand.weight;
            else
                run(player + 1, used | hand.cards, std::max(best, hand.rank), now, weight * hand.weight);
        }
    }

private:
    const std::vector<std::vector<Ranked>>& players_;
    std::vector<double>& sums_;
};

Tally deal_every_board(const Spot& spot, const Effort& effort) {
    const CardMask live = live_cards(spot);
    const int split = std::min(spot.to_come(), 2);  // the cards that a chunk fixes
    std::vector<CardMask> starts;
    auto collect = [&starts](CardMask cards) { starts.push_back(cards); };
    each_runout(live, split, 0, collect);
    return sum_of_chunks(starts.size(), effort, [&](std::size_t chunk) {
        std::vector<std::vector<Ranked>> ranked(spot.players.size());
        std::vector<double> sums(std::size_t{1} << spot.players.size());
        Tally tally;
        std::vector<CardMask> hands;  // in hi-lo they are all known
        for (const Hands& player : spot.players) hands.push_back(player.hands[0].cards);
        auto judge = [&](CardMask runout) {
            const CardMask board = spot.board | runout;
            if (is_hi_lo(spot.variant)) {
                const auto [high, low] = winners_of_halves(hands, board);
                tally.add_halves(high, low, 1);
                return;
            }
            for (std::size_t p = 0; p < ranked.size(); ++p) {
                ranked[p].clear();
                for (const auto& hand : spot.players[p].hands)
                    if (!(hand.cards & runout))
                        ranked[p].push_back({hand.cards, showdown_rank(spot.variant, hand.cards, board), hand.weight});
            }
            Join(ranked, sums).run();
        };
        const CardMask start = starts[chunk];
        each_runout(start ? live & ((start & -start) - 1) : live, spot.to_come() - split, start, judge);
        for (unsigned winners = 1; winners < sums.size(); ++winners)
            if (sums[winners] > 0) tally.add(winners, sums[winners]);
        return tally;
    });
}

// --- Before the flop: combinations of known hands, equal up to suits counted once
// ----------------------------------------

using Permutation = std::array<int, 4>;

CardMask permute(CardMask cards, const Permutation& suits) {
    CardMask out = 0;
    for (; cards; cards &= cards - 1) {
        const Card card = static_cast<Card>(std::countr_zero(cards));
        out |= mask_of(make_card(rank_of(card), suits[suit_of(card)]));
    }
    return out;
}

// The ways to rename suits that leave the dead cards as they are.
std::vector<Permutation> symmetries(CardMask dead) {
    std::vector<Permutation> found;
    Permutation suits = {0, 1, 2, 3};
    do {
        if (permute(dead, suits) == dead) found.push_back(suits);
    } while (std::next_permutation(suits.begin(), suits.end()));
    return found;
}

Tally count_every_matchup(const Spot& spot, const Effort& effort) {
    const auto renamings = symmetries(spot.dead);
    std::map<std::vector<CardMask>, double> matchups;
    std::vector<CardMask> hands(spot.players.size());
    const auto collect = [&](const auto& self, std::size_t player, CardMask used, double weight) -> void {
        if (player == hands.size()) {
            std::vector<CardMask> least = hands, renamed(hands.size());
            for (const auto& suits : renamings) {
                std::transform(hands.begin(), hands.end(), renamed.begin(),
                               [&](CardMask hand) { return permute(hand, suits); });
                if (renamed < least) least = renamed;
            }
            matchups[least] += weight;
            return;
        }
        for (const auto& hand : spot.players[player].hands) {
            if (hand.cards & used) continue;
            hands[player] = hand.cards;
            self(self, player + 1, used | hand.cards, weight * hand.weight);
        }
    };
    collect(collect, 0, 0, 1);
    const std::vector<std::pair<std::vector<CardMask>, double>> listed(matchups.begin(), matchups.end());
    return sum_of_chunks(listed.size(), effort, [&](std::size_t chunk) {
        const auto& [known, weight] = listed[chunk];
        return tally_of(count_winners(known, spot.dead), weight);
    });
}

// --- Heads-up on a flop: each hand of the smaller range against the larger one
// --------------------------------------------

Tally count_each_hand(const Spot& spot, const Effort& effort) {
    const bool exchanged = spot.players[0].hands.size() > spot.players[1].hands.size();
    const Hands &few = spot.players[exchanged], &many = spot.players[!exchanged];
    const unsigned first = exchanged ? 2 : 1, second = 3 - first;
    return sum_of_chunks(few.hands.size(), effort, [&](std::size_t chunk) {
        const auto [hand, weight] = few.hands[chunk];
        const Outcome outcome = count_against_range(hand, many, spot.board, spot.dead);
        Tally tally;
        tally.add(first, weight * outcome.wins);
        tally.add(second, weight * outcome.losses);
        tally.add(first | second, weight * outcome.ties);
        return tally;
    });
}

enum class Method { PreflopTable, CountMatchups, CountHands, SweepRanges, DealBoards };

Method method_for(const Spot& spot) {
    if (spot.variant != Variant::Holdem) return Method::DealBoards;
    const bool heads_up = spot.players.size() == 2;
    if (spot.to_come() == 5) return heads_up && !spot.dead ? Method::PreflopTable : Method::CountMatchups;
    const auto [few, many] = std::minmax({spot.players[0].hands.size(), spot.players[1].hands.size()});
    if (!heads_up || many < 12) return Method::DealBoards;
    if (spot.to_come() == 2 && few < 60) return Method::CountHands;
    return few * many > 2000 ? Method::SweepRanges : Method::DealBoards;
}

}  // namespace

double exact_cost(const Spot& spot) {
    if (!all_listed(spot)) return std::numeric_limits<double>::infinity();
    switch (method_for(spot)) {
        case Method::PreflopTable: return combinations(spot) * 5;
        case Method::CountMatchups:
            return combinations(spot) * (3e3 + 2e5 / static_cast<double>(symmetries(spot.dead).size()));
        case Method::CountHands:
            return 1e5 * static_cast<double>(std::min(spot.players[0].hands.size(), spot.players[1].hands.size()));
        case Method::SweepRanges: return 2e7;
        default: break;
    }
    double hands = 0;
    for (const Hands& player : spot.players) hands += static_cast<double>(player.hands.size());
    const double rank_cost = spot.variant == Variant::Holdem ? 10 : 60;
    return choose(std::popcount(live_cards(spot)), spot.to_come()) * (hands * rank_cost + combinations(spot) * 3);
}

EquityResult exact_equity(const Spot& spot, const Effort& effort) {
    EquityResult result;
    switch (method_for(spot)) {
        case Method::PreflopTable: result.tally = preflop_range_equity(spot.players[0], spot.players[1]); break;
        case Method::CountMatchups: result.tally = count_every_matchup(spot, effort); break;
        case Method::CountHands: result.tally = count_each_hand(spot, effort); break;
        case Method::SweepRanges: result.tally = sweep_ranges(spot, effort); break;
        case Method::DealBoards: result.tally = deal_every_board(spot, effort); break;
    }
    result.boards = choose(std::popcount(deck_of(spot.variant) & ~spot.board & ~spot.dead) -
                               static_cast<int>(spot.players.size()) * hole_cards_of(spot.variant),
                           spot.to_come());
    return result;
}

}  // namespace parlour
