// Many hands at once: rows of 5, 6 or 7 cards, one byte a card, to one rank a row.
#pragma once

#include "cards/evaluator.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace parlour {

// The instruction sets that the bulk evaluation is written for. All give the same result.
enum class Kernel { Scalar, Avx2, Avx512 };

// The kernels that this machine can run, the fastest last.
std::span<const Kernel> available_kernels();

const char* name_of(Kernel kernel);

// A thread is worth its start for no fewer rows than these.
inline constexpr std::size_t RowsPerThread = 65536;

// Ranks `rows` hands of `size` cards each and returns nothing if all of them are sound; else the number of the first
// row that has a card above 51 or the same card twice, and then the ranks mean nothing. Rows follow each other without
// gaps. With more than one thread the rows are shared out evenly.
std::optional<std::size_t> evaluate_rows(const Card* hands, std::size_t rows, int size, HandRank* ranks,
                                         int threads = 1, Kernel kernel = available_kernels().back());

namespace detail {

// Ranks some rows from the front and returns how many; 0 if there are too few for it. Sets `sound` to false if one of
// them may be bad. Never reads past the last row.
using RowKernel = std::size_t (*)(const Card* hands, std::size_t rows, HandRank* ranks, bool& sound);

// By the number of cards less five.
extern const RowKernel Avx2Kernels[3], Avx512Kernels[3];

}  // namespace detail

}  // namespace parlour
