// The end of a hand: who wins which chips, who shows, and the 7-2 bounty.
#include <algorithm>
#include <numeric>

#include "holdem/hand.hpp"

namespace parlour {

namespace {

// The contestants with the highest rank.
SeatMask best_of(SeatMask contestants, const std::array<int, MaxSeats>& ranks) {
    SeatMask winners = 0;
    int best = -1;
    for (; contestants; contestants &= contestants - 1) {
        const int seat = std::countr_zero(contestants);
        if (ranks[seat] > best) {
            best = ranks[seat];
            winners = 0;
        }
        if (ranks[seat] == best) winners |= seat_bit(seat);
    }
    return winners;
}

SeatMask best_low_of(SeatMask contestants, const std::array<int, MaxSeats>& ranks) {
    SeatMask qualified = 0;
    for (; contestants; contestants &= contestants - 1)
        if (ranks[std::countr_zero(contestants)] > 0) qualified |= contestants & -contestants;
    return best_of(qualified, ranks);
}

}  // namespace

CardMask Hand::hole_mask(int seat) const {
    CardMask held = 0;
    for (int i = 0; i < hole_cards(); ++i) held |= mask_of(hole_card(seat, i));
    return held;
}

std::array<Card, 5> Hand::board_on(int which) const {
    const Card* const first = deck.data() + seats * hole_cards();
    std::array<Card, 5> cards;
    std::copy_n(boards > 1 ? first + 5 * which : first, 5, cards.begin());
    if (boards == 1 && which > 0) {
        const int common = BoardCards[run_street], own = 5 - common;
        std::copy_n(first + 5 + (which - 1) * own, own, cards.begin() + common);
    }
    return cards;
}

std::vector<std::span<const Card>> Hand::rabbit() const {
    std::vector<std::span<const Card>> unseen;
    const int lying = BoardCards[street];
    const std::span<const Card> from_board = std::span(deck).subspan(static_cast<std::size_t>(seats * hole_cards()));
    for (int which = 0; which < boards; ++which)
        unseen.push_back(
            from_board.subspan(static_cast<std::size_t>(5 * which + lying), static_cast<std::size_t>(5 - lying)));
    return unseen;
}

CardMask Hand::board_mask(int which, std::size_t cards) const {
    return mask_of(which == 0 ? board().first(cards) : std::span<const Card>(board_on(which)).first(cards));
}

int Hand::rank(int seat, int which) const {
    return showdown_rank(variant, hole_mask(seat), board_mask(which, board().size()));
}

int Hand::low_rank(int seat, int which) const {
    return is_hi_lo(variant) ? showdown_low(hole_mask(seat), board_mask(which, board().size())) : 0;
}

std::pair<HandRank, std::array<Card, 5>> Hand::best(int seat, int board_cards, int which) const {
    const CardMask hole = hole_mask(seat), cards = board_mask(which, static_cast<std::size_t>(board_cards));
    const HandRank rank = showdown_rank(variant, hole, cards);
    return {rank, showdown_cards(variant, rank, hole, cards)};
}

std::pair<LowRank, std::array<Card, 5>> Hand::best_low(int seat, int board_cards, int which) const {
    if (!is_hi_lo(variant)) return {};
    const CardMask hole = hole_mask(seat), cards = board_mask(which, static_cast<std::size_t>(board_cards));
    const LowRank rank = showdown_low(hole, cards);
    if (rank == 0) return {};
    return {rank, low_cards(rank, hole | cards, hole)};
}

void Hand::pay_pots(const Pots& pots) {
    if (divides()) {
        const Strengths held = strengths();
        for (int i = 0; i < pots.count; ++i)
            for (const PotPart& part : divide(pots.pot[i], held))
                for (int seat = 0; seat < seats; ++seat) payouts[seat] += part.shares[seat];
        return;
    }
    // One board and no low, as in most games: without the parts.
    std::array<int, MaxSeats> ranks{};
    if (!std::has_single_bit(unfolded())) {  // a pot with one contestant needs no cards
        const CardMask cards = mask_of(board());
        for (SeatMask left = unfolded(); left; left &= left - 1) {
            const int seat = std::countr_zero(left);
            ranks[seat] = showdown_rank(variant, hole_mask(seat), cards);
        }
    }
    for (int i = 0; i < pots.count; ++i)
        split_pot(pots.pot[i].amount, best_of(pots.pot[i].contestants, ranks), button, {payouts.data(), seats});
}

Strengths Hand::strengths() const {
    Strengths held;
    if (std::has_single_bit(unfolded())) return held;
    for (int which = 0; which < board_count(); ++which)
        for (SeatMask left = unfolded(); left; left &= left - 1) {
            const int seat = std::countr_zero(left);
            held.high[which][seat] = rank(seat, which);
            held.low[which][seat] = low_rank(seat, which);
        }
    return held;
}

// Each board has an equal part, the odd chips one each to the first boards; of that the low has half where somebody has
// one, and the odd chip is the high's (TDA 20). Seats that win both halves together split them as one.
std::vector<PotPart> Hand::divide(const Pot& pot, const Strengths& held) const {
    std::vector<PotPart> parts;
    const auto add = [&](int which, bool low, Chips amount, SeatMask winners) {
        parts.push_back({which, low, amount, winners, {}});
        split_pot(amount, winners, button, {parts.back().shares.data(), seats});
    };
    const bool contested = !std::has_single_bit(pot.contestants);
    const int boards_played = contested ? board_count() : 1;
    for (int which = 0; which < boards_played; ++which) {
        const Chips amount = pot.amount / boards_played + (which < pot.amount % boards_played);
        const SeatMask high = best_of(pot.contestants, held.high[which]);
        const SeatMask low = contested ? best_low_of(pot.contestants, held.low[which]) : 0;
        if (amount == 0) break;
        if (low == 0 || amount == 1) {
            add(which, false, amount, high);
            continue;
        }
        add(which, false, amount - amount / 2, high);
        add(which, true, amount / 2, low);
        if (high != low) continue;
        PotPart& second = parts.back();
        second.shares = {};
        split_pot(amount, high, button, {second.shares.data(), seats});
        for (int seat = 0; seat < seats; ++seat) second.shares[seat] -= parts[parts.size() - 2].shares[seat];
    }
    return parts;
}

std::vector<PotResult> Hand::pots() const {
    if (!done()) return open_pots(stakes, unfolded() & ~able);
    std::vector<PotResult> results;
    const Pots final = make_pots({stakes.data(), seats}, folded, dead);
    const Strengths held = strengths();
    for (int i = 0; i < final.count; ++i) {
        PotResult& result = results.emplace_back();
        result.amount = final.pot[i].amount;
        result.contestants = final.pot[i].contestants;
        result.parts = divide(final.pot[i], held);
        for (const PotPart& part : result.parts) {
            result.winners |= part.winners;
            for (int seat = 0; seat < seats; ++seat) result.shares[seat] += part.shares[seat];
        }
    }
    return results;
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
        if (amount > 0) results.push_back({amount, contestants, 0, {}, {}});
        left -= amount;
        below = level;
        for (SeatMask limiting = contestants & all_in; limiting; limiting &= limiting - 1)
            if (const int seat = std::countr_zero(limiting); staked[seat] <= level) contestants &= ~seat_bit(seat);
    }
    return results;
}

// A hand must be shown where somebody is all-in, or where it is as good as all before it in some part of the pots.
std::vector<std::pair<int, bool>> Hand::showdown() const {
    std::vector<std::pair<int, bool>> order;
    if (!done() || std::has_single_bit(unfolded())) return order;
    const bool all_show = unfolded() & ~able;
    const bool led = aggressor >= 0 && (unfolded() & seat_bit(aggressor));
    const int first = led ? aggressor : (button + 1) % seats;
    const Strengths held = strengths();
    std::array<int, MaxBoards> best_high{}, best_low{};
    for (int i = 0; i < seats; ++i) {
        const int seat = (first + i) % seats;
        if (!(unfolded() & seat_bit(seat))) continue;
        bool shows = all_show;
        for (int which = 0; which < board_count(); ++which) {
            const int high = held.high[which][seat], low = held.low[which][seat];
            shows |= high >= best_high[which] || (low > 0 && low >= best_low[which]);
            best_high[which] = std::max(best_high[which], high);
            best_low[which] = std::max(best_low[which], low);
        }
        order.emplace_back(seat, shows);
    }
    return order;
}

// Who takes the whole main pot alone with a seven and a deuce; -1: nobody.
int Hand::seven_deuce_winner() const {
    if (seven_deuce == 0 || !done()) return -1;
    const std::vector<PotResult> results = pots();
    if (results.empty() || !std::has_single_bit(results.front().winners)) return -1;
    constexpr unsigned SevenAndDeuce = 1u << 5 | 1u << 0;
    const int winner = std::countr_zero(results.front().winners);
    return ranks_of(hole_mask(winner)) == SevenAndDeuce ? winner : -1;
}

int Hand::unclaimed_bounty() const { return bounty_seat < 0 ? seven_deuce_winner() : -1; }

bool Hand::claim_bounty() {
    const int winner = unclaimed_bounty();
    if (winner < 0) return false;
    bounty_seat = static_cast<std::int8_t>(winner);
    return true;
}

std::array<Chips, MaxSeats> Hand::bounty_payments() const {
    std::array<Chips, MaxSeats> paid{};
    for (int seat = 0; bounty_seat >= 0 && seat < seats; ++seat)
        if (seat != bounty_seat) paid[seat] = std::min(seven_deuce, stacks[seat]);
    return paid;
}

std::array<Chips, MaxSeats> Hand::settled_stacks() const {
    std::array<Chips, MaxSeats> settled = stacks;
    if (bounty_seat < 0) return settled;
    const auto paid = bounty_payments();
    for (int seat = 0; seat < seats; ++seat) {
        settled[seat] -= paid[seat];
        settled[bounty_seat] += paid[seat];
    }
    return settled;
}

}  // namespace parlour
