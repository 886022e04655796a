// Computes the win and tie counts of every heads-up matchup before the flop and writes them as a source file. Fails the
// build if they are not what they must be.
#include <cstdio>
#include <cstdlib>

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
    std::puts(
        "#include \"cards/preflop.hpp\"\n\nnamespace parlour {\n\nconst PreflopCounts PreflopTable[MatchupCount] = {");
    int number = 0;
    for (int more = 0; more < KindCount; ++more)
        for (int less = 0; less <= more; ++less)
            for (int pattern = 0; pattern < MaxPatterns; ++pattern) {
                if (!(index.possible(less, more) >> pattern & 1)) continue;
                const auto [first, second] = index.example(less, more, pattern);
                const auto found =
                    index.find(holding_index(first.high, first.low), holding_index(second.high, second.low));
                require(found.number == number++ && !found.exchanged, "a matchup has the wrong number");
                const HeadsUpCounts counts = count_heads_up(first.mask(), second.mask(), 0);
                require(counts.boards == 1712304, "a matchup has the wrong number of boards");
                std::printf("{%u,%u},\n", counts.wins, counts.ties);
            }
    std::puts("};\n\n}  // namespace parlour");
}
