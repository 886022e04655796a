#include "holdem/shuffle.hpp"

#include <numeric>

namespace parlour {

std::array<Card, DeckSize> shuffled_deck(Variant variant, int count, ChaCha20& random) {
    std::array<Card, DeckSize> deck{};
    const auto lowest = static_cast<Card>(std::countr_zero(deck_of(variant)));
    const std::span<Card> cards(deck.data(), DeckSize - lowest);
    std::iota(cards.begin(), cards.end(), lowest);
    shuffle_front(cards, static_cast<std::size_t>(count), random);
    return deck;
}

}  // namespace parlour
