// Main and side pots: who contests which chips, and how a pot is split.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace parlour {

using Chips = std::int64_t;

// Bit i is seat i.
using SeatMask = std::uint16_t;

inline constexpr int MaxSeats = 10;
inline constexpr Chips MaxChips = 1'000'000'000'000'000;  // of all seats together: sums and doubles never overflow

constexpr SeatMask seat_bit(int seat) { return static_cast<SeatMask>(1u << seat); }
constexpr SeatMask all_seats(int seats) { return static_cast<SeatMask>((1u << seats) - 1); }

struct Pot {
    Chips amount = 0;
    SeatMask contestants = 0;
};

struct Pots {
    std::array<Pot, MaxSeats + 1> pot{};  // dead chips may make one more than there are stakes
    int count = 0;
    int returned_seat = -1;  // whose chips nobody matched, or -1
    Chips returned = 0;
};

// Takes the smallest stake from everyone who has one: that is a pot contested by those of them who have not folded; and
// again with what is left. What one seat alone has left goes back to it. `dead` chips are contested by all who have not
// folded.
Pots make_pots(std::span<const Chips> stakes, SeatMask folded, Chips dead = 0);

// Adds the pot to the winners' chips: equal shares, then the odd chips one each, from the first winner left of the
// button.
void split_pot(Chips amount, SeatMask winners, int button, std::span<Chips> chips);

}  // namespace parlour
