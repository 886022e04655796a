// Monte Carlo: deals are independent and follow the joint distribution exactly.
//
// Ranges are drawn from the product of their weights and the draw is thrown away whole if two of them share a card;
// that leaves each combination in proportion to its product of weights. Where nearly all would be thrown away, each
// hand is drawn with regard to those that come after it. Players who can have any hand, and the board,
// are then dealt from the cards that are left: every combination has equally many such deals, so this changes no
// proportion.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <stdexcept>

#include "cards/equity.hpp"
#include "cards/equity_dealt.hpp"
#include "cards/equity_known.hpp"
#include "cards/equity_lanes.hpp"
#include "cards/equity_random.hpp"
#include "cards/variant.hpp"
#include "cards/equity_work.hpp"

namespace parlour {

namespace {

// Draws an index in proportion to its weight: Walker's alias method.
class Alias {
public:
    explicit Alias(const std::vector<double>& weights) : slots_(weights.size()) {
        double sum = 0;
        for (const double weight : weights) sum += weight;
        std::vector<double> scaled;
        std::vector<std::uint32_t> small, large;
        for (std::uint32_t i = 0; i < weights.size(); ++i) {
            scaled.push_back(weights[i] / sum * static_cast<double>(weights.size()));
            (scaled[i] < 1 ? small : large).push_back(i);
        }
        while (!small.empty() && !large.empty()) {
            const auto less = small.back(), more = large.back();
            small.pop_back();
            slots_[less] = {static_cast<std::uint64_t>(scaled[less] * 0x1p63) << 1, more};
            scaled[more] -= 1 - scaled[less];
            if (scaled[more] < 1) {
                large.pop_back();
                small.push_back(more);
            }
        }
        for (const auto& rest : {small, large})
            for (const auto i : rest) slots_[i] = {~std::uint64_t{0}, i};
    }

    std::uint32_t operator()(Random& random) const {
        const Product draw = multiply(random(), slots_.size());
        const Slot& slot = slots_[draw.high];
        return draw.low < slot.keep ? static_cast<std::uint32_t>(draw.high) : slot.other;
    }

private:
    struct Slot {
        std::uint64_t keep;  // the chance to keep the slot's own index, of 2^64
        std::uint32_t other;
    };
    std::vector<Slot> slots_;
};

// Draws hands that share no card from ranges over so few cards that nearly every independent draw would clash: one
// player after another, each hand in proportion to its weight times the weight of all that the later players can hold
// beside it.
class FewCards {
public:
    explicit FewCards(const std::vector<const std::vector<Hands::Weighted>*>& ranges) {
        CardMask cards = 0;
        for (const auto* range : ranges)
            for (const auto& hand : *range) cards |= hand.cards;
        if (std::popcount(cards) > MaxCards) return;
        double all = 1;
        for (const auto* range : ranges) {
            double heaviest = 0, sum = 0;
            for (const auto& hand : *range) heaviest = std::max(heaviest, hand.weight);
            auto& choices = ranges_.emplace_back();
            for (const auto& hand : *range) {
                Places places = 0;
                for (CardMask left = hand.cards; left; left &= left - 1)
                    places |= static_cast<Places>(1U << std::popcount(cards & ((left & -left) - 1)));
                choices.push_back({hand.cards, places, hand.weight / heaviest});
                sum += choices.back().weight;
            }
            all *= sum;
        }
        beside_.assign(std::size_t{1} << std::popcount(cards), -1);
        const double chance = weigh(0, 0) / all;  // that an independent draw does not clash
        useful_ = chance > 0 && chance < LeastChance;
    }

    bool useful() const { return useful_; }

    // Sets one hand for each range, and returns all their cards.
    template <typename Set>
    CardMask operator()(Random& random, Set set) const {
        CardMask used = 0;
        Places taken = 0;
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            double left = static_cast<double>(random() >> 11) * 0x1p-53 * beside_[taken];
            const Choice* chosen = nullptr;
            for (const Choice& choice : ranges_[i]) {
                if (choice.places & taken) continue;
                const double weight = choice.weight * beside_[taken | choice.places];
                if (weight == 0) continue;
                chosen = &choice;  // the last one, where rounding leaves a rest
                if (left < weight) break;
                left -= weight;
            }
            set(i, chosen->cards);
            used |= chosen->cards;
            taken |= chosen->places;
        }
        return used;
    }

private:
    static constexpr int MaxCards = 13;
    static constexpr double LeastChance = 0.1;

    using Places = std::uint16_t;  // a bit for each card that is in any of the ranges
    struct Choice {
        CardMask cards;
        Places places;
        double weight;
    };

    // The weight of all that the players from `i` on can hold beside these cards.
    double weigh(std::size_t i, Places taken) {
        if (beside_[taken] >= 0) return beside_[taken];
        double sum = i == ranges_.size();
        if (i < ranges_.size())
            for (const Choice& choice : ranges_[i])
                if (!(choice.places & taken))
                    sum += choice.weight * weigh(i + 1, static_cast<Places>(taken | choice.places));
        return beside_[taken] = sum;
    }

    std::vector<std::vector<Choice>> ranges_;
    std::vector<double> beside_;  // by the cards taken, whose number says whose turn it is; -1 is not known yet
    bool useful_ = false;
};

// Draws hands for the players who hold ranges.
class RangeSampler {
public:
    explicit RangeSampler(const Spot& spot) {
        double product = 1;
        for (std::size_t p = 0; p < spot.players.size(); ++p) {
            const Hands& player = spot.players[p];
            if (player.any || player.known()) continue;
            seats_.push_back(p);
            ranges_.push_back(&player.hands);
            product *= static_cast<double>(player.hands.size());
        }
        // Few combinations are listed, so that ranges which clash nearly always cost nothing.
        if (product <= MaxListed) {
            std::vector<double> weights;
            std::vector<CardMask> hands(seats_.size());
            list(hands, weights, 0, 0, 1);
            aliases_.emplace_back(weights);
        } else if (few_cards_.emplace(ranges_); !few_cards_->useful()) {
            few_cards_.reset();
            for (const auto* range : ranges_) {
                std::vector<double> weights;
                for (const auto& hand : *range) weights.push_back(hand.weight);
                aliases_.emplace_back(weights);
            }
        }
    }

    bool empty() const { return seats_.empty(); }

    // Sets the hands of the players who hold ranges and returns all their cards.
    CardMask operator()(Random& random, CardMask* hands) const {
        if (!listed_.empty()) {
            const CardMask* row = &listed_[aliases_[0](random) * seats_.size()];
            CardMask used = 0;
            for (std::size_t i = 0; i < seats_.size(); ++i) used |= hands[seats_[i]] = row[i];
            return used;
        }
        if (few_cards_) return (*few_cards_)(random, [&](std::size_t i, CardMask hand) { hands[seats_[i]] = hand; });
        for (int attempt = 0; attempt < MaxAttempts; ++attempt) {
            CardMask used = 0;
            std::size_t i = 0;
            for (; i < seats_.size(); ++i) {
                const CardMask hand = (*ranges_[i])[aliases_[i](random)].cards;
                if (hand & used) break;
                used |= hands[seats_[i]] = hand;
            }
            if (i == seats_.size()) return used;
        }
        throw std::invalid_argument(
            "the ranges exclude each other nearly always: too few deals are possible to sample");
    }

private:
    static constexpr double MaxListed = 1 << 14;
    static constexpr int MaxAttempts = 10'000'000;

    void list(std::vector<CardMask>& hands, std::vector<double>& weights, std::size_t i, CardMask used, double weight) {
        if (i == seats_.size()) {
            listed_.insert(listed_.end(), hands.begin(), hands.end());
            weights.push_back(weight);
            return;
        }
        for (const auto& hand : *ranges_[i]) {
            if (hand.cards & used) continue;
            hands[i] = hand.cards;
            list(hands, weights, i + 1, used | hand.cards, weight * hand.weight);
        }
    }

    std::vector<std::size_t> seats_;
    std::vector<const std::vector<Hands::Weighted>*> ranges_;
    std::vector<Alias> aliases_;      // one for all listed combinations, or one a range
    std::vector<CardMask> listed_;    // combinations, a row each
    std::optional<FewCards> few_cards_;
};

// Deals cards without replacement from a deck that keeps its order from one deal to the next.
class Dealer {
public:
    explicit Dealer(CardMask cards) {
        for (; cards; cards &= cards - 1) deck_[size_++] = static_cast<Card>(std::countr_zero(cards));
    }

    void start() { dealt_ = 0; }

    // `count` cards that are not in `used`.
    CardMask deal(int count, CardMask used, Random& random) {
        CardMask cards = 0;
        while (count) {
            std::swap(deck_[dealt_], deck_[dealt_ + random.below(size_ - dealt_)]);
            const CardMask card = mask_of(deck_[dealt_++]);
            if (card & used) continue;
            cards |= card;
            --count;
        }
        return cards;
    }

private:
    std::array<Card, DeckSize> deck_;
    std::uint32_t size_ = 0, dealt_ = 0;
};

Tally sample_deals(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort) {
    const RangeSampler ranges(spot);
    const std::size_t players = spot.players.size();
    CardMask fixed = spot.board | spot.dead;
    std::array<CardMask, MaxPlayers> known{};
    for (std::size_t p = 0; p < spot.players.size(); ++p)
        if (spot.players[p].known()) fixed |= known[p] = spot.players[p].hands[0].cards;
    const auto sample = [&](Random& random, std::uint64_t count, WinnerCounts& counts) {
        Dealer dealer(deck_of(spot.variant) & ~fixed);
        auto hands = known;
        for (; count; --count) {
            const CardMask used = ranges.empty() ? 0 : ranges(random, hands.data());
            dealer.start();
            for (std::size_t p = 0; p < spot.players.size(); ++p)
                if (spot.players[p].any) hands[p] = dealer.deal(hole_cards_of(spot.variant), used, random);
            const CardMask board = spot.board | dealer.deal(spot.to_come(), used, random);
            if (is_hi_lo(spot.variant)) {
                const auto [high, low] = winners_of_halves(std::span(hands).first(players), board);
                ++counts[high | low << players];
                continue;
            }
            Ranks<16> ranks{};
            for (std::size_t p = 0; p < spot.players.size(); ++p)
                ranks.of[p] = showdown_rank(spot.variant, hands[p], board);
            ++counts[winners_of(ranks)];
        }
    };
    if (!is_hi_lo(spot.variant)) return sum_of_trials(trials, seed, players, effort, sample);
    const WinnerCounts counts = count_trials(trials, seed, 2 * players, effort, sample);
    Tally tally;
    for (std::size_t index = 0; index < counts.size(); ++index)
        if (counts[index])
            tally.add_halves(static_cast<unsigned>(index & ((std::size_t{1} << players) - 1)),
                             static_cast<unsigned>(index >> players), static_cast<double>(counts[index]));
    return tally;
}

}  // namespace

EquityResult sampled_equity(const Spot& spot, std::uint64_t trials, std::uint64_t seed, const Effort& effort) {
    std::vector<CardMask> known;
    bool ranges = false;
    for (const Hands& player : spot.players) {
        if (player.known()) known.push_back(player.hands[0].cards);
        ranges = ranges || !(player.any || player.known());
    }
    EquityResult result;
    result.exact = false;
    result.boards = static_cast<double>(trials);
    if (spot.variant != Variant::Holdem || ranges)
        result.tally = sample_deals(spot, trials, seed, effort);
    else if (spot.to_come() == 5 && known.size() == spot.players.size())
        result.tally = sample_known(known, spot.dead, trials, seed, effort);
    else
        result.tally = sample_dealt(spot, trials, seed, effort);
    return result;
}

}  // namespace parlour
