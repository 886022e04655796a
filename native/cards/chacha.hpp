// ChaCha20 (RFC 8439) as a generator of random words: the entropy of every shuffle.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace parlour {

using ChaChaKey = std::array<std::uint8_t, 32>;
using ChaChaNonce = std::array<std::uint8_t, 12>;
using ChaChaBlock = std::array<std::uint8_t, 64>;

// The block function of RFC 8439 §2.3: the 64 bytes of key stream at this counter.
ChaChaBlock chacha20_block(const ChaChaKey& key, std::uint32_t counter, const ChaChaNonce& nonce);

// Thirty-two bytes from the operating system's generator. Throws std::runtime_error where it has none.
ChaChaKey os_entropy();

// The key stream read as little-endian words. Equal keys give equal words; the period is far beyond any use.
class ChaCha20 {
public:
    explicit ChaCha20(const ChaChaKey& key);

    std::uint32_t next() {
        if (used_ == words_.size()) refill();
        return words_[used_++];
    }

    // A number in 0 … bound-1, each equally likely: products whose low half falls in the biased tail are drawn again.
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{next()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t tail = -bound % bound;
            while (static_cast<std::uint32_t>(product) < tail) product = std::uint64_t{next()} * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

private:
    void refill();

    std::array<std::uint32_t, 8> key_;
    std::uint64_t counter_ = 0;  // the high half runs on in the first word of the nonce
    std::array<std::uint32_t, 16> words_;
    std::size_t used_ = 16;
};

}  // namespace parlour
