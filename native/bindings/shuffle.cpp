#include "holdem/shuffle.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <numeric>

#include "bindings.hpp"
#include "hand_arguments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

void bind_shuffle(nb::module_& m) {
    m.def(
        "shuffle",
        [](nb::handle seed, nb::handle n) {
            const int size = int_from(n, "the number of cards");
            if (size < 0 || size > 1 << 16) throw nb::value_error("the number of cards must lie between 0 and 65536");
            std::vector<int> items(static_cast<std::size_t>(size));
            std::iota(items.begin(), items.end(), 0);
            ChaCha20 random(key_from(seed));
            shuffle_front<int>(items, items.size(), random);
            nb::list list;
            for (int item : items) list.append(item);
            return list;
        },
        "seed"_a = nb::none(), "n"_a = DeckSize,
        "0 ... n-1 in random order, each order equally likely: by the operating system, or repeatable from 32 bytes.");

    m.def(
        "chacha20_block",
        [](const nb::bytes& key, nb::handle counter, const nb::bytes& nonce) {
            ChaChaNonce twelve;
            if (nonce.size() != twelve.size()) throw nb::value_error("the nonce must have exactly 12 bytes");
            std::copy_n(static_cast<const std::uint8_t*>(nonce.data()), twelve.size(), twelve.begin());
            const Chips number = chips_from(counter, "the counter");
            if (number > UINT32_MAX) throw nb::value_error("the counter must be below 2**32");
            const ChaChaBlock block = chacha20_block(key_from(key), static_cast<std::uint32_t>(number), twelve);
            return nb::bytes(block.data(), block.size());
        },
        "key"_a, "counter"_a, "nonce"_a, "The key stream of RFC 8439 at this counter.");
}

}  // namespace parlour
