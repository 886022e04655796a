// Random numbers for sampling: xoshiro256++ (Blackman and Vigna, 2019), and unbiased draws from it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace parlour {

struct Product {
    std::uint64_t high, low;
};

// The 128-bit product of two words.
inline Product multiply(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
    // b is small here: a bound on a draw, below 2^32.
    const std::uint64_t low = (a & 0xFFFFFFFF) * b, high = (a >> 32) * b + (low >> 32);
    return {high >> 32, high << 32 | (low & 0xFFFFFFFF)};
#endif
}

class Random {
public:
    // Streams of one seed are independent of each other.
    Random(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t x = mix(seed) ^ mix(stream + 0x632BE59BD9B4E019);
        for (auto& word : state_) word = mix(x += 0x9E3779B97F4A7C15);
    }

    std::uint64_t operator()() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in [0, bound), by Lemire's multiplication with rejection.
    std::uint32_t below(std::uint32_t bound) {
        Product draw = multiply((*this)(), bound);
        while (draw.low < bound && draw.low < -std::uint64_t{bound} % bound) draw = multiply((*this)(), bound);
        return static_cast<std::uint32_t>(draw.high);
    }

private:
    friend class RandomLanes;

    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
        return x ^ (x >> 31);
    }

    std::array<std::uint64_t, 4> state_;
};

// Generators side by side, in vectors where there are some; each is a stream of its own.
class RandomLanes {
public:
    explicit RandomLanes(Random& seeder) {
        for (int lane = 0; lane < Lanes; ++lane) {
            const Random stream(seeder(), lane);
            for (int i = 0; i < 4; ++i) state_[i][lane] = stream.state_[i];
        }
    }

    // Sixteen random bits for each of `Count` numbers.
    template <std::size_t Count>
    void fill(std::array<std::uint16_t, Count>& bits) {
        static_assert(Count % (4 * Lanes) == 0);
        auto& [a, b, c, d] = state_;
        for (std::size_t i = 0; i < Count; i += 4 * Lanes) {
            std::array<std::uint64_t, Lanes> words;
            for (int lane = 0; lane < Lanes; ++lane) {
                words[lane] = std::rotl(a[lane] + d[lane], 23) + a[lane];
                const std::uint64_t t = b[lane] << 17;
                c[lane] ^= a[lane];
                d[lane] ^= b[lane];
                b[lane] ^= c[lane];
                a[lane] ^= d[lane];
                c[lane] ^= t;
                d[lane] = std::rotl(d[lane], 45);
            }
            std::memcpy(&bits[i], words.data(), sizeof words);
        }
    }

private:
    static constexpr int Lanes = 16;

    std::array<std::array<std::uint64_t, Lanes>, 4> state_;
};

}  // namespace parlour
