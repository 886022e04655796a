#include "cards/ranges.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <locale>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace parlour {

namespace {

constexpr std::string_view RankLetters = "23456789TJQKA";

constexpr std::array<Holding, HoldingCount> all_holdings() {
    std::array<Holding, HoldingCount> holdings{};
    for (Card high = 1; high < DeckSize; ++high)
        for (Card low = 0; low < high; ++low) holdings[holding_index(high, low)] = {high, low};
    return holdings;
}

enum class Suits { Any, Suited, Offsuit };

// A kind of hand, such as AKs: high rank, low rank, suits. Pairs have Suits::Any.
struct Kind {
    int high, low;
    Suits suits;

    int gap() const { return high - low; }
    bool pair() const { return high == low; }
};

[[noreturn]] void reject(const std::string& item, const char* why) {
    throw std::invalid_argument("bad range item '" + excerpt(item) + "': " + why);
}

std::optional<Kind> parse_kind(std::string_view text) {
    if (text.size() < 2 || text.size() > 3) return std::nullopt;
    const int first = rank_of_char(text[0]), second = rank_of_char(text[1]);
    if (first < 0 || second < 0) return std::nullopt;
    Kind kind{std::max(first, second), std::min(first, second), Suits::Any};
    if (text.size() == 3) {
        const char suits = static_cast<char>(std::tolower(static_cast<unsigned char>(text[2])));
        if (kind.pair() || (suits != 's' && suits != 'o')) return std::nullopt;
        kind.suits = suits == 's' ? Suits::Suited : Suits::Offsuit;
    }
    return kind;
}

template <typename Visit>
void each_holding(const Kind& kind, Visit visit) {
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            if (kind.pair() ? a <= b
                            : (kind.suits == Suits::Suited && a != b) || (kind.suits == Suits::Offsuit && a == b))
                continue;
            visit(holding_index(make_card(kind.high, a), make_card(kind.low, b)));
        }
}

void set_kind(Range& range, const Kind& kind, double weight) {
    each_holding(kind, [&](int holding) { range[holding] = weight; });
}

double parse_weight(const std::string& item, const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double weight = 0;
    if (text.empty() || !(in >> weight) || in.peek() != std::istringstream::traits_type::eof())
        reject(item, "the weight after ':' is not a number");
    if (!std::isfinite(weight) || weight < 0) reject(item, "the weight must be finite and not negative");
    return weight;
}

// From a better kind down to a worse one (or the other way round): pairs, the same high card, or the same gap.
void set_span(Range& range, const std::string& item, Kind from, Kind to, double weight) {
    if (from.suits != to.suits || from.pair() != to.pair()) reject(item, "both ends of a span must be of one kind");
    if (from.low < to.low) std::swap(from, to);
    if (from.gap() == to.gap()) {
        for (int shift = 0; from.low - shift >= to.low; ++shift)
            set_kind(range, {from.high - shift, from.low - shift, from.suits}, weight);
    } else if (from.high == to.high) {
        for (int low = to.low; low <= from.low; ++low) set_kind(range, {from.high, low, from.suits}, weight);
    } else {
        reject(item, "a span keeps the high card (A5s-A2s) or the gap (65s-54s)");
    }
}

void add_item(Range& range, const std::string& item) {
    const auto colon = item.find(':');
    const std::string body = item.substr(0, colon);
    const double weight = colon == std::string::npos ? 1.0 : parse_weight(item, item.substr(colon + 1));
    if (body == "random" || body == "*") {
        range.fill(weight);
        return;
    }
    if (const auto dash = body.find('-'); dash != std::string::npos) {
        const auto from = parse_kind(body.substr(0, dash)), to = parse_kind(body.substr(dash + 1));
        if (!from || !to) reject(item, "a span joins two kinds of hands, as in TT-77");
        return set_span(range, item, *from, *to, weight);
    }
    if (const auto kind = parse_kind(body)) return set_kind(range, *kind, weight);
    if (body.size() >= 3 && body.back() == '+') {
        const auto kind = parse_kind(std::string_view(body).substr(0, body.size() - 1));
        if (!kind) reject(item, "'+' follows a kind of hand, as in QQ+ or A2s+");
        const int best = kind->pair() ? 12 : kind->high - 1;
        return set_span(range, item, *kind, {kind->pair() ? 12 : kind->high, best, kind->suits}, weight);
    }
    std::string_view rest = body;
    const auto first = take_card(rest), second = take_card(rest);
    if (first && second && rest.empty()) {
        if (*first == *second) reject(item, "the same card twice");
        range[holding_index(*first, *second)] = weight;
        return;
    }
    reject(item, "expected hands such as QQ+, AKs, T9o, TT-77, AhKh or random");
}

// The weight that all holdings of a kind share, if they do.
std::optional<double> common_weight(const Range& range, const Kind& kind) {
    std::optional<double> common;
    bool same = true;
    each_holding(kind, [&](int holding) {
        if (common && *common != range[holding]) same = false;
        common = range[holding];
    });
    return same ? common : std::nullopt;
}

std::string kind_name(const Kind& kind) {
    std::string text{RankLetters[kind.high], RankLetters[kind.low]};
    if (!kind.pair()) text += kind.suits == Suits::Suited ? "s" : "o";
    return text;
}

std::string weight_suffix(double weight) {
    if (weight == 1.0) return "";
    // The fewest digits that read back to the same number.
    for (int digits = 1;; ++digits) {
        std::ostringstream out;
        out.imbue(std::locale::classic());
        out.precision(digits);
        out << weight;
        std::istringstream in(out.str());
        in.imbue(std::locale::classic());
        double back = 0;
        in >> back;
        if (back == weight || digits == 17) return std::string(":").append(out.str());
    }
}

// Writes a ladder of kinds, best first, joining neighbours of equal weight; kinds of mixed weight are written card by
// card.
void write_ladder(std::vector<std::string>& items, const Range& range, const std::vector<Kind>& ladder) {
    for (std::size_t i = 0; i < ladder.size(); ++i) {
        const auto weight = common_weight(range, ladder[i]);
        if (!weight) {
            each_holding(ladder[i], [&](int holding) {
                const double own = range[holding];
                if (own > 0)
                    items.push_back(to_string(Holdings[holding].high) + to_string(Holdings[holding].low) +
                                    weight_suffix(own));
            });
            continue;
        }
        if (*weight == 0) continue;
        std::size_t last = i;
        while (last + 1 < ladder.size() && common_weight(range, ladder[last + 1]) == weight) ++last;
        std::string text = kind_name(ladder[last]);
        if (last != i) text = i == 0 ? text + "+" : kind_name(ladder[i]) + "-" + text;
        items.push_back(text + weight_suffix(*weight));
        i = last;
    }
}

}  // namespace

const std::array<Holding, HoldingCount> Holdings = all_holdings();

Range parse_range(std::string_view text) {
    Range range{};
    std::string item;
    bool any = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] != ',') {
            if (!std::isspace(static_cast<unsigned char>(text[i]))) item += text[i];
            continue;
        }
        if (item.empty()) {
            throw std::invalid_argument(any || i < text.size() ? "empty item in range '" + excerpt(text) + "'"
                                                               : "empty range");
        }
        add_item(range, item);
        any = true;
        item.clear();
    }
    return range;
}

std::string format_range(const Range& range) {
    if (range[0] > 0 && std::all_of(range.begin(), range.end(), [&](double w) { return w == range[0]; }))
        return "random" + weight_suffix(range[0]);
    std::vector<std::string> items;
    std::vector<Kind> pairs;
    for (int rank = 12; rank >= 0; --rank) pairs.push_back({rank, rank, Suits::Any});
    write_ladder(items, range, pairs);
    for (const Suits suits : {Suits::Suited, Suits::Offsuit})
        for (int high = 12; high >= 1; --high) {
            std::vector<Kind> kickers;
            for (int low = high - 1; low >= 0; --low) kickers.push_back({high, low, suits});
            write_ladder(items, range, kickers);
        }
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : ", ") + item;
    return text;
}

}  // namespace parlour
