// Bulk evaluation with AVX-512 (BW, VBMI): sixteen hands a step, eight in each vector, eight bytes a hand.
#include "cards/bulk_flush.hpp"

#include <immintrin.h>

namespace parlour {

namespace {

using Vector = __m512i;
using Bytes = std::array<std::uint8_t, 64>;

Vector load(const Bytes& bytes) { return _mm512_loadu_si512(bytes.data()); }

template <class F>
consteval Bytes table(F of) {
    Bytes bytes{};
    for (int i = 0; i < 64; ++i) bytes[i] = static_cast<std::uint8_t>(of(i));
    return bytes;
}

// Moves eight hands that follow each other to eight bytes each.
template <int Size>
constexpr Bytes Spread = table([](int i) { return i % 8 < Size ? i / 8 * Size + i % 8 : 0; });
template <int Size>
constexpr __mmask64 Used = (EachByte * ((1u << Size) - 1));
// Puts each card's neighbour at a distance in its place; going round, half of the distances meet every pair.
template <int Size, int Distance>
constexpr Bytes Neighbour =
    table([](int i) { return i % 8 < Size ? i / 8 * 8 + (i % 8 + Distance) % Size : i / 8 * 8; });
// Fills the places that are left with numbers that are no card and all different.
constexpr Bytes Filler = table([](int i) { return 0x38 + i % 8; });

// By card, 0 for what is none: a byte of the rank's key, and one more card in the suit's four bits.
template <int Byte>
constexpr Bytes KeyByte = table([](int i) { return i < DeckSize ? tables::RankKey[i / 4] >> 8 * Byte & 255 : 0; });
constexpr Bytes MinorSuits = table([](int i) { return i >= DeckSize ? 0 : i % 4 == 0 ? 1 : i % 4 == 1 ? 16 : 0; });
constexpr Bytes MajorSuits = table([](int i) { return i >= DeckSize ? 0 : i % 4 == 2 ? 1 : i % 4 == 3 ? 16 : 0; });

template <int Size, int Distance>
inline __mmask64 repeated(Vector cards) {
    return _mm512_cmpeq_epi8_mask(cards, _mm512_permutexvar_epi8(load(Neighbour<Size, Distance>), cards));
}

// The sum over each hand of a table's entry for each card.
inline Vector sum(const Bytes& table, Vector cards) {
    return _mm512_sad_epu8(_mm512_permutexvar_epi8(cards, load(table)), _mm512_setzero_si512());
}

template <int Size>
std::size_t rank_rows(const Card* hands, std::size_t rows, HandRank* ranks, bool& sound) {
    constexpr std::size_t Step = 16;
    // The last vector of a step reads up to 24 bytes of the rows behind it.
    constexpr std::size_t Behind = 5;
    // The keys of this step and of the one before, which is looked up meanwhile: its loads have nothing to wait for.
    alignas(64) std::uint64_t keys[2][Step];
    std::uint64_t flushes[BlockRows / 64];

    Vector highest = _mm512_setzero_si512();
    __mmask64 same = 0;
    std::size_t row = 0;
    std::uint64_t word = 0;
    for (; row + Step + Behind <= rows && row < BlockRows; row += Step) {
        const Card* from = hands + row * Size;
        _mm_prefetch(reinterpret_cast<const char*>(from + 2048), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(from + 2048 + 64), _MM_HINT_T0);
        unsigned flush_bits = 0;
        for (int part = 0; part < 2; ++part) {
            const Vector raw = _mm512_loadu_si512(from + part * 8 * Size);
            const Vector cards = _mm512_mask_permutexvar_epi8(load(Filler), Used<Size>, load(Spread<Size>), raw);

            highest = _mm512_max_epu8(highest, cards);
            same |= repeated<Size, 1>(cards) | repeated<Size, 2>(cards);
            if constexpr (Size > 5) same |= repeated<Size, 3>(cards);

            const Vector key = _mm512_add_epi64(sum(KeyByte<0>, cards),
                                                _mm512_add_epi64(_mm512_slli_epi64(sum(KeyByte<1>, cards), 8),
                                                                 _mm512_slli_epi64(sum(KeyByte<2>, cards), 16)));
            _mm512_store_si512(keys[row / Step % 2] + 8 * part,
                               _mm512_and_si512(key, _mm512_set1_epi64(tables::KeyMask)));

            // Three plus the count of each suit: the top bit of its four shows a flush.
            const Vector suits =
                _mm512_add_epi64(_mm512_add_epi64(sum(MinorSuits, cards), _mm512_slli_epi64(sum(MajorSuits, cards), 8)),
                                 _mm512_set1_epi64(0x3333));
            flush_bits |= static_cast<unsigned>(_mm512_test_epi64_mask(suits, _mm512_set1_epi64(0x8888))) << (8 * part);
        }
        if (row) look_up<Size, Step>(keys[(row / Step + 1) % 2], ranks + row - Step);
        word |= std::uint64_t{flush_bits} << (row % 64);
        flushes[row / 64] = word;
        if (row % 64 == 64 - Step) word = 0;
    }
    // The fillers are above the deck by nature: only cards count.
    const __mmask64 too_high = _mm512_mask_cmpgt_epu8_mask(Used<Size>, highest, _mm512_set1_epi8(DeckSize - 1));
    if (too_high || same) sound = false;
    if (row) look_up<Size, Step>(keys[(row / Step + 1) % 2], ranks + row - Step);
    rank_flushes<Size>(hands, row, flushes, ranks);
    return row;
}

}  // namespace

const detail::RowKernel detail::Avx512Kernels[3] = {rank_rows<5>, rank_rows<6>, rank_rows<7>};

}  // namespace parlour
