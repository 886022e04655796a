#include "pots.hpp"

#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "hand_arguments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// Adds the cards to those seen; a card seen before is a fault.
void refuse_doubles(std::span<const Card> cards, CardMask& seen) {
    for (Card card : cards) {
        if (seen & mask_of(card))
            throw nb::value_error(("the card " + to_string(card) + " is there twice").c_str());
        seen |= mask_of(card);
    }
}

}  // namespace

void bind_pots(nb::module_& m) {
    // ([(amount, contestants)], (seat, amount) returned or None)
    m.def("make_pots",
          [](nb::handle stakes_by_seat, nb::handle folded_seats) {
              const std::vector<Chips> stakes = chips_list_from(stakes_by_seat, "a stake");
              const int seats = static_cast<int>(stakes.size());
              if (stakes.size() < 1 || stakes.size() > MaxSeats)
                  throw nb::value_error("pots are made for 1 to 10 seats");
              Chips total = 0;
              for (Chips stake : stakes)
                  if ((total += stake) > MaxChips)
                      throw nb::value_error("more than 10**15 chips in all");
              const SeatMask folded = seats_from(folded_seats, seats, "folded");
              if (folded == all_seats(seats))
                  throw nb::value_error("everybody has folded");
              const Pots pots = make_pots(stakes, folded);
              nb::list list;
              for (int i = 0; i < pots.count; ++i)
                  list.append(nb::make_tuple(pots.pot[i].amount, list_of(pots.pot[i].contestants)));
              nb::object returned = nb::none();
              if (pots.returned > 0)
                  returned = nb::make_tuple(pots.returned_seat, pots.returned);
              return nb::make_tuple(list, returned);
          },
          "stakes"_a, "folded"_a);

    // The share of each seat, 0 for those who do not win.
    m.def("split_pot",
          [](nb::handle amount, nb::handle winning_seats, nb::handle button_seat, nb::handle seat_count) {
              const int seats = int_from(seat_count, "the number of seats");
              if (seats < 1 || seats > MaxSeats)
                  throw nb::value_error("pots are split among 1 to 10 seats");
              const int button = int_from(button_seat, "the button");
              if (button < 0 || button >= seats)
                  throw nb::value_error("the button is not a seat");
              const SeatMask winners = seats_from(winning_seats, seats, "winners");
              if (winners == 0)
                  throw nb::value_error("a pot needs a winner");
              std::array<Chips, MaxSeats> chips{};
              split_pot(chips_from(amount, "the pot"), winners, button, {chips.data(), static_cast<std::size_t>(seats)});
              nb::list shares;
              for (int seat = 0; seat < seats; ++seat)
                  shares.append(chips[seat]);
              return shares;
          },
          "amount"_a, "winners"_a, "button"_a, "seats"_a);

    m.def("check_distinct",
          [](nb::handle groups) {
              CardMask seen = 0;
              for (nb::handle group : nb::borrow<nb::iterable>(groups))
                  refuse_doubles(cards_from(group), seen);
          },
          "groups"_a);

    m.def("rank_hand",
          [](nb::handle hole_cards, nb::handle board_cards, nb::handle variant_name) {
              const Variant variant = variant_from(variant_name);
              const std::vector<Card> hole = cards_from(hole_cards), board = cards_from(board_cards);
              Hand shape;
              shape.variant = variant;
              if (static_cast<int>(hole.size()) != shape.hole_cards())
                  throw nb::value_error(
                      ("a hand has " + std::to_string(shape.hole_cards()) + " cards in this game").c_str());
              if (board.size() < 3 || board.size() > 5)
                  throw nb::value_error("a board has 3 to 5 cards");
              CardMask seen = 0;
              refuse_doubles(hole, seen);
              refuse_doubles(board, seen);
              if (std::countr_zero(seen) < lowest_card(variant))
                  throw nb::value_error("short deck has no card below the six");
              return rank_hand(variant, hole, board);
          },
          "hole"_a, "board"_a, "variant"_a = "holdem");
}

}  // namespace parlour
