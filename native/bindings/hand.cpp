#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include "holdem/batch.hpp"
#include "bindings.hpp"
#include "card_args.hpp"
#include "hand_arguments.hpp"
#include "cards/hand_name.hpp"
#include "holdem/shuffle.hpp"
#include "holdem/sizes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// A pot as Python sees it.
struct PotView {
    Chips amount;
    nb::list contestants, winners, shares, parts;
};

Fault act(Hand& hand, std::string_view name, nb::handle amount) {
    if (name == "fold") return hand.act(Action::Fold);
    if (name == "check") return hand.act(Action::Check);
    if (name == "call") return hand.act(Action::Call);
    if (name == "raise" || name == "bet") return hand.act(Action::Raise, chips_from(amount, "the amount"));
    if (name == "allin") return play(hand, Move::AllIn, 0);
    throw nb::value_error("an action is one of fold, check, call, raise, bet, allin");
}

Fault act(Hand& hand, int code, nb::handle amount) {
    if (code < 0 || code >= MoveCount)
        throw nb::value_error("an action code is 0 fold, 1 check or call, 2 raise, 3 all-in");
    const auto move = static_cast<Move>(code);
    return play(hand, move, move == Move::Raise ? chips_from(amount, "the amount") : 0);
}

void act(Hand& hand, nb::handle kind, nb::handle amount) {
    const Fault fault = PyUnicode_Check(kind.ptr()) ? act(hand, text_from(kind, "an action"), amount)
                                                    : act(hand, int_from(kind, "an action"), amount);
    if (fault != Fault::None) throw nb::value_error(explain(hand, fault).c_str());
}

// The hand after an action, and what the seat to act did by it.
nb::tuple after(const Hand& hand, nb::handle kind, nb::handle amount) {
    Hand next = hand;
    act(next, kind, amount);
    const int seat = hand.actor;
    const Chips back = next.returned_seat == seat ? next.returned : 0;  // paid first, as nobody called it
    const Chips added = next.stakes[seat] + back - hand.stakes[seat];
    const bool goes_on = next.actor >= 0 && next.street == hand.street;
    return nb::make_tuple(next, added, hand.bets[seat] + added, added > 0 && added == hand.stacks[seat],
                          hand.is_unopened(), goes_on ? nb::object(nb::int_(next.actor)) : nb::none());
}

nb::list chips_by_seat(const Hand& hand, const std::array<Chips, MaxSeats>& chips) {
    nb::list list;
    for (int seat = 0; seat < hand.seats; ++seat) list.append(chips[seat]);
    return list;
}

nb::list flags_by_seat(const Hand& hand, SeatMask mask) {
    nb::list list;
    for (int seat = 0; seat < hand.seats; ++seat) list.append(bool(mask & seat_bit(seat)));
    return list;
}

// What each of the winners gets of a pot or of a part of it, in their order.
template <class Won>
nb::list shares_of(const Won& pot) {
    nb::list shares;
    for (SeatMask left = pot.winners; left; left &= left - 1) shares.append(pot.shares[std::countr_zero(left)]);
    return shares;
}

constexpr const char* side_of(bool low) { return low ? "low" : "high"; }

// The parts of a pot, with what `seats` makes of a mask.
template <class Seats>
nb::list parts_of(const PotResult& pot, Seats seats) {
    nb::list parts;
    for (const PotPart& part : pot.parts)
        parts.append(nb::make_tuple(part.board, side_of(part.low), part.amount, seats(part.winners), shares_of(part)));
    return parts;
}

nb::list pots_of(const Hand& hand) {
    nb::list list;
    for (const PotResult& pot : hand.pots())
        list.append(PotView{pot.amount, list_of(pot.contestants), list_of(pot.winners), shares_of(pot),
                            parts_of(pot, list_of)});
    return list;
}

template <class Cards>
nb::list numbers_of(const Cards& cards) {
    nb::list list;
    for (Card card : cards) list.append(int{card});
    return list;
}

nb::list boards_of(const Hand& hand) {
    nb::list boards;
    for (int which = 0; which < hand.board_count(); ++which)
        boards.append(numbers_of(std::span<const Card>(hand.board_on(which)).first(hand.board().size())));
    return boards;
}

nb::list rabbit_of(const Hand& hand) {
    if (!hand.done()) throw nb::value_error("the hand is not over");
    nb::list boards;
    for (const std::span<const Card> cards : hand.rabbit()) boards.append(numbers_of(cards));
    return boards;
}

// What a seat's cards are worth with the first so many cards of each board.
nb::list worths_of(const Hand& hand, nb::handle seat_number, nb::handle board_cards) {
    const int seat = seat_from(hand, seat_number), cards = board_from(hand, board_cards);
    nb::list worths;
    const auto add = [&](int which, bool low, const std::array<Card, 5>& five) {
        nb::list texts;
        for (Card card : five) texts.append(to_string(card));
        worths.append(nb::make_tuple(which, side_of(low), low ? low_name(five) : hand_name(five), texts,
                                     low ? low_code(five) : hand_code(five)));
    };
    for (int which = 0; which < hand.board_count(); ++which) {
        add(which, false, hand.best(seat, cards, which).second);
        if (const auto [rank, five] = hand.best_low(seat, cards, which); rank > 0) add(which, true, five);
    }
    return worths;
}

// (seat, what each seat pays it), or None.
nb::object bounty_of(const Hand& hand) {
    if (hand.bounty_seat < 0) return nb::none();
    return nb::make_tuple(int{hand.bounty_seat}, chips_by_seat(hand, hand.bounty_payments()));
}

// A seat's cards as texts and, with a board, what they are called, for people and for programs.
nb::tuple face_up(const Hand& hand, nb::handle seat_number, nb::handle board_cards) {
    const int seat = seat_from(hand, seat_number);
    nb::list cards;
    for (int i = 0; i < hand.hole_cards(); ++i) cards.append(to_string(hand.hole_card(seat, i)));
    if (int_from(board_cards, "the number of cards") == 0) return nb::make_tuple(cards, nb::none(), nb::none());
    const auto five = hand.best(seat, board_from(hand, board_cards)).second;
    return nb::make_tuple(cards, hand_name(five), hand_code(five));
}

nb::list named(SeatMask places, const nb::list& seats) {
    nb::list list;
    for (; places; places &= places - 1) list.append(seats[static_cast<std::size_t>(std::countr_zero(places))]);
    return list;
}

// How a hand that is over is settled, with `seats` for its places: the pots, what each winner got, the stacks.
nb::tuple settlement(const Hand& hand, const nb::list& seats) {
    if (!hand.done() || seats.size() != hand.seats)
        throw nb::value_error("the hand must be over, with a name for each seat");
    nb::list pots;
    const auto name = [&](SeatMask places) { return named(places, seats); };
    for (const PotResult& pot : hand.pots()) {
        nb::tuple won = nb::make_tuple(pot.amount, name(pot.contestants), name(pot.winners), shares_of(pot));
        if (pot.parts.size() > 1) won = nb::tuple(won + nb::make_tuple(parts_of(pot, name)));
        pots.append(won);
    }
    nb::dict payouts, stacks;
    for (std::size_t seat = 0; seat < hand.seats; ++seat) {
        if (hand.payouts[seat] > 0) payouts[seats[seat]] = hand.payouts[seat];
        stacks[seats[seat]] = hand.stacks[seat];
    }
    return nb::make_tuple(pots, payouts, stacks);
}

std::string describe(const Hand& hand) {
    constexpr std::array<const char*, 4> Streets = {"preflop", "flop", "turn", "river"};
    return "<Hand " + std::string(name_of(hand.limit)) + " " + name_of(hand.variant) + ", " +
           std::to_string(hand.seats) + " seats, " + Streets[hand.street] + ", pot " + std::to_string(hand.pot()) +
           (hand.done()          ? ", over>"
            : hand.awaits_runs() ? ", board to be run>"
                                 : ", seat " + std::to_string(hand.actor) + " to act>");
}

nb::bytes bytes_of(const Hand& hand) {
    const std::string bytes = hand.to_bytes();
    return nb::bytes(bytes.data(), bytes.size());
}

Hand hand_of(const nb::bytes& bytes) {
    return Hand::from_bytes({static_cast<const char*>(bytes.data()), bytes.size()});
}

// Compared by value and changeable: no key of a dict.
template <class T>
nb::class_<T> value_class(nb::module_& m, const char* name, const char* contract) {
    nb::class_<T> type(m, name, contract);
    type.attr("__hash__") = nb::none();
    return type;
}

void bind_pot(nb::module_& m) {
    value_class<PotView>(m, "Pot", "Chips that some seats contest; winners and shares are empty while the hand runs.")
        .def_ro("amount", &PotView::amount)
        .def_ro("contestants", &PotView::contestants)
        .def_ro("winners", &PotView::winners)
        .def_ro("shares", &PotView::shares)
        .def_ro("parts", &PotView::parts)
        .def(
            "__eq__",
            [](const PotView& a, const PotView& b) {
                return a.amount == b.amount && a.contestants.equal(b.contestants) && a.winners.equal(b.winners) &&
                       a.shares.equal(b.shares) && a.parts.equal(b.parts);
            },
            nb::is_operator())
        .def("__repr__",
             [](const PotView& p) {
                 return nb::str("Pot(amount={}, contestants={!r}, winners={!r}, shares={!r}, parts={!r})")
                     .format(p.amount, p.contestants, p.winners, p.shares, p.parts);
             })
        .def("__getstate__",
             [](const PotView& p) { return nb::make_tuple(p.amount, p.contestants, p.winners, p.shares, p.parts); })
        .def("__setstate__", [](PotView& self, const std::tuple<Chips, nb::list, nb::list, nb::list, nb::list>& state) {
            const auto& [amount, contestants, winners, shares, parts] = state;
            new (&self) PotView{amount, contestants, winners, shares, parts};
        });
}

void bind_legal(nb::module_& m) {
    value_class<Legal>(m, "Legal",
                       "What the seat to act may do. Raises are totals on this street; 0 means that none is allowed.")
        .def_ro("fold", &Legal::fold)
        .def_ro("check", &Legal::check)
        .def_ro("call", &Legal::call)
        .def_ro("min_raise_to", &Legal::min_raise_to)
        .def_ro("max_raise_to", &Legal::max_raise_to)
        .def(
            "__eq__", [](const Legal& a, const Legal& b) { return a == b; }, nb::is_operator())
        .def("__repr__",
             [](const Legal& l) {
                 return nb::str("Legal(fold={}, check={}, call={}, min_raise_to={}, max_raise_to={})")
                     .format(l.fold, l.check, l.call, l.min_raise_to, l.max_raise_to);
             })
        .def("__getstate__",
             [](const Legal& l) { return std::tuple(l.fold, l.check, l.call, l.min_raise_to, l.max_raise_to); })
        .def("__setstate__", [](Legal& self, const std::tuple<bool, bool, Chips, Chips, Chips>& state) {
            self = std::make_from_tuple<Legal>(state);
        });
}

}  // namespace

void bind_hand(nb::module_& m) {
    bind_pot(m);
    bind_legal(m);
    value_class<Hand>(
        m, "Hand",
        "One hand of hold'em, Omaha (high or hi-lo) or short deck for 2-10 seats, from the posts to the payouts.\n\n"
        ">>> hand = Hand([100, 100, 100], blinds=(1, 2))\n"
        ">>> hand.act('raise', 6)\n"
        ">>> hand.act('fold'), hand.act('fold')\n"
        "(None, None)\n"
        ">>> hand.stacks\n"
        "[99, 98, 103]")
        .def_prop_ro_static("__signature__", &signature_of)
        .def(
            "__init__",
            [](Hand* self, nb::handle stacks, nb::handle blinds, nb::handle ante, nb::handle big_blind_ante,
               nb::handle straddle, nb::handle button, nb::handle variant, nb::handle limit, nb::handle deck,
               nb::handle posts, nb::handle big_blind_seat, nb::handle cap, bool half_bet, bool ante_first,
               nb::handle straddle_seat, bool button_blind, nb::handle bomb, nb::handle boards, nb::handle runs,
               nb::handle seven_deuce) {
                Rules rules = rules_from(stacks, blinds, ante, big_blind_ante, straddle, straddle_seat, button_blind,
                                         bomb, button, variant, limit, posts, big_blind_seat, cap, half_bet, ante_first,
                                         boards, seven_deuce);
                rules.runs = int_from(runs, "the number of runs");
                Hand hand = Hand::posted(rules);
                if (deck.is_none()) {
                    ChaCha20 random(os_entropy());
                    hand.deal_unchecked(shuffled_deck(hand.variant, hand.cards_needed(), random));
                } else {
                    const CardList cards = card_list_from(deck);
                    hand.deal({cards.begin(), cards.end()});
                }
                new (self) Hand(hand);
            },
            "stacks"_a, nb::kw_only(), "blinds"_a = nb::make_tuple(1, 2), "ante"_a = 0, "big_blind_ante"_a = 0,
            "straddle"_a = 0, "button"_a = nb::none(), "variant"_a = "holdem", "limit"_a = "no-limit",
            "deck"_a = nb::none(), "posts"_a = nb::none(), "big_blind_seat"_a = nb::none(), "cap"_a = 4,
            "half_bet"_a = true, "ante_first"_a = false, "straddle_seat"_a = nb::none(), "button_blind"_a = false,
            "bomb"_a = 0, "boards"_a = 1, "runs"_a = 1, "seven_deuce"_a = 0)
        .def_prop_ro("seats", [](const Hand& h) { return int{h.seats}; })
        .def_prop_ro("button", [](const Hand& h) { return int{h.button}; })
        .def_prop_ro("variant", [](const Hand& h) { return name_of(h.variant); })
        .def_prop_ro("limit", [](const Hand& h) { return name_of(h.limit); })
        .def_prop_ro(
            "actor",
            [](const Hand& h) -> nb::object { return h.actor < 0 ? nb::none() : nb::object(nb::int_(h.actor)); })
        .def_prop_ro("done", &Hand::done)
        .def_prop_ro("street", [](const Hand& h) { return int{h.street}; })
        .def_prop_ro("board", [](const Hand& h) { return numbers_of(h.board()); })
        .def_prop_ro("boards", &boards_of)
        .def("rabbit", &rabbit_of)
        .def_prop_ro("awaits_runs", &Hand::awaits_runs)
        .def_prop_ro("most_runs", &Hand::most_runs)
        .def(
            "run",
            [](Hand& h, nb::handle times) {
                if (!h.awaits_runs()) throw nb::value_error("the board is not to be run now");
                if (!h.run(int_from(times, "the number of runs")))
                    throw nb::value_error(
                        ("the board is run 1 to " + std::to_string(h.most_runs()) + " times").c_str());
            },
            "times"_a)
        .def_prop_ro("bounty", &bounty_of)
        .def_prop_ro("unclaimed_bounty",
                     [](const Hand& h) -> nb::object {
                         const int seat = h.unclaimed_bounty();
                         return seat < 0 ? nb::none() : nb::object(nb::int_(seat));
                     })
        .def("claim_bounty",
             [](Hand& h) {
                 if (!h.claim_bounty()) throw nb::value_error("there is no bounty to claim");
             })
        .def(
            "hole",
            [](const Hand& h, nb::handle seat_number) {
                const int seat = seat_from(h, seat_number);
                nb::list cards;
                for (int i = 0; i < h.hole_cards(); ++i) cards.append(int{h.hole_card(seat, i)});
                return cards;
            },
            "seat"_a)
        .def_prop_ro("starting", [](const Hand& h) { return chips_by_seat(h, h.starting); })
        .def_prop_ro("stacks", [](const Hand& h) { return chips_by_seat(h, h.settled_stacks()); })
        .def_prop_ro("bets", [](const Hand& h) { return chips_by_seat(h, h.bets); })
        .def_prop_ro("contributed",
                     [](const Hand& h) {
                         nb::list list;
                         for (int seat = 0; seat < h.seats; ++seat) list.append(h.contributed(seat));
                         return list;
                     })
        .def_prop_ro("folded", [](const Hand& h) { return flags_by_seat(h, h.folded); })
        .def_prop_ro("all_in", [](const Hand& h) { return flags_by_seat(h, h.unfolded() & ~h.able); })
        .def(
            "standing",
            [](const Hand& h, nb::handle seat_number) {
                const int seat = seat_from(h, seat_number);
                const int held = h.folded & seat_bit(seat) ? 0 : h.hole_cards();
                return nb::make_tuple(h.stacks[seat], h.bets[seat], h.contributed(seat), held, h.is_all_in(seat));
            },
            "seat"_a)
        .def_prop_ro("pot", &Hand::pot)
        .def("legal", [](const Hand& h) { return h.actor < 0 ? nb::none() : nb::cast(h.legal()); })
        .def("all_in_to", &all_in_to)
        .def("sizes",
             [](const Hand& h) {
                 nb::list sizes;
                 for (const Size& size : raise_sizes(h)) sizes.append(nb::make_tuple(size.name, size.percent, size.to));
                 return sizes;
             })
        .def(
            "to_call", [](const Hand& h, nb::handle seat) { return chips_to_call(h, seat_from(h, seat)); }, "seat"_a)
        .def("act", nb::overload_cast<Hand&, nb::handle, nb::handle>(&act), "kind"_a, "amount"_a = 0)
        .def("after", &after, "kind"_a, "amount"_a = 0)
        .def(
            "fold_out_of_turn",
            [](Hand& h, nb::handle seat_number) {
                const int seat = seat_from(h, seat_number);
                if (h.done()) throw nb::value_error("the hand is over");
                if (h.folded & seat_bit(seat)) throw nb::value_error("this seat has folded already");
                if (h.awaits_runs()) throw nb::value_error("the betting is over: this hand plays on");
                if (!h.leave(seat)) throw nb::value_error("this seat is all-in: its hand plays on");
            },
            "seat"_a)
        .def(
            "payouts",
            [](const Hand& h) -> nb::object { return h.done() ? nb::object(chips_by_seat(h, h.payouts)) : nb::none(); })
        .def_prop_ro("returned",
                     [](const Hand& h) -> nb::object {
                         return h.returned ? nb::object(nb::make_tuple(int{h.returned_seat}, h.returned)) : nb::none();
                     })
        .def("pots", &pots_of)
        .def("pots_before",
             [](const Hand& h) {
                 nb::list list;
                 for (const PotResult& pot : h.pots_before())
                     list.append(nb::make_tuple(pot.amount, list_of(pot.contestants)));
                 return list;
             })
        .def("showdown",
             [](const Hand& h) {
                 nb::list list;
                 for (const auto& [seat, must_show] : h.showdown()) list.append(nb::make_tuple(seat, must_show));
                 return list;
             })
        .def(
            "rank",
            [](const Hand& h, nb::handle seat_number, nb::handle on) {
                const int seat = seat_from(h, seat_number);
                if (h.board().empty()) throw nb::value_error("a rank needs a board");
                return h.rank(seat, which_board_from(h, on));
            },
            "seat"_a, "on"_a = 0)
        .def(
            "low_rank",
            [](const Hand& h, nb::handle seat_number, nb::handle on) -> nb::object {
                const int seat = seat_from(h, seat_number);
                if (h.board().empty()) throw nb::value_error("a rank needs a board");
                const int rank = h.low_rank(seat, which_board_from(h, on));
                return rank == 0 ? nb::none() : nb::object(nb::int_(rank));
            },
            "seat"_a, "on"_a = 0)
        .def(
            "best",
            [](const Hand& h, nb::handle seat_number, nb::handle board_cards, nb::handle on) {
                const auto [rank, five] =
                    h.best(seat_from(h, seat_number), board_from(h, board_cards), which_board_from(h, on));
                return nb::make_tuple(int{rank}, nb::make_tuple(five[0], five[1], five[2], five[3], five[4]));
            },
            "seat"_a, "board"_a, "on"_a = 0)
        .def("worths", &worths_of, "seat"_a, "board"_a)
        .def("face_up", &face_up, "seat"_a, "board"_a)
        .def("settlement", &settlement, "seats"_a)
        .def("copy", [](const Hand& h) { return h; })
        .def("__copy__", [](const Hand& h) { return h; })
        .def(
            "__deepcopy__", [](const Hand& h, nb::handle) { return h; }, "memo"_a)
        .def(
            "__eq__", [](const Hand& a, const Hand& b) { return a == b; }, nb::is_operator())
        .def("__repr__", &describe)
        .def("to_bytes", &bytes_of)
        .def_static("from_bytes", &hand_of, "data"_a)
        .def("__getstate__", &bytes_of)
        .def("__setstate__", [](Hand& self, const nb::bytes& state) { new (&self) Hand(hand_of(state)); });
}

}  // namespace parlour
