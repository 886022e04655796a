// Writes the tables declared in evaluator_tables.hpp as C++ source: generate_tables > evaluator_tables.cpp
//
// It knows the rules of poker only as far as five cards: it puts all classes of five cards in order and numbers them
// from 1 (the worst). Six and seven cards are worth the best that remains when one card is taken away.
#include "cards/evaluator_tables.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace {

using parlour::tables::KeyMask;
using parlour::tables::RankKey;
using parlour::tables::RowBits;
using parlour::tables::Rows;

constexpr int Ace = 12;
using Counts = std::array<int, 13>;  // how many cards of each rank
using Values = std::map<std::uint32_t, std::uint16_t>;  // key of a multiset → rank of the hand

std::uint32_t key_of(const Counts& counts) {
    std::uint32_t key = 0;
    for (int r = 0; r < 13; ++r) key += static_cast<std::uint32_t>(counts[r]) * RankKey[r];
    return key & KeyMask;
}

unsigned set_of(const Counts& counts) {
    unsigned set = 0;
    for (int r = 0; r < 13; ++r) set |= static_cast<unsigned>(counts[r] > 0) << r;
    return set;
}

// Calls visit with every multiset of `size` ranks from `lowest` up.
void each_multiset(int size, int lowest, const std::function<void(const Counts&)>& visit) {
    Counts counts{};
    const std::function<void(int, int)> fill = [&](int rank, int left) {
        if (left == 0) return visit(counts);
        if (rank > Ace) return;
        for (int n = 0; n <= std::min(left, 4); ++n) {
            counts[rank] = n;
            fill(rank + 1, left - n);
        }
        counts[rank] = 0;
    };
    fill(lowest, size);
}

// Ranks by how often they occur, then by height: K K K 2 2 → {K, 2}. Equal categories compare by this.
std::vector<int> by_frequency(const Counts& counts, bool ace_is_low) {
    std::vector<int> ranks;
    for (int r = 0; r < 13; ++r)
        if (counts[r]) ranks.push_back(r);
    const auto height = [&](int r) { return ace_is_low && r == Ace ? -1 : r; };
    std::sort(ranks.begin(), ranks.end(),
              [&](int a, int b) { return std::pair(counts[a], height(a)) > std::pair(counts[b], height(b)); });
    for (int& r : ranks) r = height(r);
    return ranks;
}

struct Rules {
    int lowest;  // rank of the deck's lowest card
    // Places of the categories from high card to straight flush.
    int pair = 1, two_pair = 2, trips = 3, straight = 4, flush, full_house, quads = 7, straight_flush = 8;
};
constexpr Rules HoldemRules{.lowest = 0, .flush = 5, .full_house = 6};
constexpr Rules ShortDeckRules{.lowest = 4, .flush = 6, .full_house = 5};

// The height of a straight's top card, or -1. The ace also stands below the deck's lowest card.
int straight_top(unsigned set, int lowest) {
    for (int top = Ace; top >= lowest + 4; --top)
        if (set == 0x1Fu << (top - 4)) return top;
    return set == ((0xFu << lowest) | 1u << Ace) ? lowest + 3 : -1;
}

using Strength = std::vector<int>;  // category, then what decides within it

Strength strength(const Counts& counts, bool suited, const Rules& rules) {
    const auto most = *std::max_element(counts.begin(), counts.end());
    const auto different = std::popcount(set_of(counts));
    const int top = straight_top(set_of(counts), rules.lowest);
    if (different == 5 && top >= 0) return {suited ? rules.straight_flush : rules.straight, top};
    Strength s = by_frequency(counts, false);
    const int category = suited           ? rules.flush
                         : most == 4      ? rules.quads
                         : different == 2 ? rules.full_house
                         : most == 3      ? rules.trips
                         : different == 3 ? rules.two_pair
                         : different == 4 ? rules.pair
                                          : 0;
    s.insert(s.begin(), category);
    return s;
}

// The place of every strength among all, from 1.
std::map<Strength, std::uint16_t> number(const std::vector<Strength>& all) {
    std::map<Strength, std::uint16_t> place;
    for (const auto& s : all) place[s] = 0;
    std::uint16_t next = 1;
    for (auto& [s, rank] : place) rank = next++;
    return place;
}

// From the values of n cards those of n + 1.
Values one_card_more(const Values& fewer, int size, int lowest) {
    Values values;
    each_multiset(size, lowest, [&](Counts counts) {
        std::uint16_t best = 0;
        for (int r = 0; r < 13; ++r) {
            if (counts[r] == 0) continue;
            --counts[r];
            best = std::max(best, fewer.at(key_of(counts)));
            ++counts[r];
        }
        if (!values.emplace(key_of(counts), best).second) std::abort();  // RankKey does not keep its promise
    });
    return values;
}

void print(const char* declaration, std::span<const std::uint16_t> numbers) {
    std::printf("%s = {", declaration);
    for (std::size_t i = 0; i < numbers.size(); ++i) std::printf("%s%u,", i % 24 ? "" : "\n", numbers[i]);
    std::printf("\n};\n");
}

struct Packed {
    std::vector<std::uint16_t> offsets, slots;
};

// Shifts the rows of a sparse table into each other's gaps, fullest first; equal values may lie on each other.
Packed pack(const Values& values) {
    struct Row {
        std::uint32_t number;
        std::vector<std::pair<std::uint32_t, std::uint16_t>> entries;
    };
    std::vector<Row> rows(Rows);
    for (const auto& [key, value] : values)
        rows.at(key >> RowBits).entries.emplace_back(key & ((1u << RowBits) - 1), value);
    for (std::uint32_t i = 0; i < Rows; ++i) rows[i].number = i;
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.entries.size() > b.entries.size(); });

    std::vector<std::uint16_t> slots(1 << 17), offsets(Rows);
    std::size_t used = 0;
    for (const auto& row : rows) {
        if (row.entries.empty()) break;
        const auto fits = [&](std::size_t base) {
            return std::all_of(row.entries.begin(), row.entries.end(), [&](const auto& e) {
                return slots[base + e.first] == 0 || slots[base + e.first] == e.second;
            });
        };
        std::size_t base = 0;
        while (!fits(base)) ++base;
        for (const auto& [column, value] : row.entries) {
            slots[base + column] = value;
            used = std::max(used, base + column + 1);
        }
        offsets[row.number] = static_cast<std::uint16_t>(base - (std::size_t{row.number} << RowBits));
    }
    if (used > 1 << 16) std::abort();  // slots are counted modulo 2^16
    slots.resize(used);
    return {offsets, slots};
}

// Prints the tables of hands of 5, 6 … cards over one array of values. With `open` every slot of every table lies
// within the array: the bulk kernels look up first and see afterwards whether the cards were sound.
void print_tables(const std::string& name, const std::vector<Values>& by_size, bool open) {
    std::vector<Packed> tables;
    std::vector<std::uint16_t> values;
    std::vector<std::size_t> starts;
    for (const auto& of_size : by_size) {
        tables.push_back(pack(of_size));
        starts.push_back(values.size());
        values.insert(values.end(), tables.back().slots.begin(), tables.back().slots.end());
    }
    if (open) values.resize(starts.back() + (1 << 16));
    print(("constexpr std::uint16_t " + name + "Values[]").c_str(), values);
    std::printf("const RankTable %s[%zu] = {\n", name.c_str(), tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
        std::printf("{{");
        for (const auto offset : tables[i].offsets) std::printf("%u,", offset);
        std::printf("}, %sValues + %zu},\n", name.c_str(), starts[i]);
    }
    std::printf("};\n");
}

void generate_high(const std::string& name, const Rules& rules, bool open) {
    std::vector<Strength> all;
    each_multiset(5, rules.lowest, [&](const Counts& counts) {
        all.push_back(strength(counts, false, rules));
        if (std::popcount(set_of(counts)) == 5) all.push_back(strength(counts, true, rules));
    });
    const auto place = number(all);

    Values five;
    std::vector<std::uint16_t> flush(8192);
    each_multiset(5, rules.lowest, [&](const Counts& counts) {
        five[key_of(counts)] = place.at(strength(counts, false, rules));
        if (std::popcount(set_of(counts)) == 5) flush[set_of(counts)] = place.at(strength(counts, true, rules));
    });
    for (unsigned set = 0; set < 8192; ++set)
        for (int r = rules.lowest; std::popcount(set) > 5 && r < 13; ++r)
            if (set >> r & 1) flush[set] = std::max(flush[set], flush[set ^ 1u << r]);

    const Values six = one_card_more(five, 6, rules.lowest), seven = one_card_more(six, 7, rules.lowest);
    print_tables(name, {five, six, seven}, open);
    print(("const std::uint16_t " + name + "Flush[8192]").c_str(), flush);
}

// Ace-to-five: the ace is low, straights and flushes do not count, and the best hand is the lowest.
void generate_low() {
    const auto strength_low = [](const Counts& counts) {
        const auto most = *std::max_element(counts.begin(), counts.end());
        Strength s = by_frequency(counts, true);
        s.insert(s.begin(), {most, 5 - std::popcount(set_of(counts))});
        for (int& part : s) part = -part;
        return s;
    };
    std::vector<Strength> all;
    each_multiset(5, 0, [&](const Counts& counts) { all.push_back(strength_low(counts)); });
    const auto place = number(all);
    Values five;
    std::vector<std::uint16_t> of_set(8192);
    each_multiset(5, 0, [&](const Counts& counts) {
        const auto rank = five[key_of(counts)] = place.at(strength_low(counts));
        if (std::popcount(set_of(counts)) == 5) of_set[set_of(counts)] = rank;
    });
    for (unsigned set = 0; set < 8192; ++set)
        for (int r = 0; std::popcount(set) > 5 && r < 13; ++r)
            if (set >> r & 1) of_set[set] = std::max(of_set[set], of_set[set ^ 1u << r]);
    print_tables("Low", {five}, false);
    print("const std::uint16_t LowOfSet[8192]", of_set);
}

}  // namespace

int main() {
    std::printf(
        "// Written by generate_tables.\n#include \"cards/evaluator_tables.hpp\"\n\nnamespace parlour::tables {\n\n");
    generate_high("Holdem", HoldemRules, true);
    generate_high("ShortDeck", ShortDeckRules, false);
    generate_low();
    std::printf("\n}  // namespace parlour::tables\n");
}
