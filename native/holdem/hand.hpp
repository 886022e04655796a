// One hand of hold'em, Omaha (high or hi-lo) or short deck as plain data: trivially copyable, without pointers,
// randomness or policy. The cards arrive as data; every chip that moves is moved by a rule that a test names.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "holdem/pots.hpp"
#include "cards/variant.hpp"

namespace parlour {

enum class Limit : std::uint8_t { No, Pot, Fixed };
enum class Action : std::uint8_t { Fold, Check, Call, Raise };

// Chips that a seat must put in before the deal: live ones count towards a call, dead ones go straight to the pot.
struct Post {
    int seat;
    Chips live;
    Chips dead;
};

// What is agreed before the cards are dealt. The defaults are a no-limit hold'em game without extras.
struct Rules {
    std::vector<Chips> stacks;
    Chips small_blind = 1;
    Chips big_blind = 2;       // also the least bet; in fixed limit the small bet
    Chips ante = 0;            // paid by each seat
    Chips big_blind_ante = 0;  // paid by the big blind for all
    bool ante_first = false;   // whether a short big blind pays that ante before the blind
    Chips straddle = 0;        // a live bet before the cards, where three play and the straddler has the chips
    int straddle_seat = -1;    // -1: left of the big blind
    bool button_blind = false;  // whether the button posts the big blind, and nobody a small one
    Chips bomb = 0;             // paid by each seat in place of blinds and of the betting before the flop
    int button = -1;           // -1: the last seat
    int big_blind_seat = -1;   // -1: by position
    int cap = 4;               // bets and raises in a round of fixed limit, but for two players; 0: no cap
    bool half_bet = true;  // fixed limit: whether an all-in counts as a bet from half of one on, and less is completed
    Variant variant = Variant::Holdem;
    Limit limit = Limit::No;
    int boards = 1;  // two: each takes half of every pot
    int runs = 1;  // how often the rest of the board may be dealt where nobody can bet any more
    Chips seven_deuce = 0;  // what the others pay whoever wins the main pot with 7-2
    std::optional<std::vector<Post>> posts;  // replaces the blinds by position
};

// What the seat to act may do. Raises are totals on this street; 0 means that no raise is allowed.
struct Legal {
    bool fold = false;
    bool check = false;
    Chips call = 0;
    Chips min_raise_to = 0;
    Chips max_raise_to = 0;
    bool operator==(const Legal&) const = default;
};

// Why an action is refused.
enum class Fault : std::uint8_t {
    None,
    HandOver,
    BettingOver,
    BetToCall,
    NothingToCall,
    RaiseClosed,
    RaiseTooSmall,
    RaiseTooBig
};

// What the best high or low hands on one board get of a pot.
struct PotPart {
    int board = 0;
    bool low = false;
    Chips amount = 0;
    SeatMask winners = 0;
    std::array<Chips, MaxSeats> shares{};
};

struct PotResult {
    Chips amount = 0;
    SeatMask contestants = 0;
    SeatMask winners = 0;  // none before the hand is over
    std::array<Chips, MaxSeats> shares{};
    std::vector<PotPart> parts;
};

inline constexpr int MaxBoards = 3;  // three runs, or two boards
inline constexpr std::array<int, 4> BoardCards = {0, 3, 4, 5};  // that lie on each street

// What each seat holds on each board: the ranks of the high and of the low hand, 0 for none.
struct Strengths {
    std::array<std::array<int, MaxSeats>, MaxBoards> high{}, low{};
};

struct Hand {
    // In place of the seat to act.
    static constexpr std::int8_t Over = -1, AwaitsRuns = -2;

    // How it is played.
    std::uint8_t seats = 0;
    std::uint8_t button = 0;
    Variant variant = Variant::Holdem;
    Limit limit = Limit::No;
    std::uint8_t cap = 0;
    std::uint8_t half_bet = 1;
    std::uint8_t boards = 1;
    std::uint8_t runs = 1;  // the most that the rules allow
    Chips big_blind = 0;

    // Where it stands.
    std::uint8_t street = 0;  // 0 preflop … 3 river
    std::int8_t actor = Over;  // or whose turn it is
    std::int8_t aggressor = -1;  // who bet or raised last in the last round that had betting
    std::int8_t returned_seat = -1;  // whose uncalled bet went back
    std::uint8_t capped = 0;  // fixed limit: whether this round has had its last raise
    std::uint8_t run_count = 0;  // how often the board was run, once that is agreed
    SeatMask folded = 0;
    SeatMask able = 0;  // neither folded nor all-in
    SeatMask pending = 0;  // who has still to act in this round
    SeatMask acted = 0;  // who has acted in this round
    std::uint8_t run_street = 0;  // the last street that all runs share
    std::int8_t bounty_seat = -1;  // who has won the 7-2 bounty
    Chips price = 0;  // the bet to match on this street
    Chips raise_size = 0;  // the last full bet or raise: the least that a raise must add
    Chips full_bets = 0;  // fixed limit: the bets and raises that count in this round, at full size
    Chips dead = 0;  // chips contested by all, whatever their stake: big-blind ante, dead posts
    Chips blinds_missing = 0;  // what short or dead blinds lack: pot-limit counts them as if they were full
    Chips returned = 0;

    // By seat.
    std::array<Chips, MaxSeats> starting{};
    std::array<Chips, MaxSeats> stacks{};
    std::array<Chips, MaxSeats> bets{};  // on this street
    std::array<Chips, MaxSeats> stakes{};  // in the whole hand, dead chips excepted
    std::array<Chips, MaxSeats> payouts{};

    std::array<Card, DeckSize> deck{};  // in dealing order; only the first cards_needed() are used
    Chips seven_deuce = 0;

    bool operator==(const Hand&) const = default;

    // A hand with its posts made and no cards yet. Throws std::invalid_argument that names the fault in the rules.
    static Hand posted(const Rules& rules);

    // Deals these cards (hole cards one at a time from the left of the button, then five for each board; further
    // runs take the cards after those) and opens the betting. Throws std::invalid_argument where cards are missing,
    // doubled or not of this deck.
    void deal(std::span<const Card> cards);

    // The same for cards known to be good: what a simulation calls.
    void deal_unchecked(std::span<const Card> cards);

    Legal legal() const;

    // Why this action would be refused, or None.
    Fault fault(Action action, Chips raise_to = 0) const;

    // Acts for the seat whose turn it is. On a fault nothing has changed. `raise_to` is a total on this street.
    Fault act(Action action, Chips raise_to = 0);

    // Folds a seat that leaves, whoever's turn it is; its bets stay in the pot, but for what nobody could call any
    // more. False where it cannot: folded, all-in, or the hand is over.
    bool leave(int seat);

    // Where nobody can bet any more, deals the rest of the board so many times and ends the hand. False where it
    // cannot.
    bool run(int times);

    bool done() const { return actor == Over; }
    bool awaits_runs() const { return actor == AwaitsRuns; }
    int most_runs() const { return awaits_runs() ? possible_runs() : 1; }
    Chips pot() const;
    Chips contributed(int seat) const { return starting[seat] + payouts[seat] - stacks[seat]; }
    SeatMask unfolded() const { return static_cast<SeatMask>(all_seats(seats) & ~folded); }
    bool is_all_in(int seat) const { return unfolded() & ~able & seat_bit(seat); }
    bool is_unopened() const { return price == 0; }  // whether a raise is the first bet on this street

    int hole_cards() const { return hole_cards_of(variant); }
    int cards_needed() const {
        const int deck_size = variant == Variant::ShortDeck ? std::popcount(ShortDeck) : DeckSize;
        return std::min(deck_size, seats * hole_cards() + 5 * std::max(boards, runs));
    }
    Card hole_card(int seat, int index) const { return deck[index * seats + (seat + 2 * seats - button - 1) % seats]; }
    std::span<const Card> board() const {  // the first one, as far as it lies
        return {deck.data() + seats * hole_cards(), static_cast<std::size_t>(BoardCards[street])};
    }
    int board_count() const { return std::max(boards, run_count); }
    std::array<Card, 5> board_on(int which) const;  // with the cards that do not lie yet

    // For each board the cards that would have come, had the hand not ended before.
    std::vector<std::span<const Card>> rabbit() const;

    CardMask hole_mask(int seat) const;

    // The rank of the seat's hand with this board as it lies; the board must be there.
    int rank(int seat, int which = 0) const;

    // The rank of its low, 0 where it has none or the game none.
    int low_rank(int seat, int which = 0) const;

    // The rank with the first so many cards of a board, three or more, and the five cards in reading order.
    std::pair<HandRank, std::array<Card, 5>> best(int seat, int board_cards, int which = 0) const;

    // The same of the low; the rank is 0 where there is none.
    std::pair<LowRank, std::array<Card, 5>> best_low(int seat, int board_cards, int which = 0) const;

    std::vector<PotResult> pots() const;

    // The pots as they stood when this street began, and who contests them still; none before the flop.
    std::vector<PotResult> pots_before() const;

    // The seats in the order in which they show, and whether each must; empty where all others folded.
    std::vector<std::pair<int, bool>> showdown() const;

    // Who has won the main pot without a showdown with 7-2 and has not claimed the bounty for it; -1: nobody.
    int unclaimed_bounty() const;

    // Claims it. False where there is none.
    bool claim_bounty();

    // What each seat pays whoever has won the 7-2 bounty: out of its stack after the pots are paid, as far as it goes.
    std::array<Chips, MaxSeats> bounty_payments() const;

    // The stacks with the bounty.
    std::array<Chips, MaxSeats> settled_stacks() const;

    // The exact state in a versioned format of little-endian integers, and back. Throws std::invalid_argument on bytes
    // that are not a possible hand.
    std::string to_bytes() const;
    static Hand from_bytes(std::string_view bytes);

private:
    int post_blinds(const Rules& rules);
    Chips pay(int seat, Chips amount);
    void post_live(int seat, Chips amount);
    void post_dead(int seat, Chips amount);
    bool may_raise() const;
    Chips least_raise() const;
    void count_bet(Chips raise_to);
    bool owes(int seat) const;
    int next_pending(int seat) const;
    void advance();
    void open_street();
    int possible_runs() const;
    bool stop_for_runs();
    void call_dead_bet();
    Pots collect();
    void finish();
    CardMask board_mask(int which, std::size_t cards) const;
    bool divides() const { return board_count() > 1 || is_hi_lo(variant); }
    void pay_pots(const Pots& pots);
    int seven_deuce_winner() const;
    std::vector<PotPart> divide(const Pot& pot, const Strengths& strengths) const;
    Strengths strengths() const;
    std::vector<PotResult> open_pots(const std::array<Chips, MaxSeats>& staked, SeatMask all_in) const;
};

static_assert(std::is_trivially_copyable_v<Hand>);

}  // namespace parlour
