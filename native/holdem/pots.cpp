#include "holdem/pots.hpp"

#include <algorithm>

namespace parlour {

Pots make_pots(std::span<const Chips> stakes, SeatMask folded, Chips dead) {
    Pots pots;
    const int seats = static_cast<int>(stakes.size());
    const SeatMask unfolded = static_cast<SeatMask>(all_seats(seats) & ~folded);
    std::array<Chips, MaxSeats> left{};
    std::copy(stakes.begin(), stakes.end(), left.begin());

    // Chips of folded seats alone lie in the pot beneath; where there is none yet, whoever has not folded contests
    // them.
    auto add = [&](Chips amount, SeatMask contestants) {
        Pot* const top = pots.count ? &pots.pot[pots.count - 1] : nullptr;
        if (top && (contestants == 0 || contestants == top->contestants))
            top->amount += amount;
        else
            pots.pot[pots.count++] = {amount, contestants ? contestants : unfolded};
    };
    if (dead > 0) add(dead, unfolded);

    for (;;) {
        SeatMask payers = 0;
        Chips level = MaxChips;
        for (int seat = 0; seat < seats; ++seat)
            if (left[seat] > 0) {
                payers |= seat_bit(seat);
                level = std::min(level, left[seat]);
            }
        if (payers == 0) return pots;
        if (std::has_single_bit(payers)) {
            pots.returned_seat = std::countr_zero(payers);
            pots.returned = level;
            return pots;
        }
        for (int seat = 0; seat < seats; ++seat)
            if (payers & seat_bit(seat)) left[seat] -= level;
        add(level * std::popcount(payers), payers & unfolded);
    }
}

void split_pot(Chips amount, SeatMask winners, int button, std::span<Chips> chips) {
    const int seats = static_cast<int>(chips.size());
    const Chips share = amount / std::popcount(winners);
    Chips odd = amount % std::popcount(winners);
    for (int i = 1; i <= seats; ++i) {
        const int seat = (button + i) % seats;
        if (winners & seat_bit(seat)) {
            chips[seat] += share + (odd > 0);
            odd -= odd > 0;
        }
    }
}

}  // namespace parlour
