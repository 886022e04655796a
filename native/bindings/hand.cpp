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
    nb::list contestants, winners, shares;
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

std::string explain(const Hand& hand, Fault fault) {
    const Legal legal = hand.legal();
    switch (fault) {
        case Fault::HandOver: return "the hand is over";
        case Fault::BetToCall: return "cannot check: there are " + std::to_string(legal.call) + " to call";
        case Fault::NothingToCall: return "cannot call: there is nothing to call";
        case Fault::RaiseClosed: return "cannot raise: this seat may only call or fold";
        case Fault::RaiseTooSmall: return "cannot raise to less than " + std::to_string(legal.min_raise_to);
        case Fault::RaiseTooBig: return "cannot raise to more than " + std::to_string(legal.max_raise_to);
        case Fault::None: break;
    }
    return "";
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
    const bool goes_on = !next.done() && next.street == hand.street;
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

nb::list shares_of(const PotResult& pot) {
    nb::list shares;
    for (SeatMask left = pot.winners; left; left &= left - 1) shares.append(pot.shares[std::countr_zero(left)]);
    return shares;
}

nb::list pots_of(const Hand& hand) {
    nb::list list;
    for (const PotResult& pot : hand.pots()) {
        list.append(PotView{pot.amount, list_of(pot.contestants), list_of(pot.winners), shares_of(pot)});
    }
    return list;
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
    for (const PotResult& pot : hand.pots()) {
        pots.append(
            nb::make_tuple(pot.amount, named(pot.contestants, seats), named(pot.winners, seats), shares_of(pot)));
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
           (hand.done() ? ", over>" : ", seat " + std::to_string(hand.actor) + " to act>");
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
        .def(
            "__eq__",
            [](const PotView& a, const PotView& b) {
                return a.amount == b.amount && a.contestants.equal(b.contestants) && a.winners.equal(b.winners) &&
                       a.shares.equal(b.shares);
            },
            nb::is_operator())
        .def("__repr__",
             [](const PotView& p) {
                 return nb::str("Pot(amount={}, contestants={!r}, winners={!r}, shares={!r})")
                     .format(p.amount, p.contestants, p.winners, p.shares);
             })
        .def("__getstate__",
             [](const PotView& p) { return nb::make_tuple(p.amount, p.contestants, p.winners, p.shares); })
        .def("__setstate__", [](PotView& self, const std::tuple<Chips, nb::list, nb::list, nb::list>& state) {
            const auto& [amount, contestants, winners, shares] = state;
            new (&self) PotView{amount, contestants, winners, shares};
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
    value_class<Hand>(m, "Hand",
                      "One hand of hold'em, Omaha or short deck for 2-10 seats, from the posts to the payouts.\n\n"
                      ">>> hand = Hand([100, 100, 100], blinds=(1, 2))\n"
                      ">>> hand.act('raise', 6)\n"
                      ">>> hand.act('fold'), hand.act('fold')\n"
                      "(None, None)\n"
                      ">>> hand.stacks\n"
                      "[99, 98, 103]")
        .def(
            "__init__",
            [](Hand* self, nb::handle stacks, nb::handle blinds, nb::handle ante, nb::handle big_blind_ante,
               nb::handle straddle, nb::handle button, nb::handle variant, nb::handle limit, nb::handle deck,
               nb::handle posts, nb::handle big_blind_seat, nb::handle cap, bool half_bet, bool ante_first) {
                Hand hand = Hand::posted(rules_from(stacks, blinds, ante, big_blind_ante, straddle, button, variant,
                                                    limit, posts, big_blind_seat, cap, half_bet, ante_first));
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
            "half_bet"_a = true, "ante_first"_a = false)
        .def_prop_ro("seats", [](const Hand& h) { return int{h.seats}; })
        .def_prop_ro("button", [](const Hand& h) { return int{h.button}; })
        .def_prop_ro("variant", [](const Hand& h) { return name_of(h.variant); })
        .def_prop_ro("limit", [](const Hand& h) { return name_of(h.limit); })
        .def_prop_ro("actor",
                     [](const Hand& h) -> nb::object { return h.done() ? nb::none() : nb::object(nb::int_(h.actor)); })
        .def_prop_ro("done", &Hand::done)
        .def_prop_ro("street", [](const Hand& h) { return int{h.street}; })
        .def_prop_ro("board",
                     [](const Hand& h) {
                         nb::list cards;
                         for (Card card : h.board()) cards.append(int{card});
                         return cards;
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
        .def_prop_ro("stacks", [](const Hand& h) { return chips_by_seat(h, h.stacks); })
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
        .def("legal", [](const Hand& h) { return h.done() ? nb::none() : nb::cast(h.legal()); })
        .def("all_in_to", [](const Hand& h) { return h.done() ? 0 : all_in_to(h); })
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
            [](const Hand& h, nb::handle seat_number) {
                const int seat = seat_from(h, seat_number);
                if (h.board().empty()) throw nb::value_error("a rank needs a board");
                return h.rank(seat);
            },
            "seat"_a)
        .def(
            "best",
            [](const Hand& h, nb::handle seat_number, nb::handle board_cards) {
                const auto [rank, five] = h.best(seat_from(h, seat_number), board_from(h, board_cards));
                return nb::make_tuple(int{rank}, nb::make_tuple(five[0], five[1], five[2], five[3], five[4]));
            },
            "seat"_a, "board"_a)
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
