#include "cards/chacha.hpp"

#include <bit>
#include <stdexcept>

#if defined(_WIN32)
#include <windows.h>
#include <bcrypt.h>
#elif defined(__APPLE__)
#include <sys/random.h>
#else
#include <unistd.h>
#endif

namespace parlour {

namespace {

using Words = std::array<std::uint32_t, 16>;

void quarter_round(Words& x, int a, int b, int c, int d) {
    x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 7);
}

// Twenty rounds over the state, then the state added again.
Words scramble(const Words& state) {
    Words x = state;
    for (int round = 0; round < 20; round += 2) {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; ++i) x[i] += state[i];
    return x;
}

std::uint32_t word_at(const std::uint8_t* p) { return p[0] | p[1] << 8 | p[2] << 16 | std::uint32_t{p[3]} << 24; }

constexpr std::array<std::uint32_t, 4> Constants = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

Words make_state(const std::array<std::uint32_t, 8>& key, std::uint32_t counter, std::array<std::uint32_t, 3> nonce) {
    Words state;
    for (int i = 0; i < 4; ++i) state[i] = Constants[i];
    for (int i = 0; i < 8; ++i) state[4 + i] = key[i];
    state[12] = counter;
    for (int i = 0; i < 3; ++i) state[13 + i] = nonce[i];
    return state;
}

std::array<std::uint32_t, 8> key_words(const ChaChaKey& key) {
    std::array<std::uint32_t, 8> words;
    for (int i = 0; i < 8; ++i) words[i] = word_at(&key[4 * i]);
    return words;
}

}  // namespace

ChaChaBlock chacha20_block(const ChaChaKey& key, std::uint32_t counter, const ChaChaNonce& nonce) {
    const Words x =
        scramble(make_state(key_words(key), counter, {word_at(&nonce[0]), word_at(&nonce[4]), word_at(&nonce[8])}));
    ChaChaBlock block;
    for (int i = 0; i < 64; ++i) block[i] = static_cast<std::uint8_t>(x[i / 4] >> (8 * (i % 4)));
    return block;
}

ChaChaKey os_entropy() {
    ChaChaKey bytes;
#if defined(_WIN32)
    const bool ok =
        BCryptGenRandom(nullptr, bytes.data(), static_cast<ULONG>(bytes.size()), BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
#else
    const bool ok = getentropy(bytes.data(), bytes.size()) == 0;
#endif
    if (!ok) throw std::runtime_error("the operating system gives no entropy");
    return bytes;
}

ChaCha20::ChaCha20(const ChaChaKey& key) : key_(key_words(key)) {}

void ChaCha20::refill() {
    words_ = scramble(
        make_state(key_, static_cast<std::uint32_t>(counter_), {static_cast<std::uint32_t>(counter_ >> 32), 0, 0}));
    ++counter_;
    used_ = 0;
}

}  // namespace parlour
