// The wire form of a hand: "PH", a version, then every field as little-endian integers, seats as many as there are.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "holdem/hand.hpp"

namespace parlour {

namespace {

constexpr std::string_view Header = "PH";
constexpr std::uint8_t Version = 3, OldestVersion = 2;  // version 2 knows one board, run once, and no bounty

// Visits each field in the order in which it is written. Those that say how long the rest is come before it.
template <class AHand, class Visitor>
void each_field(AHand& h, std::uint8_t version, Visitor visit) {
    visit(h.seats), visit(h.variant), visit(h.button), visit(h.limit), visit(h.cap), visit(h.half_bet);
    visit(h.street), visit(h.actor);
    visit(h.aggressor), visit(h.returned_seat), visit(h.capped), visit(h.folded), visit(h.able), visit(h.pending);
    visit(h.acted), visit(h.big_blind), visit(h.price), visit(h.raise_size), visit(h.full_bets), visit(h.dead),
        visit(h.blinds_missing);
    visit(h.returned);
    if (version >= 3) {
        visit(h.boards), visit(h.runs), visit(h.run_count), visit(h.run_street);
        visit(h.bounty_seat), visit(h.seven_deuce);
    }
    for (auto* chips : {&h.starting, &h.stacks, &h.bets, &h.stakes, &h.payouts})
        for (int seat = 0; seat < h.seats; ++seat) visit((*chips)[seat]);
    for (int i = 0; i < h.cards_needed(); ++i) visit(h.deck[i]);
}

struct Writer {
    std::string& out;

    template <class T>
    void operator()(T field) const {
        const auto bits = static_cast<std::uint64_t>(field);
        for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(bits >> (8 * i)));
    }
};

[[noreturn]] void refuse() { throw std::invalid_argument("these bytes are not a hand"); }

struct Reader {
    std::string_view& in;
    const Hand& hand;

    template <class T>
    void operator()(T& field) const {
        if (in.size() < sizeof(T)) refuse();
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) bits |= std::uint64_t{static_cast<std::uint8_t>(in[i])} << (8 * i);
        field = static_cast<T>(bits);
        in.remove_prefix(sizeof(T));
        // The fields that size the others are checked before anything is indexed by them.
        if (hand.seats > MaxSeats || hand.variant > LastVariant) refuse();
    }
};

bool is_seat(int seat, const Hand& h) { return 0 <= seat && seat < h.seats; }

// The same for boards, runs and the bounty, of a hand that is possible otherwise.
bool possible_options(const Hand& h) {
    if (h.boards < 1 || h.boards > 2 || h.runs < 1 || h.runs > MaxBoards || (h.boards > 1 && h.runs > 1)) return false;
    const int spare = h.cards_needed() - h.seats * h.hole_cards() - 5 * h.boards;
    if (spare < 0 || h.run_street > 2 || h.run_count > h.runs) return false;
    if (h.run_count > 0 && (!h.done() || (h.run_count - 1) * (5 - BoardCards[h.run_street]) > spare)) return false;
    if (h.awaits_runs() && (h.run_street != h.street || std::popcount(h.able) > 1 || h.most_runs() == 1)) return false;
    if (h.seven_deuce < 0 || h.seven_deuce > (h.variant == Variant::Holdem ? MaxChips : 0)) return false;
    if (h.bounty_seat < -1 || h.bounty_seat >= h.seats) return false;
    Hand unclaimed = h;
    unclaimed.bounty_seat = -1;
    return h.bounty_seat < 0 || unclaimed.unclaimed_bounty() == h.bounty_seat;
}

// Whether the rules could have led here as far as chips, turns and cards can tell: what keeps a forged hand harmless.
bool possible(const Hand& h) {
    const SeatMask everyone = all_seats(h.seats);
    if (h.seats < 2 || !is_seat(h.button, h) || h.limit > Limit::Fixed || h.street > 3 || h.half_bet > 1 ||
        h.capped > 1)
        return false;
    if (h.actor < Hand::AwaitsRuns || h.actor >= h.seats || h.aggressor < -1 || h.aggressor >= h.seats ||
        h.returned_seat < -1 || h.returned_seat >= h.seats)
        return false;
    if ((h.folded | h.able | h.pending | h.acted) & ~everyone || h.folded & h.able || h.pending & ~h.able) return false;
    for (Chips chips : {h.big_blind, h.price, h.raise_size, h.full_bets, h.dead, h.blinds_missing, h.returned})
        if (chips < 0 || chips > MaxSeats * MaxChips) return false;
    if (h.big_blind < 1 || h.big_blind > MaxChips || h.raise_size < 1 || (h.returned > 0) != (h.returned_seat >= 0))
        return false;

    Chips total = 0, dead = 0, paid = 0;
    for (int seat = 0; seat < h.seats; ++seat) {
        for (Chips chips : {h.starting[seat], h.stacks[seat], h.bets[seat], h.stakes[seat], h.payouts[seat]})
            if (chips < 0 || chips > MaxChips) return false;
        const Chips dead_here = h.contributed(seat) - h.stakes[seat];
        if (h.starting[seat] < 1 || h.bets[seat] > h.stakes[seat] || h.bets[seat] > h.price || dead_here < 0)
            return false;
        const bool could_act = h.stacks[seat] > 0 && (h.unfolded() & seat_bit(seat));
        const bool is_able = h.able & seat_bit(seat);
        if (h.awaits_runs() ? is_able && !could_act : !h.done() && could_act != is_able) return false;
        total += h.starting[seat];
        dead += dead_here;
        paid += h.payouts[seat];
    }
    if (total > MaxChips || dead != h.dead || h.unfolded() == 0 || paid != (h.done() ? h.pot() : 0)) return false;
    if (h.actor < 0 ? h.pending != 0 : !(h.pending & seat_bit(h.actor))) return false;
    if (!h.done() && std::has_single_bit(h.unfolded())) return false;
    if (h.done() && !std::has_single_bit(h.unfolded()) && h.street != 3) return false;

    CardMask seen = 0;
    for (int i = 0; i < h.cards_needed(); ++i) {
        if (h.deck[i] >= DeckSize || !(deck_of(h.variant) & ~seen & mask_of(h.deck[i]))) return false;
        seen |= mask_of(h.deck[i]);
    }
    return possible_options(h);
}

}  // namespace

std::string Hand::to_bytes() const {
    std::string bytes(Header);
    bytes.push_back(static_cast<char>(Version));
    each_field(*this, Version, Writer{bytes});
    return bytes;
}

Hand Hand::from_bytes(std::string_view bytes) {
    if (!bytes.starts_with(Header) || bytes.size() == Header.size()) refuse();
    const auto version = static_cast<std::uint8_t>(bytes[Header.size()]);
    if (version < OldestVersion || version > Version) refuse();
    bytes.remove_prefix(Header.size() + 1);
    Hand hand;
    each_field(hand, version, Reader{bytes, hand});
    if (!bytes.empty() || !possible(hand)) refuse();
    return hand;
}

}  // namespace parlour
