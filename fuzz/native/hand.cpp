// Whole hands with arbitrary rules and actions: chips are conserved, refused actions change nothing, bytes come back
// equal.
#include "holdem/hand.hpp"

#include <bit>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "bytes.hpp"
#include "cards/variant.hpp"

using namespace parlour;

namespace {

Rules rules_from(Bytes& in) {
    Rules rules;
    const auto seats = in.below(12);  // also too few and too many
    for (std::uint64_t seat = 0; seat < seats; ++seat)
        rules.stacks.push_back(static_cast<Chips>(in.below(in.below(4) ? 300 : 2'000'000'000'000'000)) - 1);
    rules.small_blind = static_cast<Chips>(in.below(6));
    rules.big_blind = static_cast<Chips>(in.below(12));
    rules.ante = static_cast<Chips>(in.below(4));
    rules.big_blind_ante = static_cast<Chips>(in.below(4));
    rules.straddle = in.below(3) ? 0 : static_cast<Chips>(in.below(24));
    rules.button = static_cast<int>(in.below(12)) - 1;
    rules.cap = static_cast<int>(in.below(6));
    rules.half_bet = in.below(4) != 0;
    rules.ante_first = in.below(2) != 0;
    rules.variant = static_cast<Variant>(in.below(7));
    rules.limit = static_cast<Limit>(in.below(3));
    if (in.below(4) == 0) {
        rules.posts.emplace();
        for (auto posts = in.below(4); posts; --posts)
            rules.posts->push_back({static_cast<int>(in.below(12)) - 1, static_cast<Chips>(in.below(20)) - 1,
                                    static_cast<Chips>(in.below(20)) - 1});
        rules.big_blind_seat = static_cast<int>(in.below(12)) - 1;
    }
    if (in.below(2) == 0) {
        rules.straddle_seat = static_cast<int>(in.below(12)) - 1;
        rules.button_blind = in.below(2) != 0;
        rules.bomb = in.below(3) ? 0 : static_cast<Chips>(in.below(20)) - 1;
        rules.boards = static_cast<int>(in.below(4));
        rules.runs = static_cast<int>(in.below(5));
        rules.seven_deuce = static_cast<Chips>(in.below(20)) - 1;
    }
    return rules;
}

Chips total(const Hand& hand) {
    const Chips stacks = std::accumulate(hand.stacks.begin(), hand.stacks.begin() + hand.seats, Chips{0});
    return stacks + (hand.done() ? 0 : hand.pot());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes in(data, size);
    try {  // bytes as they come: a hand or a clear refusal, never a state that breaks
        const std::string_view bytes(reinterpret_cast<const char*>(data), size);
        const Hand read = Hand::from_bytes(bytes);
        require(Hand::from_bytes(read.to_bytes()) == read);
    } catch (const std::invalid_argument&) {
    }
    Hand hand;
    try {
        const Rules rules = rules_from(in);
        hand = Hand::posted(rules);
        std::vector<Card> deck;
        for (CardMask left = deck_of(hand.variant); left; left &= left - 1)
            deck.push_back(static_cast<Card>(std::countr_zero(left)));
        for (std::size_t i = 0; i + 1 < deck.size(); ++i) std::swap(deck[i], deck[i + in.below(deck.size() - i)]);
        hand.deal(deck);
    } catch (const std::invalid_argument&) {
        return 0;
    }
    const Chips chips = total(hand);
    while (!hand.done()) {
        const Hand before = hand;
        const Legal legal = hand.legal();
        if (hand.awaits_runs()) {
            require(hand.act(Action::Fold) == Fault::BettingOver);
            const int times = static_cast<int>(in.below(5));
            if (const bool ran = hand.run(times); !ran) require(hand == before && hand.run(1));
        } else if (in.empty()) {
            require(hand.act(legal.check ? Action::Check : Action::Call) == Fault::None);
        } else if (in.below(16) == 0) {
            const bool left = hand.leave(static_cast<int>(in.below(hand.seats)));
            require(left || hand == before);
        } else {
            const auto action = static_cast<Action>(in.below(4));
            const Chips amount = in.below(2) ? legal.min_raise_to : static_cast<Chips>(in.below(400)) - 1;
            const Fault expected = before.fault(action, amount);
            require(hand.act(action, amount) == expected);
            require(expected == Fault::None || hand == before);
        }
        require(total(hand) == chips);
        require(Hand::from_bytes(hand.to_bytes()) == hand);
    }
    hand.pots();
    hand.showdown();
    hand.rabbit();
    hand.claim_bounty();
    require(Hand::from_bytes(hand.to_bytes()) == hand);
    return 0;
}
