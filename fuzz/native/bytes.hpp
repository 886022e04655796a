// Reads a harness's input as a run of small numbers; past its end there are only zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    bool empty() const { return at_ >= size_; }
    std::uint8_t byte() { return empty() ? 0 : data_[at_++]; }

    // A number from 0 to below `limit`, which must be positive.
    std::uint64_t below(std::uint64_t limit) {
        std::uint64_t value = 0;
        for (std::uint64_t left = limit - 1; left; left >>= 8) value = value << 8 | byte();
        return value % limit;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

// What must hold whatever the input: the fuzzer reports the abort.
inline void require(bool holds) {
    if (!holds) std::abort();
}
