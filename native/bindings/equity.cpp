#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "bindings.hpp"
#include "card_args.hpp"
#include "cards/equity.hpp"
#include "cards/preflop.hpp"
#include "cards/ranges.hpp"

namespace nb = nanobind;

namespace parlour {

namespace {

// Exact where it takes about a second of one thread; below the second limit threads cost more than they save.
constexpr double ExactLimit = 1e9, ThreadsFrom = 5e6;
// An exact answer that is asked for may take minutes; what would take longer is refused.
constexpr double CountLimit = 1e11;
// What one random deal costs at the least, in nanoseconds: counting every deal is chosen over so many trials only where
// it is no slower.
constexpr double TrialCost = 8;
constexpr int MaxThreads = 1024;
constexpr std::uint64_t DefaultTrials = 1'000'000, MaxTrials = 1'000'000'000'000;

Variant parse_variant(std::string_view name) {
    if (name == "holdem") return Variant::Holdem;
    if (name == "short-deck") return Variant::ShortDeck;
    if (name == "omaha") return Variant::Omaha;
    if (name == "omaha5") return Variant::Omaha5;
    if (name == "omaha6") return Variant::Omaha6;
    if (name == "omaha-hilo") return Variant::OmahaHiLo;
    if (name == "omaha5-hilo") return Variant::Omaha5HiLo;
    throw std::invalid_argument("unknown variant '" + excerpt(name) +
                                "': holdem, short-deck, omaha, omaha5, omaha6, omaha-hilo or omaha5-hilo");
}

// What a player's text means in a variant. Omaha knows hands and `random`, no ranges.
Hands parse_hands(std::string_view text, Variant variant) {
    Hands player;
    const int hole_cards = hole_cards_of(variant);
    if (hole_cards > 2) {
        if (text == "random" || text == "*") {
            player.any = true;
            return player;
        }
        const CardMask cards = parse_cards(text);
        if (std::popcount(cards) != hole_cards)
            throw std::invalid_argument("'" + excerpt(text) + "' is not a hand of " + std::to_string(hole_cards) +
                                        " cards");
        player.hands.push_back({cards, 1.0});
        return player;
    }
    const Range range = parse_range(text);
    const CardMask deck = deck_of(variant);
    for (int holding = 0; holding < HoldingCount; ++holding)
        if (range[holding] > 0 && !(Holdings[holding].mask() & ~deck))
            player.hands.push_back({Holdings[holding].mask(), range[holding]});
    if (player.hands.empty())
        throw std::invalid_argument("the range '" + excerpt(text) + "' is empty" +
                                    (variant == Variant::ShortDeck ? " in a short deck" : ""));
    const double weight = player.hands[0].weight;
    player.any = static_cast<int>(player.hands.size()) == std::popcount(deck) * (std::popcount(deck) - 1) / 2 &&
                 std::all_of(player.hands.begin(), player.hands.end(),
                             [weight](const auto& hand) { return hand.weight == weight; });
    if (player.any)
        for (auto& hand : player.hands) hand.weight = 1.0;
    return player;
}

bool unweighted(const Spot& spot) {
    return std::all_of(spot.players.begin(), spot.players.end(), [](const Hands& player) {
        return std::all_of(player.hands.begin(), player.hands.end(),
                           [](const auto& hand) { return hand.weight == 1.0; });
    });
}

int all_cores() { return std::clamp<int>(static_cast<int>(std::thread::hardware_concurrency()), 1, MaxThreads); }

std::uint64_t fresh_seed() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

nb::object count_or_none(double count, bool counted) {
    if (!counted) return nb::none();
    return nb::int_(static_cast<std::int64_t>(std::llround(count)));
}

// (players, exact, boards), a player as (win, tie, equity, stderr, wins, ties, losses).
nb::tuple to_python(const EquityResult& result, std::size_t players, bool counted) {
    const Tally& tally = result.tally;
    nb::list rows;
    for (std::size_t p = 0; p < players; ++p) {
        const double equity = tally.shares[p] / tally.total;
        double error = 0;
        if (!result.exact) {
            const double variance = std::max(0.0, tally.squares[p] / tally.total - equity * equity);
            error = std::sqrt(variance / std::max(1.0, tally.total - 1));
        }
        rows.append(nb::make_tuple(tally.wins[p] / tally.total, tally.ties[p] / tally.total, equity, error,
                                   count_or_none(tally.wins[p], counted), count_or_none(tally.ties[p], counted),
                                   count_or_none(tally.total - tally.wins[p] - tally.ties[p], counted)));
    }
    return nb::make_tuple(nb::tuple(rows), result.exact, static_cast<std::int64_t>(result.boards));
}

// The number of the holding that a player's text names, if it is two plain cards such as AhAs; -1 for anything else.
int plain_holding(PyObject* player) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_Check(player) ? PyUnicode_AsUTF8AndSize(player, &size) : nullptr;
    if (!text || size != 4) return -1;
    const auto first = plain_card(text[0], text[1]), second = plain_card(text[2], text[3]);
    return first && second && *first != *second ? holding_index(*first, *second) : -1;
}

// Two hands before the flop are answered from the table, past all preparation; nothing for any other spot.
std::optional<nb::tuple> look_up(PyObject* players) {
    if (!PyList_Check(players) || PyList_Size(players) != 2) return std::nullopt;
    const int first = plain_holding(PyList_GetItem(players, 0)), second = plain_holding(PyList_GetItem(players, 1));
    if (first < 0 || second < 0 || (Holdings[first].mask() & Holdings[second].mask())) return std::nullopt;
    const PreflopCounts counts = preflop_counts(first, second);
    const std::uint32_t losses = PreflopBoards - counts.wins - counts.ties;
    const auto row = [&counts](std::uint32_t wins, std::uint32_t lost) {
        constexpr double Boards = PreflopBoards;
        return nb::make_tuple(wins / Boards, counts.ties / Boards, (wins + 0.5 * counts.ties) / Boards, 0.0, wins,
                              counts.ties, lost);
    };
    return nb::make_tuple(nb::make_tuple(row(counts.wins, losses), row(losses, counts.wins)), true, PreflopBoards);
}

bool is_empty_text(nb::handle cards) { return PyUnicode_Check(cards.ptr()) && PyUnicode_GetLength(cards.ptr()) == 0; }

nb::tuple equity(nb::sequence players, nb::handle board, nb::handle dead, std::optional<std::int64_t> trials,
                 std::optional<int> threads, std::optional<std::uint64_t> seed, nb::object progress,
                 std::string_view variant, std::optional<bool> wanted) {
    const bool may_count = wanted.value_or(true);
    if (variant == "holdem" && may_count && !trials && progress.is_none() && threads.value_or(1) >= 1 &&
        is_empty_text(board) && is_empty_text(dead))
        if (auto found = look_up(players.ptr())) return *found;
    Spot spot;
    spot.variant = parse_variant(variant);
    for (nb::handle player : players) {
        if (!nb::isinstance<nb::str>(player))
            throw nb::type_error("a player is a hand or a range: a string or a Range");
        if (spot.players.size() == MaxPlayers) throw std::invalid_argument("equity takes 2 to 10 players, not more");
        std::string_view text;
        if (!nb::try_cast(player, text)) throw std::invalid_argument("a player is not valid text");
        spot.players.push_back(parse_hands(text, spot.variant));
    }
    spot.board = card_list_from(board).mask();
    spot.dead = card_list_from(dead).mask();
    if (threads && (*threads < 1 || *threads > MaxThreads))
        throw std::invalid_argument("threads must be 1 to 1024, not " + std::to_string(*threads));
    if (trials && (*trials < 1 || static_cast<std::uint64_t>(*trials) > MaxTrials))
        throw std::invalid_argument("trials must be 1 to 10^12, not " + std::to_string(*trials));
    prepare(spot);

    Effort effort;
    effort.poll = [&progress](double done) {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!progress.is_none()) progress(done);
    };
    EquityResult result;
    {
        const nb::gil_scoped_release release;
        const double cost = may_count ? exact_cost(spot) : 0;
        const double limit = trials ? std::min(ExactLimit, static_cast<double>(*trials) * TrialCost) : ExactLimit;
        if (wanted.value_or(false) && cost > CountLimit)
            throw std::invalid_argument("there are too many deals for an exact answer");
        const bool exact = wanted ? *wanted : cost <= limit;
        if (!exact || cost >= ThreadsFrom) effort.threads = threads ? *threads : all_cores();
        result = exact ? exact_equity(spot, effort)
                       : sampled_equity(spot, trials ? static_cast<std::uint64_t>(*trials) : DefaultTrials,
                                        seed ? *seed : fresh_seed(), effort);
    }
    if (!progress.is_none()) progress(1.0);
    return to_python(result, spot.players.size(), !result.exact || unweighted(spot));
}

nb::list range_weights(std::string_view text) {
    const Range range = parse_range(text);
    nb::list weights;
    for (int holding = HoldingCount - 1; holding >= 0; --holding)
        if (range[holding] > 0)
            weights.append(
                nb::make_tuple(to_string(Holdings[holding].high) + to_string(Holdings[holding].low), range[holding]));
    return weights;
}

}  // namespace

void bind_equity(nb::module_& m) {
    m.def("equity", &equity, nb::arg("players"), nb::arg("board").none(), nb::arg("dead").none(),
          nb::arg("trials").none(), nb::arg("threads").none(), nb::arg("seed").none(), nb::arg("progress").none(),
          nb::arg("variant"), nb::arg("exact").none());
    m.def("range_weights", &range_weights, nb::arg("text"));
    m.def("format_range", [](std::string_view text) { return format_range(parse_range(text)); }, nb::arg("text"));
}

}  // namespace parlour
