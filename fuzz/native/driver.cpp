// Feeds a harness seeded random bytes where libFuzzer is not at hand: `fuzz_NAME [runs]`.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    const long runs = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 10'000;
    std::mt19937_64 random(1);
    std::vector<std::uint8_t> bytes;
    for (long run = 0; run < runs; ++run) {
        bytes.resize(random() % 400);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%ld runs\n", runs);
}
