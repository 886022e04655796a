#include "holdem/sizes.hpp"

#include <algorithm>
#include <initializer_list>

namespace parlour {

namespace {

// Rounded to the nearest chip; a pot of 10**15 chips and every percentage here fit into 64 bits.
Chips share(Chips whole, int percent) { return (whole * percent + 50) / 100; }

}  // namespace

std::vector<Size> raise_sizes(const Hand& hand) {
    std::vector<Size> sizes;
    const Legal legal = hand.legal();
    const Chips least = legal.min_raise_to, most = legal.max_raise_to;
    if (most == 0) return sizes;
    const Chips all = hand.bets[hand.actor] + hand.stacks[hand.actor];
    const auto offer = [&](std::string_view name, int percent, Chips to) {
        if (least <= to && to <= most && to != all) sizes.push_back({name, percent, to});
    };
    if (hand.limit == Limit::Fixed) {
        offer("limit", 100, most);
    } else {
        const Chips owed = hand.price - hand.bets[hand.actor];
        // Where the pot is the limit, it counts blinds that are short as full.
        const Chips pot = hand.pot() + owed + (hand.limit == Limit::Pot ? hand.blinds_missing : 0);
        const auto parts_of_the_pot = [&](std::initializer_list<int> percents) {
            for (const int percent : percents) offer("pot", percent, hand.price + share(pot, percent));
        };
        if (hand.price == 0) {
            parts_of_the_pot({33, 50, 75, 100});
        } else {
            const bool opening = hand.street == 0 && hand.aggressor < 0;
            const int callers = opening ? std::popcount(static_cast<SeatMask>(hand.acted & ~hand.folded)) : 0;
            for (int percent : opening ? std::array{250, 300, 400} : std::array{200, 250, 300}) {
                percent += 100 * callers;
                offer(opening ? "big_blind" : "bet", percent, share(hand.price, percent));
            }
            parts_of_the_pot({100});
        }
    }
    if (most == all) sizes.push_back({"all_in", 100, all});
    std::ranges::stable_sort(sizes, {}, &Size::to);
    const auto doubled = std::ranges::unique(sizes, {}, &Size::to);
    sizes.erase(doubled.begin(), doubled.end());
    return sizes;
}

Chips all_in_to(const Hand& hand) {
    if (hand.actor < 0) return 0;
    const Legal legal = hand.legal();
    const Chips stack = hand.stacks[hand.actor], all = hand.bets[hand.actor] + stack;
    return legal.max_raise_to == all || (legal.max_raise_to == 0 && legal.call == stack) ? all : 0;
}

Chips chips_to_call(const Hand& hand, int seat) {
    if (hand.actor < 0 || !(hand.able & seat_bit(seat))) return 0;
    return std::clamp(hand.price - hand.bets[seat], Chips{0}, hand.stacks[seat]);
}

}  // namespace parlour
