// Cards and evaluation.
#include "bindings.hpp"
#include "card_args.hpp"

#include "cards/hand_name.hpp"
#include "cards/variant.hpp"

#include <nanobind/stl/string.h>

#include <stdexcept>

namespace parlour {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

bool has_size_of_hand(const CardList& cards) { return cards.size() >= 5 && cards.size() <= 7; }

std::string size_fault(const CardList& cards) {
    return "a hand has 5, 6 or 7 cards, not " + std::to_string(cards.size());
}

// rank(cards): a bare C function, because the call costs more than the evaluation.
PyObject* rank(PyObject*, PyObject* argument) {
    CardList cards;
    if (!read_cards(argument, cards)) return nullptr;
    if (!has_size_of_hand(cards)) {
        PyErr_SetString(PyExc_ValueError, size_fault(cards).c_str());
        return nullptr;
    }
    return PyLong_FromLong(evaluate(cards.mask()));
}

PyMethodDef bare_functions[] = {
    {"rank", rank, METH_O, "rank($module, cards, /)\n--\n\nThe rank of 5, 6 or 7 cards, 1 to 7462; higher is better."},
    {nullptr, nullptr, 0, nullptr},
};

CardMask hand_from(nb::handle argument) {
    const CardList cards = card_list_from(argument);
    if (!has_size_of_hand(cards)) throw std::invalid_argument(size_fault(cards));
    return cards.mask();
}

// (rank, the five cards in reading order)
nb::tuple result(int rank, const std::array<Card, 5>& cards) {
    return nb::make_tuple(rank, nb::make_tuple(cards[0], cards[1], cards[2], cards[3], cards[4]));
}

nb::tuple result(Variant variant, CardMask hand, CardMask board) {
    const HandRank rank = showdown_rank(variant, hand, board);
    return result(rank, showdown_cards(variant, rank, hand, board));
}

nb::tuple low_result(LowRank rank, CardMask cards, CardMask hole) { return result(rank, low_cards(rank, cards, hole)); }

nb::tuple evaluate_high(nb::handle cards) { return result(Variant::Holdem, hand_from(cards), 0); }

nb::tuple evaluate_in_short_deck(nb::handle cards) {
    const CardMask hand = hand_from(cards);
    if (const CardMask foreign = hand & ~ShortDeck)
        throw std::invalid_argument("the short deck has no " + to_string(static_cast<Card>(std::countr_zero(foreign))));
    return result(Variant::ShortDeck, hand, 0);
}

nb::tuple evaluate_for_low(nb::handle cards) {
    const CardMask hand = hand_from(cards);
    return low_result(evaluate_low(hand), hand, 0);
}

nb::tuple evaluate_in_omaha(nb::handle hole_cards, nb::handle board_cards, bool low) {
    const CardList hole = card_list_from(hole_cards), board = card_list_from(board_cards);
    if (hole.size() < 4 || hole.size() > 6)
        throw std::invalid_argument("an Omaha hand has 4, 5 or 6 cards, not " + std::to_string(hole.size()));
    if (board.size() < 3 || board.size() > 5)
        throw std::invalid_argument("a board has 3, 4 or 5 cards, not " + std::to_string(board.size()));
    if (const CardMask both = hole.mask() & board.mask())
        throw std::invalid_argument("the card " + to_string(static_cast<Card>(std::countr_zero(both))) +
                                    " is in the hand and on the board");
    if (low) return low_result(evaluate_omaha_low(hole.mask(), board.mask()), hole.mask() | board.mask(), hole.mask());
    return result(Variant::Omaha, hole.mask(), board.mask());
}

nb::list parse(nb::handle text_or_sequence) {
    nb::list result;
    for (const Card card : card_list_from(text_or_sequence)) result.append(card);
    return result;
}

// What `name`, of five cards, says of those in the argument.
template <std::string name(std::span<const Card, 5>)>
std::string named(nb::handle argument) {
    const CardList cards = card_list_from(argument);
    if (cards.size() != 5)
        throw std::invalid_argument("a name is that of five cards, not " + std::to_string(cards.size()));
    return name(std::span<const Card, 5>(cards.begin(), 5));
}

}  // namespace

void bind_evaluator(nb::module_& m) {
    if (PyModule_AddFunctions(m.ptr(), bare_functions) < 0) throw nb::python_error();
    m.def("parse_cards", &parse, "cards"_a.none(), "Cards in any notation as numbers, in the same order, none twice.");
    m.def("evaluate", &evaluate_high, "cards"_a.none(), "(rank, five cards) of a hold'em hand.");
    m.def("evaluate_short_deck", &evaluate_in_short_deck, "cards"_a.none(),
          "(rank, five cards) on the scale of the short deck.");
    m.def("evaluate_low", &evaluate_for_low, "cards"_a.none(), "(rank, five cards) for ace-to-five low, 1 to 6175.");
    m.def("evaluate_omaha", &evaluate_in_omaha, "hole"_a.none(), "board"_a.none(), "low"_a = false,
          "(rank, five cards) with two of the hand and three of the board.");
    m.def("hand_name", &named<hand_name>, "cards"_a.none(), "The words for five cards in reading order.");
    m.def("hand_code", &named<hand_code>, "cards"_a.none(), "The same for programs, such as two_pair:AKQ.");
}

}  // namespace parlour
