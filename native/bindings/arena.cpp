// The inner loop of the arena: deals, the question to each bot, what it answered, and who won from whom. It is done for
// every decision, and nearly all of it is binding, hence here.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "answers.hpp"
#include "bindings.hpp"
#include "hand_arguments.hpp"
#include "holdem/shuffle.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// Of one player: chips won with all-ins at their expectation and as the cards came, and hands.
struct Sums {
    double chips = 0, played = 0;
    std::int64_t hands = 0;
};

// What a player won in one hand, with all its seats, each of which counts as a hand.
struct Share {
    std::int32_t player;
    std::int32_t hands;
    double chips;
};

using Net = std::array<double, MaxSeats>;

// A table at which players take turns. A group is one deal; with duplicate deals it is played again with the button
// moved on, in another rotation. Everything that is left to chance follows from the seed and the number of the group.
class Pit {
public:
    Pit(Rules rules, int players, const ChaChaKey& seed)
        : players_(players),
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

    // What groups are played with: who decides, who looks, and who is told what.
    struct Company {
        const nb::list &deciders, &views, &names;
        nb::handle begun, kept, raised, refused, all_in, over;
    };

    // Forgets what was played, but not how groups are dealt: the next rotation has the same.
    void clear() {
        sums.assign(sums.size(), {});
        flows.assign(flows.size(), 0.0);
        deals.clear();
        decisions = hands_played = number = 0;
    }

    // Plays so many groups, each with the button at one seat: it moves on with every group, and with the rotation.
    void play(std::uint64_t group, std::int64_t count, std::uint32_t rotation, std::int64_t first_number,
              const Company& company) {
        const auto players = static_cast<std::size_t>(players_);
        if (company.deciders.size() != players || company.names.size() != players ||
            company.views.size() != static_cast<std::size_t>(seats()))
            throw nb::value_error("a decider and a name for each player, and a view for each seat");
        number = first_number;
        for (; count > 0; --count, ++group, ++number) play_one(group, rotation, company);
    }

    const int players_;
    const ChaChaKey seed_;
    std::vector<Sums> sums;
    std::vector<Share> deals;  // of each group that was played, one for each player in it
    std::vector<double> flows;  // players × players: what the first has won from the second
    std::int64_t decisions = 0, hands_played = 0, number = 0;
    nb::object hand;  // the one that is played
    nb::list steps;  // what was done in it

private:
    void play_one(std::uint64_t group, std::uint32_t rotation, const Company& company) {
        const auto& [_, sitting, deck] = dealt_in(group);
        Hand& dealt = deal(static_cast<int>((group + rotation) % static_cast<std::uint64_t>(seats())), deck);
        nb::list names;
        for (const int player : sitting) names.append(company.names[static_cast<std::size_t>(player)]);
        company.begun(names);
        ask(dealt, sitting, company);
        settle(group, dealt, sitting, company.all_in);
        if (!company.over.is_none()) company.over();
    }

    // How a group is dealt: who sits where, and the cards.
    struct Dealt {
        std::uint64_t group;
        std::vector<int> sitting;
        std::array<Card, DeckSize> deck;
    };

    // As it was in another rotation, if that was played here lately.
    const Dealt& dealt_in(std::uint64_t group) {
        Dealt& kept = dealt_[group % dealt_.size()];
        if (kept.sitting.empty() || kept.group != group) {
            ChaCha20 random = chance_of(group);
            kept.group = group;
            kept.sitting = line_up(random);
            kept.deck = shuffled_deck(posted_.front().variant, posted_.front().cards_needed(), random);
        }
        return kept;
    }

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
    void ask(Hand& dealt, const std::vector<int>& sitting, const Company& company) {
        while (dealt.actor >= 0) {
            const int seat = dealt.actor, player = sitting[static_cast<std::size_t>(seat)];
            PyObject* const view = PyList_GetItem(company.views.ptr(), seat);
            ++decisions;
            nb::object answer;
            try {
                answer = nb::handle(PyList_GetItem(company.deciders.ptr(), player))(nb::handle(view));
            } catch (nb::python_error& error) {
                if (!error.matches(PyExc_Exception)) throw;
                company.raised(player, error.value());
                continue;
            }
            if (Py_REFCNT(view) > 1) company.kept(seat);  // the bot holds on to it: it must not change any more
            try {
                take(dealt, answer, steps);
            } catch (nb::builtin_exception& error) {
                const bool garbage = error.type() == nb::exception_type::type_error;
                company.refused(player, answer,
                                nb::borrow(garbage ? PyExc_TypeError : PyExc_ValueError)(nb::str(error.what())));
            }
        }
    }

    // Adds up what the hand came to; an all-in before the river with what `all_in` says, if it is there.
    void settle(std::uint64_t group, const Hand& over, const std::vector<int>& sitting, nb::handle all_in) {
        Net net{}, came{};
        const auto stacks = over.settled_stacks();
        for (int seat = 0; seat < over.seats; ++seat) {
            net[seat] = static_cast<double>(stacks[seat] - over.starting[seat]);
            came[seat] = net[seat];
        }
        if (!all_in.is_none() && !std::has_single_bit(over.unfolded()) && last_street() < 3) {
            const nb::object expected = all_in(group, last_street());
            for (int seat = 0; seat < over.seats; ++seat) net[seat] = nb::cast<double>(expected[seat]);
        }
        add(sitting, net, came);
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

    void add(const std::vector<int>& sitting, const Net& won, const Net& came) {
        const std::size_t first = deals.size();
        for (std::size_t seat = 0; seat < sitting.size(); ++seat) {
            const int player = sitting[seat];
            Sums& own = sums[static_cast<std::size_t>(player)];
            own.chips += won[seat];
            own.played += came[seat];
            own.hands += 1;
            std::size_t place = first;
            while (place < deals.size() && deals[place].player != player) ++place;
            if (place == deals.size()) deals.push_back({player, 0, 0});
            deals[place].chips += won[seat];
            deals[place].hands += 1;
        }
    }

    std::vector<Hand> posted_;  // the posts made, no cards: with the button at each seat
    std::vector<nb::list> posts_;
    std::array<Dealt, 256> dealt_{};
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

// What the interval follows from: of each player the deals, and over these the sums of chips squared, of chips times
// hands, and of hands squared. The same deals are given once for each rotation, and a deal counts in all of them.
nb::list deal_sums(int players, const nb::list& rotations) {
    struct Over {
        std::int64_t deals = 0;
        double squares = 0, products = 0;
        std::int64_t hand_squares = 0;
    };
    std::vector<Over> over(static_cast<std::size_t>(std::max(0, players)));
    std::vector<Share> deals, turned;
    for (std::size_t rotation = 0; rotation < rotations.size(); ++rotation) {
        const nb::bytes packed = nb::cast<nb::bytes>(rotations[rotation]);
        turned.resize(packed.size() / sizeof(Share));
        if (!turned.empty()) std::memcpy(turned.data(), packed.data(), turned.size() * sizeof(Share));
        if (rotation == 0) deals.assign(turned.size(), {0, 0, 0});
        if (turned.size() != deals.size()) throw nb::value_error("these are not the same deals");
        for (std::size_t i = 0; i < deals.size(); ++i) {
            if (rotation > 0 && turned[i].player != deals[i].player)
                throw nb::value_error("these are not the same deals");
            deals[i].player = turned[i].player;
            deals[i].chips += turned[i].chips;
            deals[i].hands += turned[i].hands;
        }
    }
    for (const Share& share : deals) {
        if (share.player < 0 || share.player >= players) throw nb::value_error("there is no such player");
        Over& own = over[static_cast<std::size_t>(share.player)];
        const std::int64_t hands = share.hands;
        own.deals += 1;
        own.squares += share.chips * share.chips;
        own.products += share.chips * static_cast<double>(hands);
        own.hand_squares += hands * hands;
    }
    nb::list list;
    for (const Over& own : over) list.append(nb::make_tuple(own.deals, own.squares, own.products, own.hand_squares));
    return list;
}

}  // namespace

void bind_arena(nb::module_& m) {
    m.def("deal_sums", &deal_sums, "players"_a, "rotations"_a);
    m.def("seen_by", &seen_by, "hand"_a, "seat"_a);
    m.def("take", &take, "hand"_a, "answer"_a, "steps"_a);
    nb::class_<Pit>(m, "Pit", "A table of the arena: deals, asks, and adds up.")
        .def(
            "__init__",
            [](Pit* self, nb::handle stacks, nb::handle blinds, nb::handle ante, nb::handle variant, nb::handle limit,
               nb::handle players, nb::handle seed) {
                const nb::object zero = nb::int_(0), one = nb::int_(1), none = nb::none();
                const int count = int_from(players, "the number of players");
                if (count < 1 || count > 10'000) throw nb::value_error("there are 1 to 10,000 players");
                new (self) Pit(rules_from(stacks, blinds, ante, zero, zero, none, false, zero, none, variant, limit,
                                          none, none, nb::int_(4), true, false, one, zero),
                               count, key_from(seed));
            },
            "stacks"_a, nb::kw_only(), "blinds"_a, "ante"_a = 0, "variant"_a = "holdem", "limit"_a = "no-limit",
            "players"_a, "seed"_a)
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
        .def("clear", &Pit::clear)
        .def(
            "play",
            [](Pit& pit, std::uint64_t group, std::int64_t count, std::uint32_t rotation, std::int64_t number,
               const nb::list& deciders, const nb::list& views, const nb::list& names, nb::handle begun,
               nb::handle kept, nb::handle raised, nb::handle refused, nb::handle all_in, nb::handle over) {
                pit.play(group, count, rotation, number,
                         {deciders, views, names, begun, kept, raised, refused, all_in, over});
            },
            "group"_a, "count"_a, "rotation"_a, "number"_a, "deciders"_a, "views"_a, "names"_a, nb::kw_only(),
            "begun"_a, "kept"_a, "raised"_a, "refused"_a, "all_in"_a.none(), "over"_a.none())
        .def("sums",
             [](const Pit& pit) {
                 nb::list list;
                 for (const Sums& own : pit.sums) list.append(nb::make_tuple(own.chips, own.played, own.hands));
                 return list;
             })
        .def("deals",
             [](const Pit& pit) {
                 return nb::bytes(static_cast<const void*>(pit.deals.data()), pit.deals.size() * sizeof(Share));
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
