// The inner loop of the arena: deals, the question to each bot, what it answered, and who won from whom. It is done for
// every decision, and nearly all of it is binding, hence here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <numeric>

#include "answers.hpp"
#include "bindings.hpp"
#include "hand_arguments.hpp"
#include "holdem/shuffle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// Of one player: chips won with all-ins at their expectation and as the cards came, hands, deals, and the sums over
// deals from which an interval follows.
struct Sums {
    double chips = 0, played = 0;
    std::int64_t hands = 0, groups = 0;
    double squares = 0, products = 0;
    std::int64_t hand_squares = 0;
};

using Net = std::array<double, MaxSeats>;

// A table at which players take turns. A group is one deal; with duplicate deals it is played with the button at each
// seat. Everything that is left to chance follows from the seed and the number of the group.
class Pit {
public:
    Pit(Rules rules, int players, bool duplicate, const ChaChaKey& seed)
        : players_(players),
          duplicate_(duplicate),
          seed_(seed),
          sums(static_cast<std::size_t>(players)),
          flows(static_cast<std::size_t>(players) * static_cast<std::size_t>(players)) {
        for (std::size_t seat = 0; seat < rules.stacks.size(); ++seat) {
            rules.button = static_cast<int>(seat);
            posted_.push_back(Hand::posted(rules));
        }
        hand = nb::cast(posted_.front());
    }

    int seats() const { return posted_.front().seats; }

    // Who sits where: with more players than seats some have a rest; with fewer, some have several seats.
    std::vector<int> line_up(ChaCha20& random) const {
        std::vector<int> order(static_cast<std::size_t>(players_));
        std::iota(order.begin(), order.end(), 0);
        const int whole = seats() / players_, rest = seats() % players_;
        shuffle_front<int>(order, static_cast<std::size_t>(rest), random);
        std::vector<int> sitting(order.begin(), order.begin() + rest);
        for (int copies = 0; copies < whole; ++copies)
            for (int player = 0; player < players_; ++player) sitting.push_back(player);
        shuffle_front<int>(sitting, sitting.size(), random);
        return sitting;
    }

    // The chance of one group.
    ChaCha20 chance_of(std::uint64_t group) const {
        ChaChaNonce nonce{};
        for (std::size_t i = 0; i < 8; ++i) nonce[i] = static_cast<std::uint8_t>(group >> (8 * i));
        const ChaChaBlock block = chacha20_block(seed_, 0, nonce);
        ChaChaKey key;
        std::copy_n(block.begin(), key.size(), key.begin());
        return ChaCha20(key);
    }

    // Deals with the button at a seat and writes the posts.
    Hand& deal(int button, const std::array<Card, DeckSize>& deck) {
        Hand& dealt = nb::cast<Hand&>(hand);
        dealt = posted_[static_cast<std::size_t>(button)];
        dealt.deal_unchecked(deck);
        PyList_SetSlice(steps.ptr(), 0, PyList_Size(steps.ptr()), nullptr);
        for (nb::handle post : posts_of(button)) steps.append(post);
        return dealt;
    }

    const nb::list& posts_of(int button) {
        if (posts_.empty())
            for (const Hand& posted : posted_) posts_.push_back(write_posts(posted));
        return posts_[static_cast<std::size_t>(button)];
    }

    void play(std::uint64_t group, const nb::list& deciders, const nb::list& views, nb::handle begun, nb::handle kept,
              nb::handle raised, nb::handle refused, nb::handle all_in, nb::handle over) {
        if (deciders.size() != static_cast<std::size_t>(players_) || views.size() != static_cast<std::size_t>(seats()))
            throw nb::value_error("a decider for each player and a view for each seat");
        ChaCha20 random = chance_of(group);
        const std::vector<int> sitting = line_up(random);
        const std::array<Card, DeckSize> deck =
            shuffled_deck(posted_.front().variant, posted_.front().cards_needed(), random);
        nb::list by_seat;
        for (const int player : sitting) by_seat.append(player);
        begun(by_seat);
        Net won{}, came{};
        const int hands = duplicate_ ? seats() : 1;
        for (int turn = 0; turn < hands; ++turn) {
            const int button = duplicate_ ? turn : static_cast<int>(group % static_cast<std::uint64_t>(seats()));
            Hand& dealt = deal(button, deck);
            number = static_cast<std::int64_t>(group) * hands + turn + 1;
            ask(dealt, sitting, deciders, views, kept, raised, refused);
            settle(dealt, sitting, won, came, all_in);
            if (!over.is_none()) over();
        }
        add(sitting, won, came, hands);
    }

    const int players_;
    const bool duplicate_;
    const ChaChaKey seed_;
    std::vector<Sums> sums;
    std::vector<double> flows;  // players × players: what the first has won from the second
    std::int64_t decisions = 0, hands_played = 0, number = 0;
    nb::object hand;  // the one that is played
    nb::list steps;  // what was done in it

private:
    static nb::list write_posts(const Hand& posted) {
        nb::list posts;
        const int seats = posted.seats, small = seats == 2 ? posted.button : (posted.button + 1) % seats;
        for (int place = 0; place < seats; ++place) {
            const int seat = (posted.button + 1 + place) % seats;
            const Chips ante = posted.contributed(seat) - posted.bets[seat];
            if (ante > 0) posts.append(step(seat, 0, "ante", ante));
            if (posted.bets[seat] > 0)
                posts.append(step(seat, 0, seat == small ? "small_blind" : "big_blind", posted.bets[seat]));
        }
        return posts;
    }

    // Asks whoever is to act until nobody is.
    void ask(Hand& dealt, const std::vector<int>& sitting, const nb::list& deciders, const nb::list& views,
             nb::handle kept, nb::handle raised, nb::handle refused) {
        while (dealt.actor >= 0) {
            const int seat = dealt.actor, player = sitting[static_cast<std::size_t>(seat)];
            PyObject* const view = PyList_GetItem(views.ptr(), seat);
            ++decisions;
            nb::object answer;
            try {
                answer = nb::handle(PyList_GetItem(deciders.ptr(), player))(nb::handle(view));
            } catch (nb::python_error& error) {
                if (!error.matches(PyExc_Exception)) throw;
                raised(player, error.value());
                continue;
            }
            if (Py_REFCNT(view) > 1) kept(seat);  // the bot holds on to it: it must not change any more
            try {
                take(dealt, answer, steps);
            } catch (nb::builtin_exception& error) {
                const bool garbage = error.type() == nb::exception_type::type_error;
                refused(player, answer,
                        nb::borrow(garbage ? PyExc_TypeError : PyExc_ValueError)(nb::str(error.what())));
            }
        }
    }

    // Adds up what the hand came to; an all-in before the river with what `all_in` says, if it is there.
    void settle(const Hand& over, const std::vector<int>& sitting, Net& won, Net& came, nb::handle all_in) {
        Net net{};
        const auto stacks = over.settled_stacks();
        for (int seat = 0; seat < over.seats; ++seat) {
            net[seat] = static_cast<double>(stacks[seat] - over.starting[seat]);
            came[seat] += net[seat];
        }
        if (!all_in.is_none() && !std::has_single_bit(over.unfolded()) && last_street() < 3) {
            const nb::object expected = all_in(last_street());
            for (int seat = 0; seat < over.seats; ++seat) net[seat] = nb::cast<double>(expected[seat]);
        }
        for (int seat = 0; seat < over.seats; ++seat) won[seat] += net[seat];
        add_flows(sitting, net);
        ++hands_played;
    }

    // The street on which the last decision was made.
    int last_street() const {
        const nb::handle last = PyList_GetItem(steps.ptr(), PyList_Size(steps.ptr()) - 1);
        return street_number(PyTuple_GetItem(last.ptr(), 1));
    }

    // What the losers of a hand lost goes to its winners in proportion to what they won.
    void add_flows(const std::vector<int>& sitting, const Net& net) {
        double gains = 0;
        for (std::size_t seat = 0; seat < sitting.size(); ++seat) gains += std::max(0.0, net[seat]);
        const std::size_t players = sums.size();
        for (std::size_t loser = 0; loser < sitting.size(); ++loser)
            for (std::size_t winner = 0; net[loser] < 0 && winner < sitting.size(); ++winner)
                if (net[winner] > 0) {
                    const double flow = net[winner] * (-net[loser] / gains);
                    const std::size_t from = static_cast<std::size_t>(sitting[loser]),
                                      to = static_cast<std::size_t>(sitting[winner]);
                    flows[to * players + from] += flow;
                    flows[from * players + to] -= flow;
                }
    }

    void add(const std::vector<int>& sitting, const Net& won, const Net& came, int hands) {
        for (std::size_t player = 0; player < sums.size(); ++player) {
            Sums& own = sums[player];
            double chips = 0, played = 0;
            std::int64_t count = 0;
            for (std::size_t seat = 0; seat < sitting.size(); ++seat)
                if (static_cast<std::size_t>(sitting[seat]) == player)
                    chips += won[seat], played += came[seat], count += hands;
            if (count == 0) continue;
            own.chips += chips;
            own.played += played;
            own.hands += count;
            own.groups += 1;
            own.squares += chips * chips;
            own.products += chips * static_cast<double>(count);
            own.hand_squares += count * count;
        }
    }

    std::vector<Hand> posted_;  // the posts made, no cards: with the button at each seat
    std::vector<nb::list> posts_;
};

// The hand as a seat knows it: in place of each card that it has not seen lies another that it has not seen, the lowest
// first. So two hands that look the same to the seat are the same.
Hand seen_by(const Hand& hand, nb::handle seat_number) {
    const int seat = seat_from(hand, seat_number), cards = hand.cards_needed(), holes = hand.seats * hand.hole_cards();
    if (hand.boards > 1 || hand.runs > 1) throw nb::value_error("only a hand with one board is seen so");
    Hand seen = hand;
    std::array<bool, DeckSize> known{};
    CardMask hidden = deck_of(hand.variant);
    for (int i = 0; i < cards; ++i) {
        const bool own = i < holes && (i + hand.button + 1) % hand.seats == seat;
        known[static_cast<std::size_t>(i)] = own || (i >= holes && i < holes + BoardCards[hand.street]);
        if (known[static_cast<std::size_t>(i)]) hidden &= ~mask_of(hand.deck[static_cast<std::size_t>(i)]);
    }
    for (int i = 0; i < cards; ++i)
        if (!known[static_cast<std::size_t>(i)]) {
            seen.deck[static_cast<std::size_t>(i)] = static_cast<Card>(std::countr_zero(hidden));
            hidden &= hidden - 1;
        }
    return seen;
}

}  // namespace

void bind_arena(nb::module_& m) {
    m.def("seen_by", &seen_by, "hand"_a, "seat"_a);
    m.def("take", &take, "hand"_a, "answer"_a, "steps"_a);
    nb::class_<Pit>(m, "Pit", "A table of the arena: deals, asks, and adds up.")
        .def(
            "__init__",
            [](Pit* self, nb::handle stacks, nb::handle blinds, nb::handle ante, nb::handle variant, nb::handle limit,
               nb::handle players, bool duplicate, nb::handle seed) {
                const nb::object zero = nb::int_(0), one = nb::int_(1), none = nb::none();
                const int count = int_from(players, "the number of players");
                if (count < 1 || count > 10'000) throw nb::value_error("there are 1 to 10,000 players");
                new (self) Pit(rules_from(stacks, blinds, ante, zero, zero, none, false, zero, none, variant, limit,
                                          none, none, nb::int_(4), true, false, one, zero),
                               count, duplicate, key_from(seed));
            },
            "stacks"_a, nb::kw_only(), "blinds"_a, "ante"_a = 0, "variant"_a = "holdem", "limit"_a = "no-limit",
            "players"_a, "duplicate"_a = true, "seed"_a)
        .def_prop_ro("hand", [](const Pit& pit) { return pit.hand; })
        .def_prop_ro("steps", [](const Pit& pit) { return pit.steps; })
        .def_prop_ro("number", [](const Pit& pit) { return pit.number; })
        .def_prop_ro("hands", [](const Pit& pit) { return pit.hands_played; })
        .def_prop_ro("decisions", [](const Pit& pit) { return pit.decisions; })
        .def(
            "deal",
            [](Pit& pit, std::uint64_t group, nb::handle button) {
                ChaCha20 random = pit.chance_of(group);
                pit.line_up(random);
                const Hand& first = nb::cast<const Hand&>(pit.hand);
                const int seat = seat_from(first, button);
                const auto deck = shuffled_deck(first.variant, first.cards_needed(), random);
                pit.deal(seat, deck);
            },
            "group"_a, "button"_a)
        .def("play", &Pit::play, "group"_a, "deciders"_a, "views"_a, nb::kw_only(), "begun"_a, "kept"_a, "raised"_a,
             "refused"_a, "all_in"_a.none(), "over"_a.none())
        .def("sums",
             [](const Pit& pit) {
                 nb::list list;
                 for (const Sums& own : pit.sums)
                     list.append(nb::make_tuple(own.chips, own.played, own.hands, own.groups, own.squares, own.products,
                                                own.hand_squares));
                 return list;
             })
        .def("flows", [](const Pit& pit) {
            nb::list rows;
            for (std::size_t player = 0; player < pit.sums.size(); ++player) {
                nb::list row;
                for (std::size_t other = 0; other < pit.sums.size(); ++other)
                    row.append(pit.flows[player * pit.sums.size() + other]);
                rows.append(row);
            }
            return rows;
        });
}

}  // namespace parlour
