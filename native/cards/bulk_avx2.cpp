// Bulk evaluation with AVX2: sixteen hands a step, four in each vector, eight bytes a hand.
#include "cards/bulk_flush.hpp"

#include <immintrin.h>

namespace parlour {

namespace {

using Vector = __m256i;
using Lane = std::array<std::uint8_t, 16>;

Vector both_lanes(const Lane& bytes) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data())));
}

// A table for both hands of a lane: `of(place)` for each of eight places.
template <class F>
consteval Lane for_both_hands(F of) {
    Lane lane{};
    for (int hand = 0; hand < 2; ++hand)
        for (int place = 0; place < 8; ++place) lane[8 * hand + place] = static_cast<std::uint8_t>(of(hand, place));
    return lane;
}

// Moves two hands that follow each other to eight bytes each; the places that are left become 0.
template <int Size>
constexpr Lane Spread = for_both_hands([](int hand, int place) { return place < Size ? hand * Size + place : 0x80; });
// Fills those places with numbers that are no card and all different.
template <int Size>
constexpr Lane Filler = for_both_hands([](int, int place) { return place < Size ? 0 : 0xF8 + place; });
// Puts each card's neighbour at a distance in its place; going round, half of the distances meet every pair.
template <int Size, int Distance>
constexpr Lane Neighbour =
    for_both_hands([](int hand, int place) { return place < Size ? 8 * hand + (place + Distance) % Size : 8 * hand; });

// By the low bits of a card: one more card in the suit's four bits.
constexpr Lane MinorSuits = for_both_hands([](int, int i) { return (i & 3) == 0 ? 1 : (i & 3) == 1 ? 16 : 0; });
constexpr Lane MajorSuits = for_both_hands([](int, int i) { return (i & 3) == 2 ? 1 : (i & 3) == 3 ? 16 : 0; });

template <int Size, int Distance>
inline Vector differences(Vector cards) {
    return _mm256_xor_si256(cards, _mm256_shuffle_epi8(cards, both_lanes(Neighbour<Size, Distance>)));
}

// The sum over each hand of a table's entry for each card.
inline Vector sum(const Lane& table, Vector index) {
    return _mm256_sad_epu8(_mm256_shuffle_epi8(both_lanes(table), index), _mm256_setzero_si256());
}

template <int Size>
std::size_t rank_rows(const Card* hands, std::size_t rows, HandRank* ranks, bool& sound) {
    constexpr std::size_t Step = 16;
    // The last vector of a step reads up to six bytes of the rows behind it.
    constexpr std::size_t Behind = 2;
    // The keys of this step and of the one before, which is looked up meanwhile: its loads have nothing to wait for.
    alignas(32) std::uint64_t keys[2][Step];
    std::uint64_t flushes[BlockRows / 64];

    Vector highest = _mm256_setzero_si256(), least_difference = _mm256_set1_epi8(-1);
    std::size_t row = 0;
    std::uint64_t word = 0;
    for (; row + Step + Behind <= rows && row < BlockRows; row += Step) {
        const Card* from = hands + row * Size;
        _mm_prefetch(reinterpret_cast<const char*>(from + 2048), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(from + 2048 + 64), _MM_HINT_T0);
        unsigned flush_bits = 0;
        for (int part = 0; part < 4; ++part) {
            const auto* at = reinterpret_cast<const __m128i*>(from + part * 4 * Size);
            const auto* next = reinterpret_cast<const __m128i*>(from + part * 4 * Size + 2 * Size);
            const Vector raw =
                _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(at)), _mm_loadu_si128(next), 1);
            const Vector bare = _mm256_shuffle_epi8(raw, both_lanes(Spread<Size>));
            const Vector cards = _mm256_or_si256(bare, both_lanes(Filler<Size>));

            highest = _mm256_max_epu8(highest, bare);
            least_difference = _mm256_min_epu8(least_difference, differences<Size, 1>(cards));
            least_difference = _mm256_min_epu8(least_difference, differences<Size, 2>(cards));
            if constexpr (Size > 5) least_difference = _mm256_min_epu8(least_difference, differences<Size, 3>(cards));

            const Vector rank = _mm256_and_si256(_mm256_srli_epi16(cards, 2), _mm256_set1_epi8(15));
            const Vector key = _mm256_add_epi64(sum(key_bytes(0), rank),
                                                _mm256_add_epi64(_mm256_slli_epi64(sum(key_bytes(1), rank), 8),
                                                                 _mm256_slli_epi64(sum(key_bytes(2), rank), 16)));
            _mm256_store_si256(reinterpret_cast<Vector*>(keys[row / Step % 2] + 4 * part),
                               _mm256_and_si256(key, _mm256_set1_epi64x(tables::KeyMask)));

            // Three plus the count of each suit: the top bit of its four shows a flush.
            const Vector suits =
                _mm256_add_epi64(_mm256_add_epi64(sum(MinorSuits, cards), _mm256_slli_epi64(sum(MajorSuits, cards), 8)),
                                 _mm256_set1_epi64x(0x3333));
            const Vector flush =
                _mm256_cmpgt_epi64(_mm256_and_si256(suits, _mm256_set1_epi64x(0x8888)), _mm256_setzero_si256());
            flush_bits |= static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(flush))) << (4 * part);
        }
        if (row) look_up<Size, Step>(keys[(row / Step + 1) % 2], ranks + row - Step);
        word |= std::uint64_t{flush_bits} << (row % 64);
        flushes[row / 64] = word;
        if (row % 64 == 64 - Step) word = 0;
    }
    const Vector too_high = _mm256_subs_epu8(highest, _mm256_set1_epi8(DeckSize - 1));
    const Vector same = _mm256_cmpeq_epi8(least_difference, _mm256_setzero_si256());
    if (_mm256_movemask_epi8(same) || !_mm256_testz_si256(too_high, too_high)) sound = false;
    if (row) look_up<Size, Step>(keys[(row / Step + 1) % 2], ranks + row - Step);
    rank_flushes<Size>(hands, row, flushes, ranks);
    return row;
}

}  // namespace

const detail::RowKernel detail::Avx2Kernels[3] = {rank_rows<5>, rank_rows<6>, rank_rows<7>};

}  // namespace parlour
