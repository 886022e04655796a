// Unbiased shuffles: Fisher–Yates over ChaCha20, with rejection.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "cards/chacha.hpp"
#include "holdem/hand.hpp"

namespace parlour {

// Puts a uniformly random arrangement into the first `count` places; the rest holds what was not drawn. To deal 17
// cards of 52, 17 draws are enough.
template <class T>
void shuffle_front(std::span<T> items, std::size_t count, ChaCha20& random) {
    const std::size_t size = items.size();
    for (std::size_t i = 0; i < count && i + 1 < size; ++i)
        std::swap(items[i], items[i + random.below(static_cast<std::uint32_t>(size - i))]);
}

// The deck of the variant with its first `count` cards in random order.
std::array<Card, DeckSize> shuffled_deck(Variant variant, int count, ChaCha20& random);

}  // namespace parlour
