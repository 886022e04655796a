// Many hands under the same rules, stepped together: what a simulation or a training loop drives.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "cards/chacha.hpp"
#include "holdem/hand.hpp"

namespace parlour {

// What a step does at a table: the codes that Hand.act takes in Python as well.
enum class Move : std::uint8_t { Fold, CheckOrCall, Raise, AllIn };
inline constexpr int MoveCount = 4;

// Plays the move for the seat to act. `raise_to` counts for a raise only; all-in where no raise is allowed is a call.
Fault play(Hand& hand, Move move, Chips raise_to);

// Every table has a hand in progress: one that ends is scored and dealt anew with a fresh shuffle. The arrays hold one
// row a table; `hands` is read directly for stacks, bets, street and actor.
class HandBatch {
public:
    static constexpr Card NoCard = 255;

    // With `moving` the button goes one seat on with each hand of a table, from where the rules have it. Throws
    // std::invalid_argument on faulty rules, no tables, several runs, or posts that leave nobody a decision. A 7-2
    // bounty is always claimed.
    HandBatch(std::size_t tables, const Rules& rules, bool moving, const ChaChaKey& seed);

    // One action at every table; steps from several threads follow one another. Returns the first table whose action is
    // illegal, and has then changed nothing; or -1.
    std::ptrdiff_t step(std::span<const std::uint8_t> moves, std::span<const Chips> raise_to);

    // The hand in progress, never in the middle of a step.
    Hand hand(std::size_t table) const;

    std::size_t tables() const { return hands.size(); }
    int seats() const { return fresh_.front().seats; }
    int hole_cards() const { return fresh_.front().hole_cards(); }
    int boards() const { return fresh_.front().boards; }

    std::vector<Hand> hands;
    std::vector<Chips> call, min_raise_to, max_raise_to;
    std::vector<std::uint8_t> legal;  // tables × MoveCount
    std::vector<Card> hole;           // tables × seats × hole cards
    std::vector<Card> board;          // tables × boards × 5, NoCard where not dealt
    std::vector<std::uint8_t> done;   // a hand ended in the last step
    std::vector<Chips> payouts;       // tables × seats: of the hand that ended last
    std::vector<Chips> rewards;  // tables × seats: chips won or lost in a hand that ended in the last step, else 0
    std::uint64_t finished = 0;

private:
    void deal(std::size_t table, const Hand& fresh);
    void lay_boards(std::size_t table);
    void finish(std::size_t table);
    void observe(std::size_t table);
    bool is_legal(std::size_t table, std::uint8_t move, std::span<const Chips> raise_to) const;

    std::vector<Hand> fresh_;  // posts made, no cards: for each seat that has the button in turn
    ChaCha20 random_;
    mutable std::mutex stepping_;
};

}  // namespace parlour
