#include "holdem/batch.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "bindings.hpp"
#include "hand_arguments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

using Moves = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Amounts = nb::ndarray<const Chips, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A read-only NumPy view of an array of the batch, one row a table; it lives as long as the batch and follows its
// steps.
template <class T>
nb::object rows(nb::handle batch, const std::vector<T>& data, std::initializer_list<std::size_t> shape) {
    return nb::cast(nb::ndarray<nb::numpy, const T>(data.data(), shape.size(), std::data(shape), batch));
}

template <class T>
nb::object flags(nb::handle batch, const std::vector<T>& data, std::initializer_list<std::size_t> shape) {
    return nb::cast(nb::ndarray<nb::numpy, const bool>(reinterpret_cast<const bool*>(data.data()), shape.size(),
                                                       std::data(shape), batch));
}

// The same over a field inside each hand.
template <class T>
nb::object field(nb::handle batch, const HandBatch& b, const T& first) {
    const std::size_t shape[1] = {b.tables()};
    const std::int64_t strides[1] = {sizeof(Hand) / sizeof(T)};
    return nb::cast(nb::ndarray<nb::numpy, const T>(&first, 1, shape, batch, strides));
}

nb::object field(nb::handle batch, const HandBatch& b, const std::array<Chips, MaxSeats>& first) {
    const std::size_t shape[2] = {b.tables(), static_cast<std::size_t>(b.seats())};
    const std::int64_t strides[2] = {sizeof(Hand) / sizeof(Chips), 1};
    return nb::cast(nb::ndarray<nb::numpy, const Chips>(first.data(), 2, shape, batch, strides));
}

static_assert(sizeof(Hand) % sizeof(Chips) == 0, "NumPy strides count whole elements");

void step(HandBatch& batch, const Moves& moves, const std::optional<Amounts>& raise_to) {
    if (moves.size() != batch.tables() || (raise_to && raise_to->size() != batch.tables()))
        throw nb::value_error("one action and one amount for each table");
    std::ptrdiff_t illegal;
    {
        nb::gil_scoped_release released;
        illegal = batch.step({moves.data(), moves.size()},
                             raise_to ? std::span(raise_to->data(), raise_to->size()) : std::span<const Chips>());
    }
    if (illegal >= 0) throw nb::value_error(("the action of table " + std::to_string(illegal) + " is illegal").c_str());
}

template <auto Member>
nb::object chips(nb::handle self) {
    const HandBatch& b = nb::cast<const HandBatch&>(self);
    return rows(self, b.*Member, {b.tables()});
}

template <auto Member>
nb::object chips_by_seat(nb::handle self) {
    const HandBatch& b = nb::cast<const HandBatch&>(self);
    return rows(self, b.*Member, {b.tables(), static_cast<std::size_t>(b.seats())});
}

template <auto Member>
nb::object of_hands(nb::handle self) {
    const HandBatch& b = nb::cast<const HandBatch&>(self);
    return field(self, b, b.hands.front().*Member);
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<HandBatch>(m, "HandBatch",
                          "Many hands under the same rules, one action a table in each step; a hand that ends is dealt "
                          "anew. The arrays are read-only views that follow every step.")
        .def_prop_ro_static("__signature__", &signature_of)
        .def(
            "__init__",
            [](HandBatch* self, nb::handle n, nb::handle stacks, nb::handle blinds, nb::handle ante,
               nb::handle big_blind_ante, nb::handle straddle, nb::handle button, nb::handle variant, nb::handle limit,
               nb::handle posts, nb::handle big_blind_seat, nb::handle cap, bool half_bet, bool ante_first,
               nb::handle seed, nb::handle straddle_seat, bool button_blind, nb::handle bomb, nb::handle boards,
               nb::handle seven_deuce) {
                const int tables = int_from(n, "the number of tables");
                if (tables < 1 || tables > 1 << 24)
                    throw nb::value_error("the number of tables must lie between 1 and 2**24");
                new (self) HandBatch(static_cast<std::size_t>(tables),
                                     rules_from(stacks, blinds, ante, big_blind_ante, straddle, straddle_seat,
                                                button_blind, bomb, button, variant, limit, posts, big_blind_seat, cap,
                                                half_bet, ante_first, boards, seven_deuce),
                                     button.is_none() && posts.is_none() && straddle_seat.is_none(), key_from(seed));
            },
            "n"_a, "stacks"_a, nb::kw_only(), "blinds"_a = nb::make_tuple(1, 2), "ante"_a = 0, "big_blind_ante"_a = 0,
            "straddle"_a = 0, "button"_a = nb::none(), "variant"_a = "holdem", "limit"_a = "no-limit",
            "posts"_a = nb::none(), "big_blind_seat"_a = nb::none(), "cap"_a = 4, "half_bet"_a = true,
            "ante_first"_a = false, "seed"_a = nb::none(), "straddle_seat"_a = nb::none(), "button_blind"_a = false,
            "bomb"_a = 0, "boards"_a = 1, "seven_deuce"_a = 0)
        .def("__len__", &HandBatch::tables)
        .def("step", &step, "actions"_a, "amounts"_a = nb::none())
        .def(
            "hand",
            [](const HandBatch& b, nb::handle index) {
                const int table = int_from(index, "the table");
                if (table < 0 || static_cast<std::size_t>(table) >= b.tables())
                    throw nb::value_error("there is no such table");
                return b.hand(static_cast<std::size_t>(table));
            },
            "table"_a)
        .def_prop_ro("finished", [](const HandBatch& b) { return b.finished; })
        .def_prop_ro("actor", &of_hands<&Hand::actor>)
        .def_prop_ro("button", &of_hands<&Hand::button>)
        .def_prop_ro("street", &of_hands<&Hand::street>)
        .def_prop_ro("folded", &of_hands<&Hand::folded>)
        .def_prop_ro("stacks", &of_hands<&Hand::stacks>)
        .def_prop_ro("bets", &of_hands<&Hand::bets>)
        .def_prop_ro("call", &chips<&HandBatch::call>)
        .def_prop_ro("min_raise_to", &chips<&HandBatch::min_raise_to>)
        .def_prop_ro("max_raise_to", &chips<&HandBatch::max_raise_to>)
        .def_prop_ro("payouts", &chips_by_seat<&HandBatch::payouts>)
        .def_prop_ro("rewards", &chips_by_seat<&HandBatch::rewards>)
        .def_prop_ro("done",
                     [](nb::handle self) {
                         const HandBatch& b = nb::cast<const HandBatch&>(self);
                         return flags(self, b.done, {b.tables()});
                     })
        .def_prop_ro("legal",
                     [](nb::handle self) {
                         const HandBatch& b = nb::cast<const HandBatch&>(self);
                         return flags(self, b.legal, {b.tables(), MoveCount});
                     })
        .def_prop_ro("board",
                     [](nb::handle self) {
                         const HandBatch& b = nb::cast<const HandBatch&>(self);
                         const std::size_t shape[2] = {b.tables(), 5};
                         const std::int64_t strides[2] = {5 * b.boards(), 1};
                         return nb::cast(nb::ndarray<nb::numpy, const Card>(b.board.data(), 2, shape, self, strides));
                     })
        .def_prop_ro("boards",
                     [](nb::handle self) {
                         const HandBatch& b = nb::cast<const HandBatch&>(self);
                         return rows(self, b.board, {b.tables(), static_cast<std::size_t>(b.boards()), 5});
                     })
        .def_prop_ro("hole", [](nb::handle self) {
            const HandBatch& b = nb::cast<const HandBatch&>(self);
            return rows(self, b.hole,
                        {b.tables(), static_cast<std::size_t>(b.seats()), static_cast<std::size_t>(b.hole_cards())});
        });
}

}  // namespace parlour
