// The ranks of all players side by side, so that one comparison finds the winners.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define PARLOUR_SSE2 1
#endif

namespace parlour {

// Hand ranks, one a player; 0 where there is no player. Lanes is 2, 8 or 16.
template <int Lanes>
struct alignas(2 * Lanes > 16 ? 16 : 2 * Lanes) Ranks {
    std::uint16_t of[Lanes];
};

// The larger of two ranks, player by player.
template <int Lanes>
inline Ranks<Lanes> best_of(const Ranks<Lanes>& a, const Ranks<Lanes>& b) {
    Ranks<Lanes> best;
    for (int i = 0; i < Lanes; ++i) best.of[i] = std::max(a.of[i], b.of[i]);
    return best;
}

// Bit p is set if player p has the best rank. Ranks are below 2^15.
template <int Lanes>
inline unsigned winners_of(const Ranks<Lanes>& ranks) {
    std::uint16_t best = 0;
    for (int i = 0; i < Lanes; ++i) best = std::max(best, ranks.of[i]);
    unsigned winners = 0;
    for (int i = 0; i < Lanes; ++i) winners |= static_cast<unsigned>(ranks.of[i] == best) << i;
    return winners;
}

#ifdef PARLOUR_SSE2
inline __m128i spread_max(__m128i x) {
    x = _mm_max_epi16(x, _mm_shuffle_epi32(x, 0x4E));
    x = _mm_max_epi16(x, _mm_shuffle_epi32(x, 0xB1));
    return _mm_max_epi16(x, _mm_shufflehi_epi16(_mm_shufflelo_epi16(x, 0xB1), 0xB1));
}

template <>
inline Ranks<8> best_of(const Ranks<8>& a, const Ranks<8>& b) {
    Ranks<8> best;
    _mm_store_si128(reinterpret_cast<__m128i*>(best.of),
                    _mm_max_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(a.of)),
                                  _mm_load_si128(reinterpret_cast<const __m128i*>(b.of))));
    return best;
}

inline unsigned winners_among(__m128i ranks) {
    const __m128i won = _mm_cmpeq_epi16(ranks, spread_max(ranks));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(won, _mm_setzero_si128())));
}

inline unsigned winners_among(__m128i first, __m128i last) {
    const __m128i best = spread_max(_mm_max_epi16(first, last));
    return static_cast<unsigned>(
        _mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(first, best), _mm_cmpeq_epi16(last, best))));
}

template <>
inline unsigned winners_of(const Ranks<8>& ranks) {
    return winners_among(_mm_load_si128(reinterpret_cast<const __m128i*>(ranks.of)));
}

template <>
inline unsigned winners_of(const Ranks<16>& ranks) {
    return winners_among(_mm_load_si128(reinterpret_cast<const __m128i*>(ranks.of)),
                         _mm_load_si128(reinterpret_cast<const __m128i*>(ranks.of + 8)));
}
#endif

template <>
inline unsigned winners_of(const Ranks<2>& ranks) {
    return static_cast<unsigned>(ranks.of[0] >= ranks.of[1]) | static_cast<unsigned>(ranks.of[1] >= ranks.of[0]) << 1;
}

}  // namespace parlour
