// Bulk evaluation over arrays, and over all hands.
#include "bindings.hpp"

#include "cards/bulk.hpp"
#include "cards/enumeration.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <thread>

namespace parlour {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Hands = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ranks = nb::ndarray<std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Kernel kernel_named(const std::string& name) {
    for (const Kernel kernel : available_kernels())
        if (name == name_of(kernel)) return kernel;
    throw std::invalid_argument("no kernel '" + name + "' on this machine");
}

std::string fault_of(const Card* hand, int size, std::size_t row) {
    CardMask seen = 0;
    for (int i = 0; i < size; ++i) {
        const std::string where = "row " + std::to_string(row) + ": ";
        if (hand[i] >= DeckSize) return where + "not a card: " + std::to_string(hand[i]) + " (numbers are 0 to 51)";
        if (seen & mask_of(hand[i])) return where + "the card " + to_string(hand[i]) + " is there twice";
        seen |= mask_of(hand[i]);
    }
    return {};
}

// `threads` 0 means as many as the machine has; an empty `kernel` means the fastest.
void evaluate_many(Hands hands, Ranks ranks, int threads, const std::string& kernel) {
    const std::size_t rows = hands.shape(0);
    const int size = static_cast<int>(std::min<std::size_t>(hands.shape(1), 8));
    if (size < 5 || size > 7) throw std::invalid_argument("a hand has 5, 6 or 7 cards");
    if (ranks.shape(0) != rows) throw std::invalid_argument("one rank is needed for each hand");
    const Kernel chosen = kernel.empty() ? available_kernels().back() : kernel_named(kernel);
    // To count the processors takes longer than to rank a few hands: ask only where a second thread would have work.
    if (threads == 0)
        threads = rows < 2 * RowsPerThread ? 1 : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::optional<std::size_t> bad;
    {
        nb::gil_scoped_release release;
        bad = evaluate_rows(hands.data(), rows, size, ranks.data(), threads, chosen);
    }
    if (bad) throw std::invalid_argument(fault_of(hands.data() + *bad * static_cast<std::size_t>(size), size, *bad));
}

nb::list kernels() {
    nb::list names;
    for (const Kernel kernel : available_kernels()) names.append(name_of(kernel));
    return names;
}

nb::list count_all() {
    RankCounts counts;
    {
        nb::gil_scoped_release release;
        counts = count_all_seven_card_hands();
    }
    nb::list result;
    for (const auto count : counts) result.append(count);
    return result;
}

}  // namespace

void bind_bulk(nb::module_& m) {
    m.def("evaluate_many", &evaluate_many, "hands"_a.noconvert(), "ranks"_a.noconvert(), "threads"_a = 0,
          "kernel"_a = "", "Writes the rank of each row of `hands` to `ranks`.");
    m.def("count_all_seven_card_hands", &count_all,
          "How many of the 133,784,560 hands have each rank; index 0 is unused.");
    m.def("bulk_kernels", &kernels, "The kernels of bulk evaluation that this machine can run, the fastest last.");
}

}  // namespace parlour
