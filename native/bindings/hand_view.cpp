#include "holdem/hand_view.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>

#include "bindings.hpp"
#include "hand_arguments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

nb::bytes bytes_of(const std::string& json) { return nb::bytes(json.data(), json.size()); }

// The members of a tuple of that many.
template <std::size_t N>
std::array<nb::handle, N> members(nb::handle value, const char* fault) {
    if (!PyTuple_Check(value.ptr()) || PyTuple_Size(value.ptr()) != N) throw nb::type_error(fault);
    std::array<nb::handle, N> found;
    for (std::size_t i = 0; i < N; ++i) found[i] = PyTuple_GetItem(value.ptr(), static_cast<Py_ssize_t>(i));
    return found;
}

std::string_view json_from(nb::handle value) {
    char* text = nullptr;
    Py_ssize_t size = 0;
    if (!PyBytes_Check(value.ptr()) || PyBytes_AsStringAndSize(value.ptr(), &text, &size) != 0)
        throw nb::type_error("JSON must be bytes");
    return {text, static_cast<std::size_t>(size)};
}

std::optional<Deed> deed_from(nb::handle value) {
    if (value.is_none()) return std::nullopt;
    const auto [word, amount, all_in] = members<3>(value, "what a seat did must be (word, amount, all-in)");
    Deed deed{text_from(word, "a word"), chips_from(amount, "an amount"), std::nullopt};
    if (!all_in.is_none()) deed.all_in = all_in.is(Py_True);
    return deed;
}

// True or False.
bool flag_from(nb::handle value, const char* fault) {
    if (!PyBool_Check(value.ptr())) throw nb::type_error(fault);
    return value.is(Py_True);
}

// A row that is whole, or one that the hand goes on with.
Row row_from(const Hand& hand, nb::handle value, const nb::list& deeds) {
    if (PyBytes_Check(value.ptr())) return {.text = json_from(value)};
    constexpr const char* Fault = "a row must be bytes or (bytes, place, chips, hides cards, sits out)";
    const auto [text, place, behind, hides, out] = members<5>(value, Fault);
    const int seat = seat_from(hand, place);
    return {json_from(text),
            seat,
            chips_from(behind, "the chips"),
            flag_from(hides, Fault),
            flag_from(out, Fault),
            deed_from(deeds[static_cast<std::size_t>(seat)])};
}

using Seats = std::array<int, MaxSeats>;

// Which seat each place is.
Seats seats_by_place(const Hand& hand, const nb::list& seats) {
    if (seats.size() != hand.seats) throw nb::value_error("a seat for each place");
    Seats numbers;
    for (std::size_t place = 0; place < hand.seats; ++place) numbers[place] = int_from(seats[place], "a seat");
    return numbers;
}

nb::bytes write_public(const Hand& hand, const nb::bytes& head, const nb::list& board, const nb::list& seats,
                       nb::handle aggressor, const nb::list& deeds, const nb::list& rows, nb::handle result,
                       nb::handle run_out) {
    if (deeds.size() != hand.seats || rows.size() > MaxSeats || board.size() > 5)
        throw nb::value_error("a deed for each place, at most 10 rows and a board of 5");
    std::array<std::string_view, 5> cards;
    for (std::size_t i = 0; i < board.size(); ++i) cards[i] = text_from(board[i], "a card");
    const Seats numbers = seats_by_place(hand, seats);
    std::array<Row, MaxSeats> written;
    std::size_t count = 0;
    for (nb::handle row : rows)
        if (!row.is_none()) written[count++] = row_from(hand, row, deeds);
    return bytes_of(
        public_json(hand, json_from(head), std::span(cards).first(board.size()), std::span(numbers).first(hand.seats),
                    aggressor.is_none() ? std::nullopt : std::optional(int_from(aggressor, "a seat")),
                    std::span(written).first(count), result.is_none() ? std::nullopt : std::optional(json_from(result)),
                    run_out.is_none() ? "null" : json_from(run_out)));
}

int board_or_none_from(const Hand& hand, nb::handle cards) {
    return int_from(cards, "the number of cards") == 0 ? 0 : board_from(hand, cards);
}

ShownHand shown_from(std::span<const int> seats, const nb::list& gone, nb::handle seat, nb::handle cards) {
    ShownHand shown{.seat = int_from(seat, "a seat"), .cards = {}};
    const auto place = std::ranges::find(seats, shown.seat);
    if (place != seats.end()) shown.place = static_cast<int>(place - seats.begin());
    for (nb::handle left : gone)
        if (int_from(left, "a seat") == shown.seat) shown.place = -1;
    if (!PyList_Check(cards.ptr()) || nb::len(cards) > MaxHoleCards)
        throw nb::type_error("a shown hand must be a list of at most 6 cards");
    for (nb::handle card : nb::borrow<nb::list>(cards)) shown.cards[shown.count++] = text_from(card, "a card");
    return shown;
}

nb::bytes write_result(const Hand& hand, nb::handle number, nb::handle board_cards, const nb::list& seats,
                       const nb::list& gone, const nb::dict& shown) {
    if (!hand.done() || shown.size() > MaxSeats)
        throw nb::value_error("the hand must be over, and at most 10 hands shown");
    const Seats numbers = seats_by_place(hand, seats);
    const std::span<const int> places = std::span(numbers).first(hand.seats);
    std::array<ShownHand, MaxSeats> hands;
    std::size_t count = 0;
    for (const auto& [seat, cards] : shown) hands[count++] = shown_from(places, gone, seat, cards);
    return bytes_of(result_json(hand, int_from(number, "the number of the hand"), board_or_none_from(hand, board_cards),
                                places, std::span(hands).first(count)));
}

nb::bytes write_private(const Hand& hand, nb::handle seat, nb::handle board_cards) {
    return bytes_of(private_json(hand, seat_from(hand, seat), board_or_none_from(hand, board_cards)));
}

}  // namespace

void bind_hand_view(nb::module_& m) {
    m.def("public_json", &write_public, "hand"_a, "head"_a, "board"_a, "seats"_a, "aggressor"_a.none(), "deeds"_a,
          "rows"_a, "result"_a.none(), "run_out"_a.none());
    m.def("result_json", &write_result, "hand"_a, "number"_a, "board"_a, "seats"_a, "gone"_a, "shown"_a);
    m.def("choice_json", [](const Hand& hand) { return bytes_of(choice_json(hand)); }, "hand"_a);
    m.def("private_json", &write_private, "hand"_a, "seat"_a, "board"_a);
}

}  // namespace parlour
