#include "holdem/batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "holdem/shuffle.hpp"

namespace parlour {

Fault play(Hand& hand, Move move, Chips raise_to) {
    if (hand.actor < 0) return hand.done() ? Fault::HandOver : Fault::BettingOver;
    const Chips bet = hand.bets[hand.actor], all = bet + hand.stacks[hand.actor];
    switch (move) {
        case Move::Fold: return hand.act(Action::Fold);
        case Move::CheckOrCall: return hand.act(hand.price > bet ? Action::Call : Action::Check);
        case Move::Raise: return hand.act(Action::Raise, raise_to);
        case Move::AllIn: break;
    }
    const Legal legal = hand.legal();
    return legal.call > 0 && legal.max_raise_to == 0 ? hand.act(Action::Call) : hand.act(Action::Raise, all);
}

HandBatch::HandBatch(std::size_t tables, const Rules& rules, bool moving, const ChaChaKey& seed) : random_(seed) {
    if (tables == 0) throw std::invalid_argument("a batch needs at least one table");
    if (rules.runs != 1) throw std::invalid_argument("in a batch every board is run once");
    fresh_.push_back(Hand::posted(rules));
    const std::size_t seats = fresh_.front().seats;
    Rules next = rules;
    for (std::size_t moves = 1; moving && moves < seats; ++moves) {
        next.button = static_cast<int>((fresh_.back().button + 1) % seats);
        fresh_.push_back(Hand::posted(next));
    }
    ChaCha20 any_order(seed);
    for (Hand hand : fresh_) {
        hand.deal_unchecked(shuffled_deck(hand.variant, hand.cards_needed(), any_order));
        if (hand.done()) throw std::invalid_argument("the posts leave nobody a decision");
    }
    hands.resize(tables);
    for (auto* amounts : {&call, &min_raise_to, &max_raise_to}) amounts->resize(tables);
    legal.resize(tables * MoveCount);
    hole.resize(tables * seats * static_cast<std::size_t>(hole_cards()));
    board.resize(tables * 5 * fresh_.front().boards);
    done.resize(tables);
    payouts.resize(tables * seats);
    rewards.resize(tables * seats);
    for (std::size_t table = 0; table < tables; ++table) deal(table, fresh_.front());
}

Hand HandBatch::hand(std::size_t table) const {
    const std::lock_guard guard(stepping_);
    return hands[table];
}

void HandBatch::deal(std::size_t table, const Hand& fresh) {
    Hand& hand = hands[table];
    hand = fresh;
    hand.deal_unchecked(shuffled_deck(hand.variant, hand.cards_needed(), random_));
    Card* card = &hole[table * hand.seats * hand.hole_cards()];
    for (int seat = 0; seat < hand.seats; ++seat)
        for (int i = 0; i < hand.hole_cards(); ++i) *card++ = hand.hole_card(seat, i);
    std::fill_n(&board[table * 5 * hand.boards], 5 * hand.boards, NoCard);
    if (hand.street > 0) lay_boards(table);  // a bomb pot begins with the flop
    observe(table);
}

void HandBatch::lay_boards(std::size_t table) {
    const Hand& hand = hands[table];
    Card* const first = &board[table * 5 * hand.boards];
    std::ranges::copy(hand.board(), first);
    if (hand.boards > 1) std::copy_n(hand.board_on(1).begin(), BoardCards[hand.street], first + 5);
}

void HandBatch::finish(std::size_t table) {
    Hand& hand = hands[table];
    done[table] = 1;
    ++finished;
    if (hand.seven_deuce > 0) {
        hand.claim_bounty();
        hand.stacks = hand.settled_stacks();
    }
    for (int seat = 0; seat < hand.seats; ++seat) {
        payouts[table * hand.seats + seat] = hand.payouts[seat];
        rewards[table * hand.seats + seat] = hand.stacks[seat] - hand.starting[seat];
    }
}

void HandBatch::observe(std::size_t table) {
    const Hand& hand = hands[table];
    const Legal allowed = hand.legal();
    const Chips stack = hand.stacks[hand.actor];
    call[table] = allowed.call;
    min_raise_to[table] = allowed.min_raise_to;
    max_raise_to[table] = allowed.max_raise_to;
    std::uint8_t* const mask = &legal[table * MoveCount];
    mask[static_cast<int>(Move::Fold)] = 1;
    mask[static_cast<int>(Move::CheckOrCall)] = 1;
    mask[static_cast<int>(Move::Raise)] = allowed.max_raise_to > 0;
    mask[static_cast<int>(Move::AllIn)] =
        allowed.max_raise_to ? allowed.max_raise_to == hand.bets[hand.actor] + stack : allowed.call > 0;
}

bool HandBatch::is_legal(std::size_t table, std::uint8_t move, std::span<const Chips> raise_to) const {
    if (move >= MoveCount || !legal[table * MoveCount + move]) return false;
    return static_cast<Move>(move) != Move::Raise ||
           (!raise_to.empty() && min_raise_to[table] <= raise_to[table] && raise_to[table] <= max_raise_to[table]);
}

std::ptrdiff_t HandBatch::step(std::span<const std::uint8_t> moves, std::span<const Chips> raise_to) {
    const std::lock_guard guard(stepping_);
    for (std::size_t table = 0; table < hands.size(); ++table)
        if (!is_legal(table, moves[table], raise_to)) [[unlikely]]
            return static_cast<std::ptrdiff_t>(table);

    for (std::size_t table = 0; table < hands.size(); ++table) {
        Hand& hand = hands[table];
        if (done[table]) {
            done[table] = 0;
            std::fill_n(&rewards[table * hand.seats], hand.seats, 0);
        }
        const int street = hand.street;
        play(hand, static_cast<Move>(moves[table]), raise_to.empty() ? 0 : raise_to[table]);
        if (hand.done()) {
            finish(table);
            const std::size_t played = static_cast<std::size_t>(hand.button - fresh_.front().button + seats()) %
                                       static_cast<std::size_t>(seats());
            deal(table, fresh_[(played + 1) % fresh_.size()]);
            continue;
        }
        if (hand.street != street) lay_boards(table);
        observe(table);
    }
    return -1;
}

}  // namespace parlour
