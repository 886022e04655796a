#include "holdem/hand.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace parlour {

namespace {

constexpr std::array<int, 4> BoardCards = {0, 3, 4, 5};

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
                plausible(rules.big_blind_ante) && plausible(rules.straddle),
            "blinds, antes and straddle must lie between 0 and 10**15");
    require(rules.big_blind >= 1, "the big blind must be at least one chip");
    require(rules.small_blind <= rules.big_blind, "the small blind is larger than the big blind");
    require(rules.straddle == 0 || rules.straddle > rules.big_blind, "a straddle must be larger than the big blind");
    require(rules.straddle == 0 || rules.limit != Limit::Fixed || rules.straddle == 2 * rules.big_blind,
            "a straddle in fixed limit is two big blinds");
    require(0 <= rules.cap && rules.cap <= 255, "the cap must lie between 0 and 255");
    require(rules.posts || rules.big_blind_seat < 0, "big_blind_seat goes with posts");
    require(!rules.posts || rules.straddle == 0, "with posts a straddle is one of the posts");
    require(seats * hole_cards_of(rules.variant) + 5 <= std::popcount(deck_of(rules.variant)),
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
    std::copy(rules.stacks.begin(), rules.stacks.end(), h.starting.begin());
    h.stacks = h.starting;

    for (int seat = 0; seat < seats; ++seat) h.pay(seat, rules.ante);

    // A short blind does not lower the price: the rest of the table still pays the full big blind.
    h.price = rules.big_blind;
    auto post_live = [&](int seat, Chips amount) {
        const Chips paid = h.pay(seat, amount);
        h.bets[seat] += paid;
        h.blinds_missing += amount - paid;
        h.price = std::max(h.price, amount);
    };
    auto post_dead = [&](int seat, Chips amount) {
        const Chips paid = h.pay(seat, amount);
        h.stakes[seat] -= paid;
        h.dead += paid;
    };

    const int small_blind_seat = seats == 2 ? h.button : (h.button + 1) % seats;
    int last_blind = rules.big_blind_seat >= 0 ? rules.big_blind_seat : (small_blind_seat + 1) % seats;
    const int big_blind_seat = last_blind;
    if (rules.ante_first) post_dead(big_blind_seat, rules.big_blind_ante);
    if (rules.posts) {
        for (const Post& post : *rules.posts) {
            post_live(post.seat, post.live);
            post_dead(post.seat, post.dead);
        }
        const auto is_small_blind = [&](const Post& post) {
            return post.seat != big_blind_seat && post.live == rules.small_blind;
        };
        if (std::ranges::none_of(*rules.posts, is_small_blind))
            h.blinds_missing += rules.small_blind;  // a dead small blind
    } else {
        post_live(small_blind_seat, rules.small_blind);
        post_live(big_blind_seat, rules.big_blind);
        const int straddler = (big_blind_seat + 1) % seats;
        if (rules.straddle > 0 && seats > 2 && h.stacks[straddler] >= rules.straddle) {
            post_live(straddler, rules.straddle);
            last_blind = straddler;
        }
    }
    if (!rules.ante_first) post_dead(big_blind_seat, rules.big_blind_ante);

    h.raise_size = h.price;  // a straddle is a third blind, and the least raise doubles it
    if (h.limit == Limit::Fixed) {
        h.raise_size = h.big_blind;
        h.full_bets = (2 * h.price + h.big_blind) / (2 * h.big_blind) * h.big_blind;  // to the nearest bet
    }
    for (int seat = 0; seat < seats; ++seat)
        if (h.stacks[seat] > 0) h.able |= seat_bit(seat);
    h.pending = h.able;
    h.actor = static_cast<std::int8_t>(last_blind);  // the turn passes on from here when the cards are dealt
    return h;
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
    if (done()) return legal;
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
    if (done()) return Fault::HandOver;
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
    if (done() || !(able & seat_bit(seat))) return false;
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
    while (street < 3) {
        open_street();
        if (pending) return;
    }
    finish();
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
}

void Hand::finish() {
    pending = 0;
    actor = -1;
    bets.fill(0);
    call_dead_bet();
    const Pots result = make_pots({stakes.data(), seats}, folded, dead);
    if (result.returned > 0) {
        returned_seat = static_cast<std::int8_t>(result.returned_seat);
        returned = result.returned;
        stakes[returned_seat] -= returned;
        stacks[returned_seat] += returned;
    }
    const auto won = winners(result);
    for (int i = 0; i < result.count; ++i) split_pot(result.pot[i].amount, won[i], button, {payouts.data(), seats});
    for (int seat = 0; seat < seats; ++seat) stacks[seat] += payouts[seat];
}

// The best hands among each pot's contestants. A pot with one contestant needs no cards.
std::array<SeatMask, MaxSeats + 1> Hand::winners(const Pots& pots) const {
    std::array<SeatMask, MaxSeats + 1> won{};
    std::array<int, MaxSeats> ranks{};
    if (!std::has_single_bit(unfolded()))
        for (SeatMask left = unfolded(); left; left &= left - 1)
            ranks[std::countr_zero(left)] = rank(std::countr_zero(left));
    for (int i = 0; i < pots.count; ++i) {
        int best = -1;
        for (SeatMask left = pots.pot[i].contestants; left; left &= left - 1) {
            const int seat = std::countr_zero(left);
            if (ranks[seat] > best) {
                best = ranks[seat];
                won[i] = 0;
            }
            if (ranks[seat] == best) won[i] |= seat_bit(seat);
        }
    }
    return won;
}

bool Hand::is_unopened() const {
    return std::all_of(bets.begin(), bets.begin() + seats, [](Chips bet) { return bet == 0; });
}

Chips Hand::pot() const { return std::accumulate(stakes.begin(), stakes.begin() + seats, dead); }

std::span<const Card> Hand::board() const {
    return {deck.data() + seats * hole_cards(), static_cast<std::size_t>(BoardCards[street])};
}

CardMask Hand::hole_mask(int seat) const {
    CardMask held = 0;
    for (int i = 0; i < hole_cards(); ++i) held |= mask_of(hole_card(seat, i));
    return held;
}

int Hand::rank(int seat) const { return showdown_rank(variant, hole_mask(seat), mask_of(board())); }

std::pair<HandRank, std::array<Card, 5>> Hand::best(int seat, int board_cards) const {
    const CardMask hole = hole_mask(seat), cards = mask_of(board().first(static_cast<std::size_t>(board_cards)));
    const HandRank rank = showdown_rank(variant, hole, cards);
    return {rank, showdown_cards(variant, rank, hole, cards)};
}

std::vector<PotResult> Hand::pots() const {
    std::vector<PotResult> results;
    if (done()) {
        const Pots final = make_pots({stakes.data(), seats}, folded, dead);
        const auto won = winners(final);
        for (int i = 0; i < final.count; ++i) {
            results.push_back({final.pot[i].amount, final.pot[i].contestants, won[i], {}});
            split_pot(final.pot[i].amount, won[i], button, {results.back().shares.data(), seats});
        }
        return results;
    }
    return open_pots(stakes, unfolded() & ~able);
}

std::vector<PotResult> Hand::pots_before() const {
    if (street == 0) return {};
    std::array<Chips, MaxSeats> staked = stakes;
    SeatMask all_in = unfolded() & ~able;
    for (int seat = 0; seat < seats; ++seat) {
        staked[seat] -= bets[seat];
        if (bets[seat] > 0)  // it had chips left when the street began
            all_in &= ~seat_bit(seat);
    }
    return open_pots(staked, all_in);
}

// While bets are open, a side pot begins only above what somebody is all-in for.
std::vector<PotResult> Hand::open_pots(const std::array<Chips, MaxSeats>& staked, SeatMask all_in) const {
    std::vector<PotResult> results;
    Chips below = 0, carried = dead, left = std::accumulate(staked.begin(), staked.begin() + seats, dead);
    SeatMask contestants = unfolded();
    while (left > 0) {
        Chips level = MaxChips;
        for (SeatMask limiting = contestants & all_in; limiting; limiting &= limiting - 1)
            level = std::min(level, staked[std::countr_zero(limiting)]);
        Chips amount = std::exchange(carried, 0);
        for (int seat = 0; seat < seats; ++seat) amount += std::clamp(staked[seat] - below, Chips{0}, level - below);
        if (amount > 0) results.push_back({amount, contestants, 0, {}});
        left -= amount;
        below = level;
        for (SeatMask limiting = contestants & all_in; limiting; limiting &= limiting - 1)
            if (const int seat = std::countr_zero(limiting); staked[seat] <= level) contestants &= ~seat_bit(seat);
    }
    return results;
}

std::vector<std::pair<int, bool>> Hand::showdown() const {
    std::vector<std::pair<int, bool>> order;
    if (!done() || std::has_single_bit(unfolded())) return order;
    const bool all_show = unfolded() & ~able;
    const bool led = aggressor >= 0 && (unfolded() & seat_bit(aggressor));
    const int first = led ? aggressor : (button + 1) % seats;
    int best = 0;
    for (int i = 0; i < seats; ++i) {
        const int seat = (first + i) % seats;
        if (!(unfolded() & seat_bit(seat))) continue;
        const int strength = rank(seat);
        order.emplace_back(seat, all_show || strength >= best);
        best = std::max(best, strength);
    }
    return order;
}

}  // namespace parlour
