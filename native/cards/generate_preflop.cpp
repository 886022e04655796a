// Computes the win and tie counts of every heads-up matchup before the flop and writes them as a source file. Fails the
// build if they are not what they must be.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "cards/equity_known.hpp"
#include "cards/preflop_index.hpp"

using namespace parlour;

namespace {

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "preflop table: %s\n", what);
    std::exit(1);
}

}  // namespace

int main() {
    const MatchupIndex index;
    require(index.size() == MatchupCount, "the number of matchups is wrong");
    std::vector<HeadsUpCounts> table(MatchupCount);
    const auto count_some = [&](int first_row, int step) {
        for (int more = first_row; more < KindCount; more += step)
            for (int less = 0; less <= more; ++less)
                for (int pattern = 0; pattern < MaxPatterns; ++pattern) {
                    if (!(index.possible(less, more) >> pattern & 1)) continue;
                    const auto [first, second] = index.example(less, more, pattern);
                    const int number = index.number(less, more, pattern);
                    const auto found =
                        index.find(holding_index(first.high, first.low), holding_index(second.high, second.low));
                    require(found.number == number && !found.exchanged, "a matchup has the wrong number");
                    table[number] = count_heads_up(first.mask(), second.mask(), 0);
                }
    };
    // Nothing else can be compiled meanwhile, so every core has a part of it.
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::thread> others;
    for (int part = 1; part < threads; ++part) others.emplace_back(count_some, part, threads);
    count_some(0, threads);
    for (std::thread& other : others) other.join();
    std::puts(
        "#include \"cards/preflop.hpp\"\n\nnamespace parlour {\n\nconst PreflopCounts PreflopTable[MatchupCount] = {");
    for (const HeadsUpCounts& counts : table) {
        require(counts.boards == 1712304, "a matchup has the wrong number of boards");
        std::printf("{%u,%u},\n", counts.wins, counts.ties);
    }
    std::puts("};\n\n}  // namespace parlour");
}
