#include "cards/bulk.hpp"

#include <algorithm>
#include <array>
#include <system_error>
#include <thread>
#include <vector>

namespace parlour {

namespace {

std::size_t first_bad_row(const Card* hands, std::size_t rows, int size) {
    for (std::size_t row = 0; row < rows; ++row, hands += size) {
        CardMask seen = 0;
        bool in_deck = true;
        for (int i = 0; i < size; ++i) {
            in_deck &= hands[i] < DeckSize;
            seen |= CardMask{1} << (hands[i] & 63);
        }
        if (!in_deck || std::popcount(seen) != size) return row;
    }
    return rows;
}

// CardKey for any six bits, so that a bad card does no harm before it is found.
constexpr auto SafeCardKey = [] {
    std::array<HandKey, 64> keys{};
    for (int c = 0; c < DeckSize; ++c) keys[c] = CardKey[c];
    return keys;
}();

template <int Size>
std::size_t scalar_kernel(const Card* hands, std::size_t rows, HandRank* ranks, bool& sound) {
    CardMask repeated = 0;
    unsigned outside = 0;
    for (std::size_t row = 0; row < rows; ++row, hands += Size) {
        HandKey key = EmptyHand;
        CardMask cards = 0, sum = 0;
        for (int i = 0; i < Size; ++i) {
            const unsigned card = hands[i] & 63;
            outside |= (hands[i] + (64u - DeckSize)) & ~63u;
            cards |= CardMask{1} << card;
            sum += CardMask{1} << card;
            key += SafeCardKey[card];
        }
        repeated |= sum ^ cards;  // equal as long as every bit was added once
        ranks[row] = evaluate<Size>(key, cards);
    }
    if (repeated || outside) sound = false;
    return rows;
}

constexpr detail::RowKernel ScalarKernels[3] = {scalar_kernel<5>, scalar_kernel<6>, scalar_kernel<7>};

detail::RowKernel kernel_for(Kernel kernel, int size) {
#ifdef PARLOUR_X86_KERNELS
    if (kernel == Kernel::Avx2) return detail::Avx2Kernels[size - 5];
    if (kernel == Kernel::Avx512) return detail::Avx512Kernels[size - 5];
#endif
    (void)kernel;
    return ScalarKernels[size - 5];
}

// The first bad row, or `rows`.
std::size_t evaluate_in_blocks(const Card* hands, std::size_t rows, int size, HandRank* ranks, Kernel kernel) {
    const auto fast = kernel_for(kernel, size), rest = ScalarKernels[size - 5];
    for (std::size_t row = 0; row < rows;) {
        bool sound = true;
        std::size_t done = fast(hands + row * size, rows - row, ranks + row, sound);
        if (done == 0) done = rest(hands + row * size, rows - row, ranks + row, sound);
        if (!sound) [[unlikely]] {
            const std::size_t bad = first_bad_row(hands + row * size, done, size);
            if (bad < done) return row + bad;
        }
        row += done;
    }
    return rows;
}

}  // namespace

std::span<const Kernel> available_kernels() {
    static constexpr std::array all = {Kernel::Scalar, Kernel::Avx2, Kernel::Avx512};
    static const std::size_t count = [] {
#ifdef PARLOUR_X86_KERNELS
        __builtin_cpu_init();
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return 1;
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                       __builtin_cpu_supports("avx512vbmi")
                   ? 3
                   : 2;
#else
        return 1;
#endif
    }();
    return {all.data(), count};
}

const char* name_of(Kernel kernel) {
    return kernel == Kernel::Avx512 ? "avx512" : kernel == Kernel::Avx2 ? "avx2" : "scalar";
}

std::optional<std::size_t> evaluate_rows(const Card* hands, std::size_t rows, int size, HandRank* ranks, int threads,
                                         Kernel kernel) {
    const std::size_t parts = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(rows / RowsPerThread, 1));
    const std::size_t share = (rows + parts - 1) / parts;
    std::vector<std::size_t> bad(parts);
    const auto work = [&](std::size_t part) {
        const std::size_t first = std::min(part * share, rows), count = std::min(share, rows - first);
        const std::size_t found = evaluate_in_blocks(hands + first * size, count, size, ranks + first, kernel);
        bad[part] = found < count ? first + found : rows;
    };
    std::vector<std::thread> helpers;
    helpers.reserve(parts);
    for (std::size_t part = 1; part < parts; ++part) {
        try {
            helpers.emplace_back(work, part);
        } catch (const std::system_error&) {  // no more threads to be had
            work(part);
        }
    }
    work(0);
    for (auto& helper : helpers) helper.join();
    const std::size_t first_bad = *std::min_element(bad.begin(), bad.end());
    return first_bad < rows ? std::optional(first_bad) : std::nullopt;
}

}  // namespace parlour
