#include "cards/equity.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "cards/short_deck.hpp"

namespace parlour {

namespace {

[[noreturn]] void reject(const std::string& why) { throw std::invalid_argument(why); }

std::string player_name(std::size_t index) { return "player " + std::to_string(index + 1); }

std::string first_card(CardMask cards) { return to_string(static_cast<Card>(std::countr_zero(cards))); }

// Whether the players from `index` on can hold something each, with no card of `used`. Gives up with yes after many
// steps: a spot so hard to decide has holdings enough that one of them will do.
bool can_deal(const std::vector<const Hands*>& players, std::size_t index, CardMask used, int& steps) {
    if (index == players.size() || --steps <= 0) return true;
    return std::any_of(players[index]->hands.begin(), players[index]->hands.end(), [&](const Hands::Weighted& hand) {
        return !(hand.cards & used) && can_deal(players, index + 1, used | hand.cards, steps);
    });
}

// Takes hands that hold a card of `used` out of a player's hands.
void remove_hands(Hands& player, CardMask used) {
    std::erase_if(player.hands, [used](const Hands::Weighted& hand) { return hand.cards & used; });
}

}  // namespace

void Tally::add(unsigned winners, double weight) {
    const int count = std::popcount(winners);
    const double share = weight / count;
    total += weight;
    for (unsigned left = winners; left; left &= left - 1) {
        const int p = std::countr_zero(left);
        (count == 1 ? wins : ties)[p] += weight;
        shares[p] += share;
        squares[p] += share / count;
    }
}

void Tally::add_halves(unsigned high, unsigned low, double weight) {
    if (low == 0 || high == low) return add(high, weight);
    const auto half = [](unsigned winners, unsigned self) { return winners & self ? 0.5 / std::popcount(winners) : 0; };
    total += weight;
    for (unsigned left = high | low; left; left &= left - 1) {
        const int p = std::countr_zero(left);
        const unsigned self = left & -left;
        const double share = half(high, self) + half(low, self);
        ties[p] += weight;  // nobody has both halves alone
        shares[p] += weight * share;
        squares[p] += weight * share * share;
    }
}

void Tally::add(const Tally& other) {
    total += other.total;
    for (int p = 0; p < MaxPlayers; ++p) {
        wins[p] += other.wins[p];
        ties[p] += other.ties[p];
        shares[p] += other.shares[p];
        squares[p] += other.squares[p];
    }
}

void prepare(Spot& spot) {
    const auto players = spot.players.size();
    if (players < 2 || players > MaxPlayers) reject("equity takes 2 to 10 players, not " + std::to_string(players));
    if (const int cards = std::popcount(spot.board); cards != 0 && cards != 3 && cards != 4 && cards != 5)
        reject("a board has 0, 3, 4 or 5 cards, not " + std::to_string(cards));
    if (const CardMask both = spot.board & spot.dead) reject(first_card(both) + " is on the board and dead");
    const CardMask deck = deck_of(spot.variant);
    if (const CardMask alien = spot.board & ~deck) reject(first_card(alien) + " is not in a short deck");
    if (const int left = std::popcount(deck & ~spot.dead),
        needed = static_cast<int>(players) * hole_cards_of(spot.variant) + 5;
        left < needed)
        reject("the deck is too small: " + std::to_string(needed) + " cards needed, " + std::to_string(left) + " left");

    // Known hands first, for messages that name the card; then what they exclude from the others, until nothing
    // changes.
    CardMask known = 0;
    for (std::size_t i = 0; i < players; ++i) {
        const Hands& player = spot.players[i];
        if (!player.known()) continue;
        const CardMask cards = player.hands[0].cards;
        if (const CardMask both = cards & spot.board)
            reject(player_name(i) + " holds " + first_card(both) + ", which is on the board");
        if (const CardMask both = cards & spot.dead)
            reject(player_name(i) + " holds " + first_card(both) + ", which is dead");
        if (const CardMask both = cards & known) reject("two players hold " + first_card(both));
        known |= cards;
    }
    std::vector<bool> settled(players);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < players; ++i) {
            Hands& player = spot.players[i];
            if (settled[i]) continue;
            settled[i] = player.known();
            const CardMask own = settled[i] ? player.hands[0].cards : 0;
            remove_hands(player, spot.board | spot.dead | (known & ~own));
            if (player.hands.empty() && !player.any)
                reject(player_name(i) + " can hold no hand: other cards exclude all of the range");
            if (player.known() && !settled[i]) {
                known |= player.hands[0].cards;
                settled[i] = changed = true;
            }
        }
    }
    std::vector<const Hands*> ranges;
    for (const Hands& player : spot.players)
        if (!player.any) ranges.push_back(&player);
    std::sort(ranges.begin(), ranges.end(),
              [](const Hands* a, const Hands* b) { return a->hands.size() < b->hands.size(); });
    int steps = 1'000'000;
    if (!can_deal(ranges, 0, 0, steps)) reject("the ranges exclude each other: no deal gives every player a hand");
}

}  // namespace parlour
