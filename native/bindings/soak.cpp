// The native soak as a module of its own, for tests and proofs: no wheel has it (PARLOUR_SOAK).
#include "holdem/soak.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>

namespace nb = nanobind;
using namespace nb::literals;
using namespace parlour;

NB_MODULE(_soak, m) {
    m.def(
        "play_random_hands",
        [](std::uint64_t hands, std::uint64_t seed, bool options) {
            ChaChaKey key{};
            for (int i = 0; i < 8; ++i) key[i] = static_cast<std::uint8_t>(seed >> (8 * i));
            ChaCha20 random(key);
            SoakReport report;
            constexpr std::uint64_t Chunk = 50'000;  // Ctrl-C is heard between chunks
            while (report.hands < hands) {
                {
                    nb::gil_scoped_release released;
                    play_random_hands(std::min(hands - report.hands, Chunk), options, random, report);
                }
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }
            nb::dict result;
            result["hands"] = report.hands;
            result["actions"] = report.actions;
            result["showdowns"] = report.showdowns;
            result["signature"] = report.signature;
            return result;
        },
        "hands"_a, "seed"_a, "options"_a = false,
        "Play random hands of every kind and check that they keep the rules; counts, and a signature of the outcome. "
        "With `options` also hi-lo games, boards, runs, bomb pots, button blinds, straddles and bounties.");
}
