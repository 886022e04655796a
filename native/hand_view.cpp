#include "hand_view.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace parlour {

namespace {

constexpr std::array<std::string_view, 4> Streets = {"preflop", "flop", "turn", "river"};

class Json {
   public:
    explicit Json(std::size_t size) { out_.reserve(size); }

    Json& raw(std::string_view text) {
        out_ += text;
        return *this;
    }

    Json& number(Chips number) {
        char digits[20];
        out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
        return *this;
    }

    Json& number_or_null(std::optional<int> value) { return value ? number(*value) : raw("null"); }

    Json& flag(bool value) { return raw(value ? "true" : "false"); }

    Json& string(std::string_view text) {
        out_ += '"';
        if (std::ranges::none_of(text, is_special))
            out_ += text;
        else
            for (const char c : text)
                is_special(c) ? escaped(c) : out_.push_back(c);
        out_ += '"';
        return *this;
    }

    Json& cards(std::span<const Card> cards) {
        return list(cards, [this](Card card) { string(to_string(card)); });
    }

    // What `write` writes of each element, with commas between them, in brackets.
    template <class Range, class Write>
    Json& list(const Range& range, Write write) {
        char before = '[';
        for (const auto& element : range) {
            out_ += std::exchange(before, ',');
            write(element);
        }
        return raw(before == '[' ? "[]" : "]");
    }

    std::string take() { return std::move(out_); }

   private:
    static bool is_special(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

    void escaped(char c) {
        constexpr std::string_view Hex = "0123456789abcdef";
        out_ += "\\u00";
        out_ += Hex[c >> 4];
        out_ += Hex[c & 15];
    }

    std::string out_;
};

void write_pot(Json& json, const PotResult& pot, std::span<const int> seats) {
    std::array<int, MaxSeats> contestants;
    std::size_t count = 0;
    for (SeatMask left = pot.contestants; left; left &= left - 1)
        contestants[count++] = seats[std::countr_zero(left)];
    json.raw("{\"amount\":").number(pot.amount).raw(",\"seats\":");
    json.list(std::span(contestants).first(count), [&](int seat) { json.number(seat); }).raw("}");
}

void write_row(Json& json, const Hand& hand, const Row& row) {
    json.raw(row.text);
    const int place = row.place;
    if (place < 0)
        return;
    const bool folded = hand.folded & seat_bit(place);
    json.raw(",\"stack\":").number(row.behind + hand.stacks[place]);
    json.raw(",\"bet\":").number(hand.bets[place]);
    json.raw(",\"contributed\":").number(hand.contributed(place));
    json.raw(",\"status\":").string(folded ? "folded" : hand.is_all_in(place) ? "allin" : "active");
    json.raw(",\"holds\":").number(folded ? 0 : hand.hole_cards()).raw(",\"last\":");
    if (!row.last) {
        json.raw("null}");
        return;
    }
    json.raw("{\"type\":").string(row.last->word).raw(",\"amount\":").number(row.last->amount);
    if (row.last->all_in)
        json.raw(",\"all_in\":").flag(*row.last->all_in);
    json.raw("}}");
}

}  // namespace

std::string public_json(const Hand& hand, std::string_view head, std::span<const std::string_view> board,
                        std::span<const int> seats, std::optional<int> aggressor, std::span<const Row> rows) {
    Json json(head.size() + 256 + 384 * rows.size());
    json.raw(head).raw("\"street\":").string(Streets[hand.street]).raw(",\"board\":");
    json.list(board, [&](std::string_view card) { json.string(card); }).raw(",\"actor\":");
    json.number_or_null(hand.done() ? std::nullopt : std::optional(seats[hand.actor]));
    json.raw(",\"aggressor\":").number_or_null(aggressor).raw(",\"pot\":").number(hand.pot()).raw(",\"pots\":");
    json.list(hand.pots_before(), [&](const PotResult& pot) { write_pot(json, pot, seats); }).raw(",\"players\":");
    json.list(rows, [&](const Row& row) { write_row(json, hand, row); }).raw(",\"result\":null}");
    return json.take();
}

std::string choice_json(const Hand& hand) {
    if (hand.done())
        return "null";
    const Legal legal = hand.legal();
    const Chips bet = hand.bets[hand.actor], stack = hand.stacks[hand.actor], most = legal.max_raise_to;
    Json json(160);
    json.raw("{\"actions\":[\"fold\",").string(legal.check ? "check" : "call");
    if (most > 0)
        json.raw(hand.is_unopened() ? ",\"bet\"" : ",\"raise\"");
    if (most == bet + stack || (most == 0 && legal.call == stack))
        json.raw(",\"allin\"");
    json.raw("],\"call\":").number(legal.call);
    json.raw(",\"min\":").number(legal.min_raise_to).raw(",\"max\":").number(most);
    json.raw(",\"pot\":").number(hand.pot()).raw(",\"bet\":").number(bet).raw("}");
    return json.take();
}

std::string private_json(const Hand& hand, int seat, std::string_view name, std::span<const Card> best) {
    std::array<Card, MaxHoleCards> cards;
    const std::size_t count = static_cast<std::size_t>(hand.hole_cards());
    for (std::size_t i = 0; i < count; ++i)
        cards[i] = hand.hole_card(seat, static_cast<int>(i));
    Json json(160);
    json.raw("{\"cards\":").cards(std::span(cards).first(count));
    if (best.empty())
        return json.raw(",\"rank\":null,\"best\":null}").take();
    return json.raw(",\"rank\":").string(name).raw(",\"best\":").cards(best).raw("}").take();
}

}  // namespace parlour
