// Ranges: the weights that a player's two hole cards have, over all 1,326 holdings, and their notation.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cards/cards.hpp"

namespace parlour {

inline constexpr int HoldingCount = 1326;

// Two hole cards, the higher one first.
struct Holding {
    Card high, low;

    constexpr CardMask mask() const { return mask_of(high) | mask_of(low); }
};

// Holdings are numbered by their higher card, then by their lower card: 2d2c = 0 … AsAh = 1325. The cards must differ.
constexpr int holding_index(Card a, Card b) { return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a; }

extern const std::array<Holding, HoldingCount> Holdings;

// A weight per holding; 0 is a holding that is not in the range.
using Range = std::array<double, HoldingCount>;

// Reads `QQ+, AKs, 65s-54s, A5s:0.5, T9, AhKh, random`. Where items overlap the later one decides, so `AA, AhAs:0`
// takes a holding out. Throws std::invalid_argument naming the item that is wrong.
Range parse_range(std::string_view text);

// The shortest notation that parse_range reads back to the same range; an empty range is an empty string.
std::string format_range(const Range& range);

}  // namespace parlour
