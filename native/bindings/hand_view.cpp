#include "hand_view.hpp"

#include <nanobind/nanobind.h>

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
    if (!PyTuple_Check(value.ptr()) || PyTuple_Size(value.ptr()) != N)
        throw nb::type_error(fault);
    std::array<nb::handle, N> found;
    for (std::size_t i = 0; i < N; ++i)
        found[i] = PyTuple_GetItem(value.ptr(), static_cast<Py_ssize_t>(i));
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
    if (value.is_none())
        return std::nullopt;
    const auto [word, amount, all_in] = members<3>(value, "what a seat did must be (word, amount, all-in)");
    Deed deed{text_from(word, "a word"), chips_from(amount, "an amount"), std::nullopt};
    if (!all_in.is_none())
        deed.all_in = all_in.is(Py_True);
    return deed;
}

// A row that is whole, or one that the hand goes on with: (its beginning, the place in the hand, chips besides).
Row row_from(const Hand& hand, nb::handle value, const nb::list& deeds) {
    if (PyBytes_Check(value.ptr()))
        return {.text = json_from(value)};
    const auto [text, place, behind] = members<3>(value, "a row must be bytes or (bytes, place, chips)");
    const int seat = seat_from(hand, place);
    return {json_from(text), seat, chips_from(behind, "the chips"), deed_from(deeds[static_cast<std::size_t>(seat)])};
}

nb::bytes write_public(const Hand& hand, const nb::bytes& head, const nb::list& board, const nb::list& seats,
                       nb::handle aggressor, const nb::list& deeds, const nb::list& rows) {
    if (seats.size() != hand.seats || deeds.size() != hand.seats || rows.size() > MaxSeats || board.size() > 5)
        throw nb::value_error("a seat and a deed for each place, at most 10 rows and a board of 5");
    std::array<std::string_view, 5> cards;
    for (std::size_t i = 0; i < board.size(); ++i)
        cards[i] = text_from(board[i], "a card");
    std::array<int, MaxSeats> numbers;
    for (std::size_t place = 0; place < hand.seats; ++place)
        numbers[place] = int_from(seats[place], "a seat");
    std::array<Row, MaxSeats> written;
    std::size_t count = 0;
    for (nb::handle row : rows)
        if (!row.is_none())
            written[count++] = row_from(hand, row, deeds);
    return bytes_of(public_json(hand, json_from(head), std::span(cards).first(board.size()),
                                std::span(numbers).first(hand.seats),
                                aggressor.is_none() ? std::nullopt : std::optional(int_from(aggressor, "a seat")),
                                std::span(written).first(count)));
}

// None where the hand has no name yet.
nb::object write_private(const Hand& hand, nb::handle seat_number, nb::handle board_cards, const nb::list& names) {
    const int seat = seat_from(hand, seat_number);
    if (int_from(board_cards, "the number of cards") == 0)
        return bytes_of(private_json(hand, seat, "", {}));
    const auto [rank, five] = hand.best(seat, board_from(hand, board_cards));
    if (rank >= names.size())
        throw nb::value_error("there must be a place for the name of every rank");
    const nb::object name = names[rank];
    return name.is_none() ? nb::none() : nb::object(bytes_of(private_json(hand, seat, text_from(name, "a name"), five)));
}

}  // namespace

void bind_hand_view(nb::module_& m) {
    m.def("public_json", &write_public, "hand"_a, "head"_a, "board"_a, "seats"_a, "aggressor"_a.none(), "deeds"_a,
          "rows"_a);
    m.def("choice_json", [](const Hand& hand) { return bytes_of(choice_json(hand)); }, "hand"_a);
    m.def("private_json", &write_private, "hand"_a, "seat"_a, "board"_a, "names"_a,
          nb::sig("def private_json(hand: Hand, seat: int, board: int, names: list[str | None]) -> bytes | None"));
}

}  // namespace parlour
