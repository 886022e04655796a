#include "holdem/hand.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace parlour {

namespace {

void require(bool condition, const char* fault) {
    if (!condition) throw std::invalid_argument(fault);
}

bool plausible(Chips chips) { return 0 <= chips && chips <= MaxChips; }

void check(const Rules& rules, int seats) {
    require(2 <= seats && seats <= MaxSeats, "a hand has 2 to 10 seats");
    Chips total = 0;
    for (Chips stack : rules.stacks) {
        require(stack > 0, "every stack must have at least one chip");
        require(stack <= MaxChips - total, "more than 10**15 chips in all");
        total += stack;
    }
    require(-1 <= rules.button && rules.button < seats, "the button is not a seat");
    require(-1 <= rules.big_blind_seat && rules.big_blind_seat < seats, "the big blind is not a seat");
    require(plausible(rules.small_blind) && plausible(rules.big_blind) && plausible(rules.ante) &&
                plausible(rules.big_blind_ante) && plausible(rules.straddle) && plausible(rules.bomb) &&
                plausible(rules.seven_deuce),
            "blinds, antes, straddle and bounty must lie between 0 and 10**15");
    require(rules.big_blind >= 1, "the big blind must be at least one chip");
    require(rules.small_blind <= rules.big_blind, "the small blind is larger than the big blind");
    require(rules.straddle == 0 || rules.straddle > rules.big_blind, "a straddle must be larger than the big blind");
    require(rules.straddle == 0 || rules.limit != Limit::Fixed || rules.straddle == 2 * rules.big_blind,
            "a straddle in fixed limit is two big blinds");
    require(0 <= rules.cap && rules.cap <= 255, "the cap must lie between 0 and 255");
    require(rules.posts || rules.big_blind_seat < 0, "big_blind_seat goes with posts");
    require(-1 <= rules.straddle_seat && rules.straddle_seat < seats, "the straddler is not a seat");
    require(rules.straddle > 0 || rules.straddle_seat < 0, "straddle_seat goes with a straddle");
    require(rules.bomb == 0 || (rules.ante == 0 && rules.big_blind_ante == 0 && rules.straddle == 0 &&
                                !rules.button_blind && !rules.posts),
            "in a bomb pot there are no other antes, blinds, straddles or posts");
    require(rules.boards == 1 || rules.boards == 2, "a hand has one board or two");
    require(1 <= rules.runs && rules.runs <= MaxBoards, "a board is run one to three times");
    require(rules.boards == 1 || rules.runs == 1, "two boards are run once");
    require(rules.seven_deuce == 0 || rules.variant == Variant::Holdem, "the 7-2 game is one of hold'em");
    require(seats * hole_cards_of(rules.variant) + 5 * rules.boards <= std::popcount(deck_of(rules.variant)),
            "too many seats for the deck");
    SeatMask posters = 0;
    for (const Post& post : rules.posts.value_or(std::vector<Post>{})) {
        require(0 <= post.seat && post.seat < seats, "a post by somebody who is not a seat");
        require(plausible(post.live) && plausible(post.dead), "posts must lie between 0 and 10**15");
        require(!(posters & seat_bit(post.seat)), "two posts by one seat");
        posters |= seat_bit(post.seat);
    }
}

}  // namespace

Hand Hand::posted(const Rules& rules) {
    const int seats = static_cast<int>(rules.stacks.size());
    check(rules, seats);

    Hand h;
    h.seats = static_cast<std::uint8_t>(seats);
    h.button = static_cast<std::uint8_t>(rules.button < 0 ? seats - 1 : rules.button);
    h.variant = rules.variant;
    h.limit = rules.limit;
    h.cap = static_cast<std::uint8_t>(rules.cap);
    h.half_bet = rules.half_bet;
    h.big_blind = rules.big_blind;
    h.boards = static_cast<std::uint8_t>(rules.boards);
    h.runs = static_cast<std::uint8_t>(rules.runs);
    h.seven_deuce = rules.seven_deuce;
    std::copy(rules.stacks.begin(), rules.stacks.end(), h.starting.begin());
    h.stacks = h.starting;

    for (int seat = 0; seat < seats; ++seat) h.pay(seat, rules.ante + rules.bomb);
    const int last_blind = rules.bomb > 0 ? h.button : h.post_blinds(rules);

    h.raise_size = std::max(h.price, h.big_blind);  // a straddle is a third blind, and the least raise doubles it
    if (h.limit == Limit::Fixed) {
        h.raise_size = h.big_blind;
        h.full_bets = (2 * h.price + h.big_blind) / (2 * h.big_blind) * h.big_blind;  // to the nearest bet
    }
    for (int seat = 0; seat < seats; ++seat)
        if (h.stacks[seat] > 0) h.able |= seat_bit(seat);
    h.pending = rules.bomb > 0 ? 0 : h.able;
    h.actor = static_cast<std::int8_t>(last_blind);  // the turn passes on from here when the cards are dealt
    return h;
}

// Makes the posts that come before the cards; returns the seat that acts last before the flop.
int Hand::post_blinds(const Rules& rules) {
    // A short blind does not lower the price: the rest of the table still pays the full big blind.
    price = rules.big_blind;
    const Chips small_blind = rules.button_blind ? 0 : rules.small_blind;
    const int small_blind_seat = seats == 2 ? button : (button + 1) % seats;
    const int by_position = rules.button_blind ? button : (small_blind_seat + 1) % seats;
    const int big_blind_seat = rules.big_blind_seat >= 0 ? rules.big_blind_seat : by_position;
    if (rules.ante_first) post_dead(big_blind_seat, rules.big_blind_ante);
    if (rules.posts) {
        for (const Post& post : *rules.posts) {
            post_live(post.seat, post.live);
            post_dead(post.seat, post.dead);
        }
        // It lies between the button and the big blind: a post of as many chips by somebody else is none.
        const int before = (big_blind_seat + seats - 1) % seats;
        const auto is_small_blind = [&](const Post& post) {
            return post.seat == before && (seats == 2 || before != button) && post.live == small_blind;
        };
        if (std::ranges::none_of(*rules.posts, is_small_blind)) blinds_missing += small_blind;  // a dead small blind
    } else {
        if (!rules.button_blind) post_live(small_blind_seat, small_blind);
        post_live(big_blind_seat, rules.big_blind);
    }
    int last = big_blind_seat;
    if (rules.straddle > 0 && seats > 2) {
        const int straddler = rules.straddle_seat >= 0 ? rules.straddle_seat : (big_blind_seat + 1) % seats;
        const bool small = !rules.posts && !rules.button_blind && straddler == small_blind_seat;
        require(straddler != big_blind_seat && !small, "the blinds cannot straddle");
        // It is posted whole or not at all; a live post of the same seat is part of it.
        if (bets[straddler] < rules.straddle && bets[straddler] + stacks[straddler] >= rules.straddle) {
            post_live(straddler, rules.straddle - bets[straddler]);
            price = std::max(price, rules.straddle);
            last = straddler;
        }
    }
    if (!rules.ante_first) post_dead(big_blind_seat, rules.big_blind_ante);
    return last;
}

void Hand::post_live(int seat, Chips amount) {
    const Chips paid = pay(seat, amount);
    bets[seat] += paid;
    blinds_missing += amount - paid;
    price = std::max(price, amount);
}

void Hand::post_dead(int seat, Chips amount) {
    const Chips paid = pay(seat, amount);
    stakes[seat] -= paid;
    dead += paid;
}

void Hand::deal(std::span<const Card> cards) {
    require(cards.size() >= static_cast<std::size_t>(cards_needed()), "too few cards in the deck for these seats");
    CardMask seen = 0;
    for (Card card : cards) {
        require(card < DeckSize, "a card of the deck is not a card");
        require(deck_of(variant) & mask_of(card), "short deck has no card below the six");
        require(!(seen & mask_of(card)), "a card is twice in the deck");
        seen |= mask_of(card);
    }
    deal_unchecked(cards);
}

void Hand::deal_unchecked(std::span<const Card> cards) {
    std::copy_n(cards.begin(), cards_needed(), deck.begin());
    advance();
}

// Takes chips from the seat into the pot, as many as it has; returns how many.
Chips Hand::pay(int seat, Chips amount) {
    const Chips paid = std::min(amount, stacks[seat]);
    stacks[seat] -= paid;
    stakes[seat] += paid;
    return paid;
}

// A seat that has acted may raise again only if it faces a full raise, in fixed limit half of one; a raise needs
// somebody who could call it.
bool Hand::may_raise() const {
    const Chips owed = price - bets[actor];
    const Chips reopening = limit == Limit::Fixed && half_bet ? (raise_size + 1) / 2 : raise_size;
    if (stacks[actor] <= owed || capped || ((acted & seat_bit(actor)) && owed < reopening)) return false;
    for (SeatMask others = able & ~seat_bit(actor); others; others &= others - 1)
        if (const int seat = std::countr_zero(others); bets[seat] + stacks[seat] > price) return true;
    return false;
}

// The total of a raise by a player who is not all-in. In fixed limit that is a whole number of bets: it completes what
// was less than half a bet, and goes one beyond what was more.
Chips Hand::least_raise() const { return (limit == Limit::Fixed && half_bet ? full_bets : price) + raise_size; }

// Fixed limit: half a bet or more counts as a bet. The cap is for three players or more who have chips left.
void Hand::count_bet(Chips raise_to) {
    if (!half_bet || 2 * (raise_to - full_bets) >= raise_size) full_bets += raise_size;
    capped |= cap > 0 && full_bets >= cap * raise_size && std::popcount(able) > 2;
}

Legal Hand::legal() const {
    Legal legal;
    if (actor < 0) return legal;
    const Chips owed = price - bets[actor];
    legal.fold = true;
    legal.check = owed <= 0;
    legal.call = std::clamp(owed, Chips{0}, stacks[actor]);
    if (may_raise()) {
        const Chips all = bets[actor] + stacks[actor];
        legal.min_raise_to = std::min(all, least_raise());
        legal.max_raise_to = all;
        if (limit == Limit::Fixed)
            legal.max_raise_to = legal.min_raise_to;
        else if (limit == Limit::Pot)
            legal.max_raise_to = std::min(all, std::max(price + raise_size, price + owed + pot() + blinds_missing));
    }
    return legal;
}

Fault Hand::fault(Action action, Chips raise_to) const {
    if (actor < 0) return done() ? Fault::HandOver : Fault::BettingOver;
    const Chips owed = price - bets[actor];
    if (action == Action::Check && owed > 0) return Fault::BetToCall;
    if (action == Action::Call && owed <= 0) return Fault::NothingToCall;
    if (action == Action::Raise) {
        const Legal allowed = legal();
        if (allowed.max_raise_to == 0) return Fault::RaiseClosed;
        if (raise_to < allowed.min_raise_to) return Fault::RaiseTooSmall;
        if (raise_to > allowed.max_raise_to) return Fault::RaiseTooBig;
    }
    return Fault::None;
}

Fault Hand::act(Action action, Chips raise_to) {
    if (const Fault found = fault(action, raise_to); found != Fault::None) return found;

    const SeatMask self = seat_bit(actor);
    pending &= ~self;
    acted |= self;
    if (action == Action::Fold) {
        folded |= self;
        able &= ~self;
    } else if (action == Action::Call) {
        bets[actor] += pay(actor, price - bets[actor]);
    } else if (action == Action::Raise) {
        bets[actor] += pay(actor, raise_to - bets[actor]);
        if (limit == Limit::Fixed)
            count_bet(raise_to);
        else
            raise_size = std::max(raise_size, raise_to - price);
        price = raise_to;
        aggressor = actor;
        pending = able & ~self;
    }
    if (stacks[actor] == 0) able &= ~self;
    advance();
    return Fault::None;
}

bool Hand::leave(int seat) {
    if (actor < 0 || !(able & seat_bit(seat))) return false;
    if (seat == actor) return act(Action::Fold) == Fault::None;
    folded |= seat_bit(seat);
    able &= ~seat_bit(seat);
    pending &= ~seat_bit(seat);
    actor = static_cast<std::int8_t>((actor + seats - 1) % seats);  // whose turn it was keeps it, if a decision is left
    advance();
    return true;
}

// Whether somebody still in the hand has bet more than this seat.
bool Hand::owes(int seat) const {
    for (SeatMask others = unfolded(); others; others &= others - 1)
        if (bets[std::countr_zero(others)] > bets[seat]) return true;
    return false;
}

// The first seat clockwise after this one that has still to act.
int Hand::next_pending(int seat) const {
    const unsigned later = pending & ~((2u << seat) - 1);
    return std::countr_zero(later ? later : pending);
}

// Passes the turn on; where nobody has a decision left, deals on to the next betting or to the end.
void Hand::advance() {
    if (std::has_single_bit(unfolded())) return finish();
    // A lone seat with chips decides only whether to call.
    if (pending && (!std::has_single_bit(able) || owes(std::countr_zero(able)))) {
        actor = static_cast<std::int8_t>(next_pending(actor));
        return;
    }
    if (runs > 1 && stop_for_runs()) return;
    while (street < 3) {
        open_street();
        if (pending) return;
    }
    finish();
}

// How often the rest of the board can be dealt: as the rules allow and the cards suffice.
int Hand::possible_runs() const {
    const int missing = 5 - BoardCards[street], spare = cards_needed() - seats * hole_cards() - 5;
    return missing == 0 ? 1 : std::min<int>(runs, 1 + spare / missing);
}

// Stops where cards are to come, nobody can bet any more, and the players may choose how often to run them.
bool Hand::stop_for_runs() {
    if (std::popcount(able) >= 2 || possible_runs() == 1) return false;
    actor = AwaitsRuns;
    price = 0;
    run_street = street;
    collect();
    return true;
}

bool Hand::run(int times) {
    if (!awaits_runs() || times < 1 || times > possible_runs()) return false;
    run_count = static_cast<std::uint8_t>(times);
    while (street < 3) open_street();
    finish();
    return true;
}

void Hand::open_street() {
    ++street;
    bets.fill(0);
    price = 0;
    blinds_missing = 0;
    full_bets = 0;
    capped = 0;
    raise_size = limit == Limit::Fixed && street >= 2 ? 2 * big_blind : big_blind;
    acted = 0;
    pending = 0;
    if (std::popcount(able) >= 2) {
        aggressor = -1;
        pending = able;
        actor = static_cast<std::int8_t>(next_pending(button));
    }
}

// A bet in turn belongs to the pot even if its seat has left since. The one seat that could still have called it does
// so here: only its own cards contest those chips, so the call costs nothing. What it could not have called goes back.
void Hand::call_dead_bet() {
    if (!std::has_single_bit(able)) return;
    const int caller = std::countr_zero(able);
    Chips highest = 0;
    for (SeatMask left = folded; left; left &= left - 1) highest = std::max(highest, stakes[std::countr_zero(left)]);
    if (highest > stakes[caller]) pay(caller, highest - stakes[caller]);
    if (stacks[caller] == 0) able = 0;
}

// Ends the betting: the bets become pots, and what nobody could call goes back.
Pots Hand::collect() {
    pending = 0;
    bets.fill(0);
    call_dead_bet();
    Pots pots = make_pots({stakes.data(), seats}, folded, dead);
    if (pots.returned > 0) {
        returned_seat = static_cast<std::int8_t>(pots.returned_seat);
        returned = pots.returned;
        stakes[returned_seat] -= returned;
        stacks[returned_seat] += returned;
    }
    return pots;
}

void Hand::finish() {
    actor = Over;
    pay_pots(collect());
    for (int seat = 0; seat < seats; ++seat) stacks[seat] += payouts[seat];
    if (seven_deuce > 0 && !std::has_single_bit(unfolded()))
        bounty_seat = static_cast<std::int8_t>(seven_deuce_winner());
}

Chips Hand::pot() const { return std::accumulate(stakes.begin(), stakes.begin() + seats, dead); }

}  // namespace parlour
