#include "solver/sampler.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "bindings.hpp"
#include "solver/strength.hpp"
#include "solver_nodes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

using namespace solver;

template <typename Number>
using Row = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;
template <typename Number>
using Given = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig>;

template <typename Number>
Row<Number> row_of(std::vector<Number> values) {
    auto* kept = new std::vector<Number>(std::move(values));
    const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<Number>*>(data); });
    return Row<Number>(kept->data(), {kept->size()}, owner);
}

template <typename Number>
std::vector<Number> values_of(const Given<Number>& row) {
    return {row.data(), row.data() + row.shape(0)};
}

// A sampler that does one thing at a time.
class Sampling {
public:
    Sampling(const std::vector<NodeRow>& nodes, const Given<std::uint64_t>& hands, std::vector<int> buckets,
             const Given<std::uint8_t>& bucket_of, const Given<std::uint16_t>& ranks, std::uint64_t seed)
        : sampler_(nodes_of(nodes), {values_of(hands), std::move(buckets), values_of(bucket_of), values_of(ranks)},
                   seed) {}

    std::int64_t hands() const { return sampler_.hands(); }
    void run(std::int64_t hands) {
        use([&] {
            while (hands > 0) {
                const std::int64_t some = std::min<std::int64_t>(hands, BetweenSignals);
                {
                    const nb::gil_scoped_release release;
                    sampler_.run(some);
                }
                hands -= some;
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }
        });
    }
    Row<float> strategy(int node) {
        std::vector<float> found;
        use([&] { found = sampler_.strategy(node); });
        return row_of(std::move(found));
    }
    Row<float> weight(int node) {
        std::vector<float> found;
        use([&] { found = sampler_.weight(node); });
        return row_of(std::move(found));
    }

private:
    static constexpr std::int64_t BetweenSignals = 2000;

    template <typename Task>
    void use(const Task& task) {
        if (busy_.exchange(true)) throw std::runtime_error("this game is being solved already");
        const struct Done {
            std::atomic<bool>& busy;
            ~Done() { busy = false; }
        } done{busy_};
        task();
    }

    Sampler sampler_;
    std::atomic<bool> busy_{false};
};

}  // namespace

void bind_sampler(nb::module_& m) {
    nb::class_<Sampling>(m, "TreeSampler")
        .def(nb::init<const std::vector<NodeRow>&, const Given<std::uint64_t>&, std::vector<int>,
                      const Given<std::uint8_t>&, const Given<std::uint16_t>&, std::uint64_t>(),
             "nodes"_a, "hands"_a, "buckets"_a, "bucket_of"_a, "ranks"_a, "seed"_a)
        .def_prop_ro("hands", &Sampling::hands)
        .def("run", &Sampling::run, "hands"_a)
        .def("strategy", &Sampling::strategy, "node"_a)
        .def("weight", &Sampling::weight, "node"_a);
    m.def(
        "strengths",
        [](const std::vector<int>& board, int rivers) {
            CardMask mask = 0;
            for (const int card : board) {
                if (card < 0 || card >= DeckSize) throw std::invalid_argument("a card is a number from 0 to 51");
                if (mask & mask_of(static_cast<Card>(card))) throw std::invalid_argument("a board has a card twice");
                mask |= mask_of(static_cast<Card>(card));
            }
            Strengths found;
            {
                const nb::gil_scoped_release release;
                found = strengths(mask, rivers);
            }
            return nb::make_tuple(row_of(std::move(found.mean)), row_of(std::move(found.square)),
                                  row_of(std::move(found.ranks)));
        },
        "board"_a, "rivers"_a);
}

}  // namespace parlour
