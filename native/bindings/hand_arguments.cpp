#include "hand_arguments.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace nb = nanobind;

namespace parlour {

namespace {

constexpr std::array<const char*, 7> VariantNames = {"holdem",     "omaha",      "omaha5",     "omaha6",
                                                     "short-deck", "omaha-hilo", "omaha5-hilo"};
constexpr std::array<const char*, 3> LimitNames = {"no-limit", "pot-limit", "fixed-limit"};

[[noreturn]] void refuse(const std::string& fault) { throw nb::value_error(fault.c_str()); }
[[noreturn]] void refuse_type(const std::string& fault) { throw nb::type_error(fault.c_str()); }

// Any integer of Python, clamped into long long: callers compare it with far smaller bounds.
long long integer_from(nb::handle value, const char* what) {
    nb::object index = nb::borrow(value);
    if (!PyLong_CheckExact(value.ptr())) {
        if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr()))
            refuse_type(std::string(what) + " must be a whole number");
        index = nb::steal(PyNumber_Index(value.ptr()));
        if (!index.is_valid()) throw nb::python_error();
    }
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    return overflow == 0 ? number : overflow > 0 ? INT64_MAX : INT64_MIN;
}

nb::object sequence_from(nb::handle values, const char* what) {
    if (PyUnicode_Check(values.ptr()) || PyBytes_Check(values.ptr()))
        refuse_type(std::string(what) + " must be a sequence");
    nb::object fast = nb::steal(PySequence_Tuple(values.ptr()));
    if (!fast.is_valid()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        refuse_type(std::string(what) + " must be a sequence");
    }
    return fast;
}

template <std::size_t N>
int index_of(const std::array<const char*, N>& names, nb::handle value, const char* what) {
    const std::string_view name = text_from(value, what);
    std::string known;
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i]) return static_cast<int>(i);
        known += (i ? ", " : "") + std::string(names[i]);
    }
    refuse(std::string(what) + " must be one of " + known);
}

// A seat that is named, -1 for None.
int seat_or_default(nb::handle value, const char* what) {
    if (value.is_none()) return -1;
    const int seat = int_from(value, what);
    if (seat < 0) refuse(std::string(what) + " is not a seat");
    return seat;
}

}  // namespace

std::string_view text_from(nb::handle value, const char* what) {
    if (!PyUnicode_Check(value.ptr())) refuse_type(std::string(what) + " must be a text");
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (text == nullptr) {
        PyErr_Clear();
        refuse(std::string(what) + " is not valid text");
    }
    return {text, static_cast<std::size_t>(size)};
}

Chips chips_from(nb::handle value, const char* what) {
    const long long number = integer_from(value, what);
    if (number < 0) refuse(std::string(what) + " must not be negative");
    if (number > MaxChips) refuse(std::string(what) + " must be at most 10**15");
    return number;
}

int int_from(nb::handle value, const char* what) {
    const long long number = integer_from(value, what);
    if (number < INT32_MIN || number > INT32_MAX) refuse(std::string(what) + " is out of range");
    return static_cast<int>(number);
}

int seat_from(const Hand& hand, nb::handle value) {
    const int seat = int_from(value, "the seat");
    if (seat < 0 || seat >= hand.seats) throw nb::value_error("there is no such seat");
    return seat;
}

int which_board_from(const Hand& hand, nb::handle value) {
    const int which = int_from(value, "the board");
    if (which < 0 || which >= hand.board_count()) throw nb::value_error("there is no such board");
    return which;
}

int board_from(const Hand& hand, nb::handle value) {
    const int count = int_from(value, "the number of cards");
    if (count < 3 || static_cast<std::size_t>(count) > hand.board().size())
        throw nb::value_error("so many cards do not lie on the board");
    return count;
}

std::vector<Chips> chips_list_from(nb::handle values, const char* what) {
    const nb::object sequence = sequence_from(values, what);
    std::vector<Chips> chips;
    for (nb::handle value : sequence) chips.push_back(chips_from(value, what));
    return chips;
}

SeatMask seats_from(nb::handle values, int seats, const char* what) {
    SeatMask mask = 0;
    const nb::object sequence = sequence_from(values, what);
    for (nb::handle value : sequence) {
        const int seat = int_from(value, what);
        if (seat < 0 || seat >= seats) refuse(std::string(what) + " names a seat that is not there");
        mask |= seat_bit(seat);
    }
    return mask;
}

Variant variant_from(nb::handle name) { return static_cast<Variant>(index_of(VariantNames, name, "variant")); }
const char* name_of(Variant variant) { return VariantNames[static_cast<int>(variant)]; }
const char* name_of(Limit limit) { return LimitNames[static_cast<int>(limit)]; }

Rules rules_from(nb::handle stacks, nb::handle blinds, nb::handle ante, nb::handle big_blind_ante, nb::handle straddle,
                 nb::handle straddle_seat, bool button_blind, nb::handle bomb, nb::handle button, nb::handle variant,
                 nb::handle limit, nb::handle posts, nb::handle big_blind_seat, nb::handle cap, bool half_bet,
                 bool ante_first, nb::handle boards, nb::handle seven_deuce) {
    Rules rules;
    rules.half_bet = half_bet;
    rules.ante_first = ante_first;
    rules.stacks = chips_list_from(stacks, "a stack");
    const std::vector<Chips> pair = chips_list_from(blinds, "a blind");
    if (pair.size() != 2) refuse("blinds must be a pair: small and big");
    rules.small_blind = pair[0];
    rules.big_blind = pair[1];
    rules.ante = chips_from(ante, "the ante");
    rules.big_blind_ante = chips_from(big_blind_ante, "the big blind ante");
    rules.straddle = chips_from(straddle, "the straddle");
    rules.button_blind = button_blind;
    rules.bomb = chips_from(bomb, "the ante of a bomb pot");
    rules.boards = int_from(boards, "the number of boards");
    rules.seven_deuce = chips_from(seven_deuce, "the 7-2 bounty");
    rules.button = seat_or_default(button, "the button");
    rules.big_blind_seat = seat_or_default(big_blind_seat, "the big blind");
    rules.straddle_seat = seat_or_default(straddle_seat, "the straddler");
    rules.cap = int_from(cap, "the cap");
    rules.variant = variant_from(variant);
    rules.limit = static_cast<Limit>(index_of(LimitNames, limit, "limit"));
    if (!posts.is_none()) {
        rules.posts.emplace();
        const nb::object list = sequence_from(posts, "posts");
        for (nb::handle post : list) {
            const nb::object parts = sequence_from(post, "a post");
            if (nb::len(parts) != 3) refuse("a post must be (seat, live, dead)");
            rules.posts->push_back({int_from(parts[0], "a post's seat"), chips_from(parts[1], "a live post"),
                                    chips_from(parts[2], "a dead post")});
        }
    }
    return rules;
}

ChaChaKey key_from(nb::handle seed) {
    if (seed.is_none()) return os_entropy();
    if (!PyBytes_Check(seed.ptr())) refuse_type("the seed must be 32 bytes or None");
    ChaChaKey key;
    if (nb::len(seed) != key.size()) refuse("the seed must have exactly 32 bytes");
    const nb::bytes bytes = nb::borrow<nb::bytes>(seed);
    std::copy_n(static_cast<const std::uint8_t*>(bytes.data()), key.size(), key.begin());
    return key;
}

nb::list list_of(SeatMask seats) {
    nb::list list;
    for (; seats; seats &= seats - 1) list.append(std::countr_zero(seats));
    return list;
}

std::string explain(const Hand& hand, Fault fault) {
    const Legal legal = hand.legal();
    switch (fault) {
        case Fault::HandOver: return "the hand is over";
        case Fault::BettingOver: return "the betting is over: the board is still to be run";
        case Fault::BetToCall: return "cannot check: there are " + std::to_string(legal.call) + " to call";
        case Fault::NothingToCall: return "cannot call: there is nothing to call";
        case Fault::RaiseClosed: return "cannot raise: this seat may only call or fold";
        case Fault::RaiseTooSmall: return "cannot raise to less than " + std::to_string(legal.min_raise_to);
        case Fault::RaiseTooBig: return "cannot raise to more than " + std::to_string(legal.max_raise_to);
        case Fault::None: break;
    }
    return "";
}

}  // namespace parlour
