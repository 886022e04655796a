#include "holdem/soak.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "holdem/hand.hpp"
#include "holdem/shuffle.hpp"

namespace parlour {

namespace {

// By variant; the ones after these are not among the random rules.
constexpr std::array<int, 5> MostSeats = {10, 10, 9, 7, 10};

Rules random_rules(ChaCha20& random) {
    Rules rules;
    rules.variant = static_cast<Variant>(random.below(8) < 4 ? 0 : random.below(5));
    rules.limit = static_cast<Limit>(random.below(3));
    const int seats = 2 + static_cast<int>(random.below(MostSeats[static_cast<int>(rules.variant)] - 1));
    rules.button = static_cast<int>(random.below(seats));
    rules.big_blind = 1 + random.below(20);
    rules.small_blind = random.below(static_cast<std::uint32_t>(rules.big_blind) + 1);
    const std::uint32_t depth = static_cast<std::uint32_t>(rules.big_blind) * (random.below(2) ? 3 : 200);
    for (int seat = 0; seat < seats; ++seat) rules.stacks.push_back(1 + random.below(depth));
    if (random.below(4) == 0) rules.ante = random.below(10);
    if (random.below(4) == 0) rules.big_blind_ante = rules.big_blind;
    rules.ante_first = random.below(2);
    if (random.below(4) == 0) rules.straddle = 2 * rules.big_blind;
    if (random.below(8) == 0) {
        rules.straddle = 0;
        rules.posts.emplace();
        for (int seat = 0; seat < seats; ++seat)
            if (random.below(2)) rules.posts->push_back({seat, random.below(30), random.below(10)});
        rules.big_blind_seat = static_cast<int>(random.below(seats));
    }
    return rules;
}

constexpr std::array<int, 7> MostSeatsWithTwoBoards = {10, 10, 8, 7, 10, 10, 8};

// The same with what a host may choose besides.
Rules random_options(ChaCha20& random) {
    Rules rules = random_rules(random);
    if (random.below(3) == 0) rules.variant = random.below(3) ? Variant::OmahaHiLo : Variant::Omaha5HiLo;
    const auto most = static_cast<std::size_t>(MostSeatsWithTwoBoards[static_cast<std::size_t>(rules.variant)]);
    const auto seats = std::min(rules.stacks.size(), most);
    rules.stacks.resize(seats);
    rules.button = static_cast<int>(random.below(static_cast<std::uint32_t>(seats)));
    rules.posts.reset();
    rules.big_blind_seat = -1;
    rules.button_blind = random.below(4) == 0;
    if (rules.straddle > 0 && random.below(2)) {
        const int left_of_button = rules.button_blind ? 1 : random.below(2) ? 3 : 0;  // past the blinds, or the button
        rules.straddle_seat = (rules.button + left_of_button) % static_cast<int>(seats);
    }
    if (random.below(4) == 0) {
        rules.bomb = 1 + random.below(static_cast<std::uint32_t>(3 * rules.big_blind));
        rules.ante = rules.big_blind_ante = rules.straddle = 0;
        rules.button_blind = false;
        rules.straddle_seat = -1;
    }
    if (random.below(3) == 0)
        rules.boards = 2;
    else
        rules.runs = 1 + static_cast<int>(random.below(MaxBoards));
    if (rules.variant == Variant::Holdem) rules.seven_deuce = random.below(10);
    return rules;
}

void require(bool condition, const char* fault) {
    if (!condition) throw std::logic_error(fault);
}

void check(const Hand& hand, Chips total) {
    Chips sum = hand.done() ? 0 : hand.pot();
    for (int seat = 0; seat < hand.seats; ++seat) {
        require(hand.stacks[seat] >= 0 && hand.bets[seat] >= 0 && hand.stakes[seat] >= 0, "a negative number of chips");
        sum += hand.stacks[seat];
    }
    require(sum == total, "chips were lost or made");
    const auto settled = hand.settled_stacks();
    for (int seat = 0; seat < hand.seats; ++seat) require(settled[seat] >= 0, "a bounty that nobody can pay");
    require(std::accumulate(settled.begin(), settled.end(), Chips{0}) ==
                std::accumulate(hand.stacks.begin(), hand.stacks.end(), Chips{0}),
            "a bounty made or lost chips");
    if (hand.awaits_runs()) require(std::popcount(hand.able) < 2 && hand.most_runs() > 1, "a choice of one run");
    if (hand.actor < 0) return;
    const Legal legal = hand.legal();
    require(hand.stacks[hand.actor] > 0 && !(hand.folded & seat_bit(hand.actor)), "a turn of somebody who cannot act");
    require(legal.check == (legal.call == 0), "neither a check nor a call, or both");
    require(legal.min_raise_to <= legal.max_raise_to && legal.call <= hand.stacks[hand.actor], "legal() lies");
    require(legal.max_raise_to == 0 || legal.min_raise_to > hand.price, "a raise that raises nothing");
}

void act_at_random(Hand& hand, ChaCha20& random) {
    if (hand.awaits_runs()) {
        const int times = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(hand.most_runs())));
        require(hand.run(times), "a run that is allowed was refused");
        return;
    }
    const Legal legal = hand.legal();
    const std::uint32_t roll = random.below(16);
    Fault fault;
    if (roll < 6 && legal.max_raise_to > 0) {
        const Chips room = legal.max_raise_to - legal.min_raise_to + 1;
        const Chips extra = roll == 0 ? room - 1 : random.below(static_cast<std::uint32_t>(roll < 3 ? 1 : room));
        fault = hand.act(Action::Raise, legal.min_raise_to + extra);
    } else if (roll == 15) {
        fault = hand.act(Action::Fold);
    } else {
        fault = hand.act(legal.check ? Action::Check : Action::Call);
    }
    require(fault == Fault::None, "a legal action was refused");
}

// What the pots and their parts say is what was paid.
void check_pots(const Hand& hand) {
    std::array<Chips, MaxSeats> paid{};
    for (const PotResult& pot : hand.pots()) {
        Chips amount = 0;
        for (const PotPart& part : pot.parts) {
            require(part.winners && !(part.winners & ~pot.contestants), "a part that a stranger wins");
            require(std::ranges::all_of(part.shares, [](Chips share) { return share >= 0; }), "a negative share");
            require(std::accumulate(part.shares.begin(), part.shares.end(), Chips{0}) == part.amount, "an unpaid part");
            amount += part.amount;
        }
        require(amount == pot.amount, "the parts are not the pot");
        for (int seat = 0; seat < hand.seats; ++seat) paid[seat] += pot.shares[seat];
    }
    require(paid == hand.payouts, "the pots are not the payouts");
}

}  // namespace

void play_random_hands(std::uint64_t hands, bool options, ChaCha20& random, SoakReport& report) {
    for (; hands > 0; --hands, ++report.hands) {
        const Rules rules = options ? random_options(random) : random_rules(random);
        const Chips total = std::accumulate(rules.stacks.begin(), rules.stacks.end(), Chips{0});
        Hand hand = Hand::posted(rules);
        hand.deal_unchecked(shuffled_deck(hand.variant, hand.cards_needed(), random));
        check(hand, total);
        for (int steps = 0; !hand.done(); ++steps) {
            require(steps < 100'000, "a hand without end");
            if (random.below(64) == 0)
                hand.leave(static_cast<int>(random.below(hand.seats)));
            else
                act_at_random(hand, random);
            check(hand, total);
            ++report.actions;
        }
        report.showdowns += !std::has_single_bit(hand.unfolded());
        require(std::accumulate(hand.payouts.begin(), hand.payouts.end(), Chips{0}) == hand.pot(), "unpaid chips");
        check_pots(hand);
        hand.claim_bounty();
        check(hand, total);
        require(report.hands % 64 || Hand::from_bytes(hand.to_bytes()) == hand, "bytes do not give the hand back");
        for (int seat = 0; seat < hand.seats; ++seat)
            report.signature = (report.signature ^ static_cast<std::uint64_t>(hand.stacks[seat])) * 0x9E3779B97F4A7C15u;
    }
}

}  // namespace parlour
