#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "cards/evaluator.hpp"
#include "solver/solver.hpp"
#include "solver_nodes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

using namespace solver;

using Row = nb::ndarray<nb::numpy, float, nb::ndim<1>>;
using Weighted = std::pair<std::vector<int>, double>;  // the cards of a hand, and its weight
using Ranks = std::vector<std::vector<int>>;

Row row_of(std::vector<float> values) {
    auto* kept = new std::vector<float>(std::move(values));
    const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<float>*>(data); });
    return Row(kept->data(), {kept->size()}, owner);
}

std::vector<float> values_of(const nb::ndarray<const float, nb::ndim<1>, nb::c_contig>& row, std::size_t size) {
    if (row.shape(0) != size) throw std::invalid_argument("an array has the wrong length");
    return {row.data(), row.data() + size};
}

Card card_of(int card) {
    if (card < 0 || card >= DeckSize) throw std::invalid_argument("a card is a number from 0 to 51");
    return static_cast<Card>(card);
}

std::vector<Holdable> hands_of(const std::vector<Weighted>& hands, int player, int hole_cards) {
    std::vector<Holdable> found;
    for (const auto& [cards, weight] : hands) {
        if (static_cast<int>(cards.size()) != hole_cards) throw std::invalid_argument("a hand has too few cards");
        const Card second = hole_cards == 1 ? no_card(player) : card_of(cards[1]);
        found.push_back({card_of(cards[0]), second, static_cast<float>(weight)});
    }
    return found;
}

// Hold'em's own strengths, or those of a table: a row for each last card of the board, a column for each first of a
// hand.
Strength strength_of(const std::optional<Ranks>& ranks, CardMask board, int deals) {
    if (!ranks) return [](CardMask full, const Holdable& hand) { return evaluate(full | hand.mask()); };
    if (deals > 1) throw std::invalid_argument("a table of strengths knows one card of the board");
    for (const auto& row : *ranks)
        if (row.size() != DeckSize) throw std::invalid_argument("a row of strengths has 52 columns");
    if (ranks->size() != (deals == 1 ? DeckSize : 1))
        throw std::invalid_argument("there are too few rows of strengths");
    return [table = *ranks, board](CardMask full, const Holdable& hand) {
        const CardMask dealt = full & ~board;
        return static_cast<std::uint16_t>(table[dealt ? std::countr_zero(dealt) : 0][hand.a]);
    };
}

// A solver that does one thing at a time.
class Engine {
public:
    Engine(const std::array<std::vector<Weighted>, Players>& hands, const std::vector<NodeRow>& nodes,
           const std::vector<int>& board, const std::vector<int>& deck, int deals, int hole_cards,
           const std::optional<Ranks>& ranks, int threads)
        : solver_(make(hands, nodes, board, deck, deals, hole_cards, ranks), threads) {}

    std::uint64_t memory() const { return solver_.memory(); }

    void iterate(int iteration, double alpha, double beta, double gamma) {
        use([&](const auto& poll) { solver_.iterate(Discount::at(iteration, alpha, beta, gamma), poll); });
    }
    nb::tuple worth(int node, int board, int player,
                    const nb::ndarray<const float, nb::ndim<1>, nb::c_contig>& theirs) {
        check_place(node, board);
        const auto weights = values_of(theirs, solver_.game().hands[other(player)].size());
        Worth found;
        use([&](const auto& poll) { found = solver_.worth(node, board, player, weights, poll); });
        return nb::make_tuple(row_of(std::move(found.expected)), row_of(std::move(found.best)));
    }
    Row compatible(int player, const nb::ndarray<const float, nb::ndim<1>, nb::c_contig>& theirs) const {
        return row_of(solver_.compatible(player, values_of(theirs, solver_.game().hands[other(player)].size())));
    }
    Row strategy(int node, int board) {
        check_decision(node, board);
        std::vector<float> found;
        use([&](const auto&) { found = solver_.strategy(node, board); });
        return row_of(std::move(found));
    }
    void lock(int node, int board, const nb::ndarray<const float, nb::ndim<1>, nb::c_contig>& strategy) {
        check_decision(node, board);
        const Node& decision = solver_.game().nodes[static_cast<std::size_t>(node)];
        auto values = values_of(strategy, decision.children.size() * solver_.game().hands[decision.player].size());
        use([&](const auto&) { solver_.lock(node, board, std::move(values)); });
    }

private:
    static Game make(const std::array<std::vector<Weighted>, Players>& hands, const std::vector<NodeRow>& nodes,
                     const std::vector<int>& board, const std::vector<int>& deck, int deals, int hole_cards,
                     const std::optional<Ranks>& ranks) {
        if (hole_cards < 1 || hole_cards > 2) throw std::invalid_argument("a hand has one card or two");
        Game game;
        for (const int card : board) game.board |= mask_of(card_of(card));
        for (const int card : deck) game.deck.push_back(card_of(card));
        if (mask_of(game.deck) & game.board) throw std::invalid_argument("the deck has a card of the board");
        if (static_cast<int>(game.deck.size()) < deals + Players * hole_cards)
            throw std::invalid_argument("the deck has too few cards");
        game.deals = deals;
        game.hole_cards = hole_cards;
        game.strength = strength_of(ranks, game.board, deals);
        game.suits_alike = !ranks;
        for (int player = 0; player < Players; ++player)
            game.hands[player] = hands_of(hands[static_cast<std::size_t>(player)], player, hole_cards);
        game.nodes = nodes_of(nodes);
        return game;
    }

    static std::size_t other(int player) {
        if (player != 0 && player != 1) throw std::invalid_argument("a player is 0 or 1");
        return static_cast<std::size_t>(1 - player);
    }
    void check_place(int node, int board) const {
        if (node < 0 || node >= static_cast<int>(solver_.game().nodes.size()))
            throw std::invalid_argument("there is no such node");
        if (!solver_.has_board(node, board)) throw std::invalid_argument("there is no such board");
    }
    void check_decision(int node, int board) const {
        check_place(node, board);
        if (solver_.game().nodes[static_cast<std::size_t>(node)].kind != Kind::Decision)
            throw std::invalid_argument("nobody decides at this node");
    }

    // Does long work without the lock of the interpreter; Ctrl-C stops it.
    template <typename Task>
    void use(const Task& task) {
        // A signal's handler may ask as well, in the same thread.
        if (busy_.exchange(true)) throw std::runtime_error("this subgame is being solved already");
        const struct Done {
            std::atomic<bool>& busy;
            ~Done() { busy = false; }
        } done{busy_};
        const Solver::Poll poll = [] {
            const nb::gil_scoped_acquire gil;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        };
        const nb::gil_scoped_release release;
        task(poll);
    }

    Solver solver_;
    std::atomic<bool> busy_{false};
};

}  // namespace

void bind_solver(nb::module_& m) {
    nb::class_<Engine>(m, "TreeSolver")
        .def(nb::init<const std::array<std::vector<Weighted>, Players>&, const std::vector<NodeRow>&,
                      const std::vector<int>&, const std::vector<int>&, int, int, const std::optional<Ranks>&, int>(),
             "hands"_a, "nodes"_a, "board"_a, "deck"_a, "deals"_a, "hole_cards"_a, "ranks"_a.none(), "threads"_a)
        .def_prop_ro("memory", &Engine::memory)
        .def("iterate", &Engine::iterate, "iteration"_a, "alpha"_a, "beta"_a, "gamma"_a)
        .def("worth", &Engine::worth, "node"_a, "board"_a, "player"_a, "theirs"_a)
        .def("compatible", &Engine::compatible, "player"_a, "theirs"_a)
        .def("strategy", &Engine::strategy, "node"_a, "board"_a)
        .def("lock", &Engine::lock, "node"_a, "board"_a, "strategy"_a);
}

}  // namespace parlour
