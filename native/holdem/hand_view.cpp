#include "holdem/hand_view.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "cards/hand_name.hpp"
#include "holdem/sizes.hpp"

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
            for (const char c : text) is_special(c) ? escaped(c) : out_.push_back(c);
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

void write_seats(Json& json, SeatMask places, std::span<const int> seats) {
    std::array<int, MaxSeats> numbers;
    std::size_t count = 0;
    for (; places; places &= places - 1) numbers[count++] = seats[std::countr_zero(places)];
    json.list(std::span(numbers).first(count), [&](int seat) { json.number(seat); });
}

void write_pot(Json& json, const PotResult& pot, std::span<const int> seats) {
    json.raw("{\"amount\":").number(pot.amount).raw(",\"seats\":");
    write_seats(json, pot.contestants, seats);
    json.raw("}");
}

// A pot, who won how much of it, and the code of the hand that won; null where nobody contested it.
void write_pot_won(Json& json, const Hand& hand, const PotResult& pot, std::span<const int> seats) {
    json.raw("{\"amount\":").number(pot.amount).raw(",\"seats\":");
    write_seats(json, pot.contestants, seats);
    json.raw(",\"winners\":");
    write_seats(json, pot.winners, seats);
    std::array<Chips, MaxSeats> shares;
    std::size_t count = 0;
    for (SeatMask left = pot.winners; left; left &= left - 1) shares[count++] = pot.shares[std::countr_zero(left)];
    json.raw(",\"shares\":").list(std::span(shares).first(count), [&](Chips share) { json.number(share); });
    json.raw(",\"made\":");
    if (std::has_single_bit(pot.contestants))
        json.raw("null}");
    else
        json.string(hand_code(hand.best(std::countr_zero(pot.winners), 5).second)).raw("}");
}

// What a hand is worth with so many cards of the board: `key`, the name in words, the best five cards, and the code.
void write_worth(Json& json, const Hand& hand, int place, int board_cards, std::string_view key) {
    json.raw(",\"").raw(key).raw("\":");
    if (place < 0 || board_cards == 0) {
        json.raw("null,\"best\":null,\"made\":null}");
        return;
    }
    const auto five = hand.best(place, board_cards).second;
    json.string(hand_name(five)).raw(",\"best\":").cards(five).raw(",\"made\":").string(hand_code(five)).raw("}");
}

std::string_view status_in_hand(const Hand& hand, int place) {
    return hand.folded & seat_bit(place) ? "folded" : hand.is_all_in(place) ? "allin" : "active";
}

std::string_view status_afterwards(const Row& row) {
    return row.behind == 0 ? "busted" : row.out ? "sitting_out" : "active";
}

void write_row(Json& json, const Hand& hand, const Row& row, bool live) {
    json.raw(row.text);
    const int place = row.place;
    if (place < 0) return;
    json.raw(",\"stack\":").number(row.behind + (live ? hand.stacks[place] : 0));
    json.raw(",\"bet\":").number(live ? hand.bets[place] : 0);
    json.raw(",\"contributed\":").number(live ? hand.contributed(place) : 0);
    json.raw(",\"call\":").number(live ? chips_to_call(hand, place) : 0);
    json.raw(",\"status\":").string(live ? status_in_hand(hand, place) : status_afterwards(row));
    const bool holds = row.hides && !(hand.folded & seat_bit(place));
    json.raw(",\"holds\":").number(holds ? hand.hole_cards() : 0).raw(",\"last\":");
    if (!row.last) {
        json.raw("null}");
        return;
    }
    json.raw("{\"type\":").string(row.last->word).raw(",\"amount\":").number(row.last->amount);
    if (row.last->all_in) json.raw(",\"all_in\":").flag(*row.last->all_in);
    json.raw("}}");
}

}  // namespace

std::string public_json(const Hand& hand, std::string_view head, std::span<const std::string_view> board,
                        std::span<const int> seats, std::optional<int> aggressor, std::span<const Row> rows,
                        std::optional<std::string_view> result, std::string_view run_out) {
    const bool live = !result;
    Json json(head.size() + 256 + 384 * rows.size() + (live ? 0 : result->size()) + run_out.size());
    json.raw(head).raw("\"street\":");
    live ? json.string(Streets[hand.street]) : json.raw("null");
    json.raw(",\"board\":").list(board, [&](std::string_view card) { json.string(card); }).raw(",\"actor\":");
    json.number_or_null(hand.actor < 0 ? std::nullopt : std::optional(seats[hand.actor]));
    json.raw(",\"aggressor\":").number_or_null(aggressor).raw(",\"pot\":").number(live ? hand.pot() : 0);
    json.raw(",\"pots\":");
    json.list(live ? hand.pots_before() : std::vector<PotResult>{},
              [&](const PotResult& pot) { write_pot(json, pot, seats); });
    json.raw(",\"players\":").list(rows, [&](const Row& row) { write_row(json, hand, row, live); });
    json.raw(",\"result\":").raw(result.value_or("null"));
    return json.raw(",\"run_out\":").raw(run_out).raw("}").take();
}

std::string result_json(const Hand& hand, int number, int board_cards, std::span<const int> seats,
                        std::span<const ShownHand> shown) {
    Json json(256 + 192 * shown.size());
    json.raw("{\"hand\":").number(number).raw(",\"pots\":");
    json.list(hand.pots(), [&](const PotResult& pot) { write_pot_won(json, hand, pot, seats); }).raw(",\"payouts\":{");
    std::string_view before = "\"";
    for (int place = 0; place < hand.seats; ++place)
        if (hand.payouts[place] > 0)
            json.raw(std::exchange(before, ",\"")).number(seats[place]).raw("\":").number(hand.payouts[place]);
    json.raw("},\"returned\":");
    if (hand.returned > 0)
        json.raw("{\"seat\":").number(seats[hand.returned_seat]).raw(",\"amount\":").number(hand.returned).raw("}");
    else
        json.raw("null");
    json.raw(",\"shown\":{");
    before = "\"";
    for (const ShownHand& cards : shown) {
        json.raw(std::exchange(before, ",\"")).number(cards.seat).raw("\":{\"cards\":");
        json.list(std::span(cards.cards).first(cards.count), [&](std::string_view card) { json.string(card); });
        const bool whole = cards.count == static_cast<std::size_t>(hand.hole_cards());  // hidden cards tell nothing
        write_worth(json, hand, whole ? cards.place : -1, board_cards, "name");
    }
    json.raw("},\"reason\":").string(std::has_single_bit(hand.unfolded()) ? "fold" : "showdown");
    return json.raw("}").take();
}

std::string choice_json(const Hand& hand) {
    if (hand.actor < 0) return "null";
    const Legal legal = hand.legal();
    const Chips bet = hand.bets[hand.actor], stack = hand.stacks[hand.actor], most = legal.max_raise_to;
    const Chips all_in = all_in_to(hand);
    Json json(384);
    json.raw("{\"actions\":[\"fold\",").string(legal.check ? "check" : "call");
    if (most > 0) json.raw(hand.is_unopened() ? ",\"bet\"" : ",\"raise\"");
    if (all_in > 0) json.raw(",\"allin\"");
    json.raw("],\"call\":").number(legal.call);
    json.raw(",\"min\":").number(legal.min_raise_to).raw(",\"max\":").number(most);
    json.raw(",\"pot\":").number(hand.pot()).raw(",\"bet\":").number(bet);
    json.raw(",\"stack\":").number(stack).raw(",\"call_all_in\":").flag(legal.call == stack);
    json.raw(",\"all_in\":").number(all_in).raw(",\"sizes\":");
    json.list(raise_sizes(hand), [&](const Size& size) {
        json.raw("{\"name\":").string(size.name).raw(",\"percent\":").number(size.percent);
        json.raw(",\"to\":").number(size.to).raw("}");
    });
    return json.raw("}").take();
}

std::string private_json(const Hand& hand, int seat, int board_cards) {
    std::array<Card, MaxHoleCards> cards;
    const std::size_t count = static_cast<std::size_t>(hand.hole_cards());
    for (std::size_t i = 0; i < count; ++i) cards[i] = hand.hole_card(seat, static_cast<int>(i));
    Json json(160);
    json.raw("{\"cards\":").cards(std::span(cards).first(count));
    write_worth(json, hand, seat, board_cards, "rank");
    return json.take();
}

}  // namespace parlour
