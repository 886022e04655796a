#include "holdem/pots.hpp"

#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "card_args.hpp"
#include "hand_arguments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// Adds the cards to those read before: a card that comes again, even in another group, is a fault.
void add_cards(nb::handle group, CardList& cards) {
    if (!read_cards(group.ptr(), cards)) throw nb::python_error();
}

}  // namespace

void bind_pots(nb::module_& m) {
    // ([(amount, contestants)], (seat, amount) returned or None)
    m.def(
        "make_pots",
        [](nb::handle stakes_by_seat, nb::handle folded_seats) {
            const std::vector<Chips> stakes = chips_list_from(stakes_by_seat, "a stake");
            const int seats = static_cast<int>(stakes.size());
            if (stakes.size() < 1 || stakes.size() > MaxSeats) throw nb::value_error("pots are made for 1 to 10 seats");
            Chips total = 0;
            for (Chips stake : stakes)
                if ((total += stake) > MaxChips) throw nb::value_error("more than 10**15 chips in all");
            const SeatMask folded = seats_from(folded_seats, seats, "folded");
            if (folded == all_seats(seats)) throw nb::value_error("everybody has folded");
            const Pots pots = make_pots(stakes, folded);
            nb::list list;
            for (int i = 0; i < pots.count; ++i)
                list.append(nb::make_tuple(pots.pot[i].amount, list_of(pots.pot[i].contestants)));
            nb::object returned = nb::none();
            if (pots.returned > 0) returned = nb::make_tuple(pots.returned_seat, pots.returned);
            return nb::make_tuple(list, returned);
        },
        "stakes"_a, "folded"_a);

    // The share of each seat, 0 for those who do not win.
    m.def(
        "split_pot",
        [](nb::handle amount, nb::handle winning_seats, nb::handle button_seat, nb::handle seat_count) {
            const int seats = int_from(seat_count, "the number of seats");
            if (seats < 1 || seats > MaxSeats) throw nb::value_error("pots are split among 1 to 10 seats");
            const int button = int_from(button_seat, "the button");
            if (button < 0 || button >= seats) throw nb::value_error("the button is not a seat");
            const SeatMask winners = seats_from(winning_seats, seats, "winners");
            if (winners == 0) throw nb::value_error("a pot needs a winner");
            std::array<Chips, MaxSeats> chips{};
            split_pot(chips_from(amount, "the pot"), winners, button, {chips.data(), static_cast<std::size_t>(seats)});
            nb::list shares;
            for (int seat = 0; seat < seats; ++seat) shares.append(chips[seat]);
            return shares;
        },
        "amount"_a, "winners"_a, "button"_a, "seats"_a);

    m.def(
        "check_distinct",
        [](nb::handle groups) {
            CardList cards;
            for (nb::handle group : nb::borrow<nb::iterable>(groups)) add_cards(group, cards);
        },
        "groups"_a);

    m.def(
        "rank_hand",
        [](nb::handle hole, nb::handle board, nb::handle variant_name) {
            const Variant variant = variant_from(variant_name);
            CardList cards;
            add_cards(hole, cards);
            const int held = cards.size();
            if (held != hole_cards_of(variant))
                throw nb::value_error(("a hand has " + std::to_string(hole_cards_of(variant)) + " cards here").c_str());
            const CardMask hand = cards.mask();
            add_cards(board, cards);
            if (cards.size() < held + 3 || cards.size() > held + 5) throw nb::value_error("a board has 3 to 5 cards");
            if (cards.mask() & ~deck_of(variant)) throw nb::value_error("short deck has no card below the six");
            return int{showdown_rank(variant, hand, cards.mask() ^ hand)};
        },
        "hole"_a, "board"_a, "variant"_a = "holdem");
}

}  // namespace parlour
