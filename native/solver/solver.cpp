#include "solver/solver.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace parlour::solver {

namespace {

constexpr auto PollInterval = std::chrono::milliseconds(50);

float kept(double exponent, int past) {
    if (std::isinf(exponent)) return exponent > 0 ? 1 : 0;
    const double power = std::pow(past, exponent);
    return static_cast<float>(power / (power + 1));
}

void even(std::size_t actions, std::size_t hands, float* strategy) {
    std::fill_n(strategy, actions * hands, 1.0F / static_cast<float>(actions));
}

// The weights in `sums` that are not negative, as probabilities of the actions; even ones where all are 0.
void normalise(const float* sums, std::size_t actions, std::size_t hands, float* strategy) {
    float* scale = strategy;  // the first row holds the totals for a while
    std::fill_n(scale, hands, 0.0F);
    for (std::size_t action = 0; action < actions; ++action)
        for (std::size_t hand = 0; hand < hands; ++hand) scale[hand] += std::max(sums[action * hands + hand], 0.0F);
    const float evenly = 1.0F / static_cast<float>(actions);
    for (std::size_t action = actions; action-- > 0;)
        for (std::size_t hand = 0; hand < hands; ++hand) {
            const float total = scale[hand], sum = std::max(sums[action * hands + hand], 0.0F);
            strategy[action * hands + hand] = total > 0 ? sum / total : evenly;
        }
}

void multiply(const float* one, const float* other, std::size_t count, float* product) {
    for (std::size_t i = 0; i < count; ++i) product[i] = one[i] * other[i];
}

void add(const float* what, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += what[i];
}

void add_product(const float* one, const float* other, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += one[i] * other[i];
}

// A set of cards with two suits named the other way round.
CardMask swapped(CardMask cards, Swap swap) {
    constexpr CardMask Suit = 0x1111111111111;
    const int one = swap / 4, other = swap % 4;
    const CardMask moved = (cards >> one & Suit) << other | (cards >> other & Suit) << one;
    return (cards & ~(Suit << one | Suit << other)) | moved;
}

void require(bool holds, const char* fault) {
    if (!holds) throw std::invalid_argument(fault);
}

}  // namespace

void check(const Game& game) {
    require(game.deals >= 0 && game.deals <= 2, "a subgame has at most two cards to come");
    require(!game.nodes.empty(), "a tree has at least one node");
    for (const auto& hands : game.hands) {
        require(!hands.empty(), "a player has no hand");
        require(hands.size() < std::numeric_limits<std::uint16_t>::max(), "a player has too many hands");
        for (const Holdable& hand : hands) {
            require(hand.a < CardNumbers && hand.b < CardNumbers && hand.a != hand.b, "a hand has a card twice");
            require(!(hand.mask() & game.board), "a hand has a card of the board");
            require(std::isfinite(hand.weight) && hand.weight >= 0, "a weight is a number from 0 on");
        }
    }
    const int count = static_cast<int>(game.nodes.size());
    std::vector<int> dealt(game.nodes.size(), -1);
    dealt[0] = 0;
    for (int at = 0; at < count; ++at) {
        const Node& node = game.nodes[at];
        require(dealt[at] >= 0, "a node follows from none");
        const std::size_t children = node.children.size();
        require(
            node.kind == Kind::Decision ? children > 0 : children == static_cast<std::size_t>(node.kind == Kind::Deal),
            "a node has the wrong number of children");
        require(node.player == 0 || node.player == 1, "a node belongs to no player");
        require(node.kind != Kind::Showdown || dealt[at] == game.deals, "a showdown comes before the last card");
        for (const int child : node.children) {
            require(child > at && child < count && dealt[child] < 0, "a node has a wrong child");
            dealt[child] = dealt[at] + (node.kind == Kind::Deal);
            require(dealt[child] <= game.deals, "a tree deals too many cards");
        }
    }
}

Discount Discount::at(int iteration, double alpha, double beta, double gamma) {
    const int past = iteration - 1;
    return {kept(alpha, past), kept(beta, past),
            static_cast<float>(std::pow(static_cast<double>(past) / iteration, gamma))};
}

Solver::Solver(Game game, int threads) : game_(std::move(game)), threads_(std::max(threads, 1)) {
    check(game_);
    if (game_.deals == 0) threads_ = 1;
    symmetric_ = game_.suits_alike;
    find_swaps();
    for (int player = 0; player < Players; ++player) {
        twins_[player] = find_twins(game_.hands[player], game_.hands[1 - player]);
        with_card_[player].resize(game_.deck.size());
        for (std::size_t hand = 0; hand < hands(player); ++hand)
            for (std::size_t place = 0; place < game_.deck.size(); ++place)
                if (game_.hands[player][hand].mask() & mask_of(game_.deck[place]))
                    with_card_[player][place].push_back(static_cast<std::uint16_t>(hand));
    }
    depth_.assign(game_.nodes.size(), 0);
    for (std::size_t at = 0; at < game_.nodes.size(); ++at)
        for (const int child : game_.nodes[at].children)
            depth_[child] = depth_[at] + (game_.nodes[at].kind == Kind::Deal);
    has_lock_.assign(game_.nodes.size(), false);
    lay_out();
}

// --- Boards that are the same but for the names of suits -------------------------------------------------------------

void Solver::find_swaps() {
    for (int player = 0; player < Players; ++player)
        for (Swap swap = 0; swap < 16; ++swap) {
            auto& become = swaps_[player][swap];
            for (const Holdable& hand : game_.hands[player]) {
                const CardMask cards = swapped(hand.mask(), swap);
                const auto found =
                    std::find_if(game_.hands[player].begin(), game_.hands[player].end(),
                                 [&](const Holdable& one) { return one.mask() == cards && one.weight == hand.weight; });
                if (found == game_.hands[player].end()) {
                    become.clear();
                    break;
                }
                become.push_back(static_cast<std::uint16_t>(found - game_.hands[player].begin()));
            }
        }
}

// Whether two suits can be swapped after these cards and nothing else changes.
bool Solver::alike(Swap swap, CardMask dealt) const {
    return symmetric_ && !swaps_[0][swap].empty() && !swaps_[1][swap].empty() &&
           swapped(game_.board, swap) == game_.board && swapped(dealt, swap) == dealt;
}

// One card of each kind is played, that of the first suit; `boards` counts them.
std::vector<Step> Solver::steps_after(CardMask dealt, int& boards) const {
    std::vector<Step> steps;
    for (int place = 0; place < static_cast<int>(game_.deck.size()); ++place) {
        const Card card = game_.deck[static_cast<std::size_t>(place)];
        if (dealt & mask_of(card)) continue;
        int suit = 0;
        while (suit < suit_of(card) && !alike(4 * suit + suit_of(card), dealt)) ++suit;
        if (suit == suit_of(card)) {
            steps.push_back({place, boards++, {}});
            continue;
        }
        for (Step& step : steps)
            if (game_.deck[static_cast<std::size_t>(step.place)] == make_card(rank_of(card), suit))
                step.images.push_back({place, 4 * suit + suit_of(card)});
    }
    return steps;
}

std::array<std::vector<std::uint16_t>, Players> Solver::first_alike(CardMask dealt) const {
    std::array<std::vector<std::uint16_t>, Players> first;
    for (int player = 0; player < Players; ++player) {
        auto& of = first[player];
        of.resize(hands(player));
        std::iota(of.begin(), of.end(), std::uint16_t{0});
        for (bool changed = true; changed;) {
            changed = false;
            for (Swap swap = 0; swap < 16; ++swap)
                if (alike(swap, dealt))
                    for (std::size_t hand = 0; hand < of.size(); ++hand) {
                        const auto other = of[swaps_[player][swap][hand]];
                        if (other < of[hand]) {
                            of[hand] = other;
                            changed = true;
                        }
                    }
        }
    }
    return first;
}

// Gives every board that is played and every decision on it a number and a place.
void Solver::lay_out() {
    started_ = false;
    boards_ = {1, 0, 0};
    for (int dealt = 0; dealt < 2; ++dealt) {
        steps_[dealt].clear();
        first_alike_[dealt].clear();
    }
    if (game_.deals > 0) {
        steps_[0] = {steps_after(0, boards_[1])};
        first_alike_[0] = {first_alike(0)};
    }
    if (game_.deals > 1)
        for (const Step& step : steps_[0][0]) {
            const CardMask dealt = mask_of(game_.deck[static_cast<std::size_t>(step.place)]);
            steps_[1].push_back(steps_after(dealt, boards_[2]));
            first_alike_[1].push_back(first_alike(dealt));
        }
    offset_.assign(game_.nodes.size(), 0);
    numbers_ = 0;
    for (std::size_t at = 0; at < game_.nodes.size(); ++at) {
        const Node& node = game_.nodes[at];
        if (node.kind != Kind::Decision) continue;
        offset_[at] = numbers_;
        numbers_ += node.children.size() * hands(node.player) * static_cast<std::size_t>(boards_[depth_[at]]);
    }
}

// --- Memory ----------------------------------------------------------------------------------------------------------

std::size_t Solver::scratch_of(int at) const {
    const Node& node = game_.nodes[at];
    const std::size_t most = std::max(hands(0), hands(1));
    std::size_t below = 0;
    for (const int child : node.children) below = std::max(below, scratch_of(child));
    if (node.kind == Kind::Decision) return below + (2 * node.children.size() + 3) * most;
    if (node.kind == Kind::Deal) return below + (2 * game_.deck.size() + 5) * most;
    return below;
}

std::uint64_t Solver::memory() const {
    const auto rankings = static_cast<std::uint64_t>(boards_[game_.deals]) *
                          (2 * sizeof(Ranking) + (hands(0) + hands(1)) * sizeof(Ranked));
    const std::uint64_t scratch = scratch_of(0) * static_cast<std::uint64_t>(threads_);
    return (2 * numbers_ + scratch) * sizeof(float) + rankings;
}

void Solver::start() {
    if (started_) return;
    regrets_.assign(numbers_, 0);
    sums_.assign(numbers_, 0);
    scratches_.clear();
    for (int worker = 0; worker < threads_; ++worker) scratches_.emplace_back(scratch_of(0));
    for (int player = 0; player < Players; ++player) {
        auto& rankings = rankings_[player];
        rankings.clear();
        const std::function<void(CardMask, int, int)> rank = [&](CardMask board, int count, int index) {
            if (count == game_.deals) {
                rankings.push_back(rank_hands(game_.hands[player], board, game_.strength));
                return;
            }
            for (const Step& step : steps_[count][static_cast<std::size_t>(index)])
                rank(board | mask_of(game_.deck[static_cast<std::size_t>(step.place)]), count + 1, step.index);
        };
        rank(game_.board, 0, 0);
    }
    pool_ = std::make_unique<Pool>(threads_);
    started_ = true;
}

bool Solver::has_board(int node, int board) const {
    const int cards = static_cast<int>(game_.deck.size());
    if (depth_[node] < 2) return board >= 0 && board < (depth_[node] == 0 ? 1 : cards);
    return board >= 0 && board < cards * cards && board / cards != board % cards;
}

Solver::Located Solver::locate(int board, int count) const {
    const int cards = static_cast<int>(game_.deck.size());
    std::array<int, 2> places = {count == 2 ? board / cards : board, board % cards};
    Located found;
    for (int player = 0; player < Players; ++player) {
        found.hands[player].resize(hands(player));
        std::iota(found.hands[player].begin(), found.hands[player].end(), std::uint16_t{0});
    }
    const auto rename = [&](Swap swap) {
        for (int player = 0; player < Players; ++player)
            for (auto& hand : found.hands[player]) hand = swaps_[player][swap][hand];
        const CardMask last = swapped(mask_of(game_.deck[static_cast<std::size_t>(places[1])]), swap);
        const auto card = static_cast<Card>(std::countr_zero(last));
        places[1] = static_cast<int>(std::find(game_.deck.begin(), game_.deck.end(), card) - game_.deck.begin());
    };
    for (int dealt = 0; dealt < count; ++dealt)
        for (const Step& step : steps_[dealt][static_cast<std::size_t>(found.dealt.index)]) {
            const auto image = std::find_if(step.images.begin(), step.images.end(),
                                            [&](const Step::Image& one) { return one.place == places[dealt]; });
            if (step.place != places[dealt] && image == step.images.end()) continue;
            if (step.place != places[dealt]) rename(image->swap);
            found.dealt = {step.index, dealt + 1,
                           found.dealt.cards | mask_of(game_.deck[static_cast<std::size_t>(step.place)])};
            break;
        }
    return found;
}

std::size_t Solver::place_of(int node, int index) const {
    const Node& decision = game_.nodes[node];
    return offset_[node] + static_cast<std::size_t>(index) * decision.children.size() * hands(decision.player);
}

// --- Strategies ------------------------------------------------------------------------------------------------------

bool Solver::locked(int node, int index, float* strategy) const {
    if (!has_lock_[node]) return false;
    const auto found = locks_.find(place_of(node, index));
    if (found == locks_.end()) return false;
    std::copy(found->second.begin(), found->second.end(), strategy);
    return true;
}

void Solver::current(int node, int index, float* strategy) const {
    const Node& decision = game_.nodes[node];
    normalise(&regrets_[place_of(node, index)], decision.children.size(), hands(decision.player), strategy);
}

void Solver::average(int node, int index, float* strategy) const {
    const Node& decision = game_.nodes[node];
    const std::size_t actions = decision.children.size(), count = hands(decision.player);
    if (locked(node, index, strategy)) return;
    if (started_)
        normalise(&sums_[place_of(node, index)], actions, count, strategy);
    else
        even(actions, count, strategy);
}

std::vector<float> Solver::strategy(int node, int board) const {
    const Node& decision = game_.nodes[node];
    const Located here = locate(board, depth_[node]);
    const std::size_t count = hands(decision.player);
    std::vector<float> played(decision.children.size() * count), found(played.size());
    average(node, here.dealt.index, played.data());
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = played[i - i % count + here.hands[decision.player][i % count]];
    return found;
}

void Solver::lock(int node, int board, std::vector<float> strategy) {
    if (symmetric_) {  // what is locked may tell suits apart
        symmetric_ = false;
        lay_out();
    }
    has_lock_[node] = true;
    locks_[place_of(node, locate(board, depth_[node]).dealt.index)] = std::move(strategy);
}

// --- One iteration ---------------------------------------------------------------------------------------------------

void Solver::poll() {
    const auto now = std::chrono::steady_clock::now();
    if (now - polled_ < PollInterval) return;
    polled_ = now;
    if (poll_ && *poll_) (*poll_)();
}

void Solver::iterate(const Discount& discount, const Poll& poll_with) {
    start();
    poll_ = &poll_with;
    std::array<std::vector<float>, Players> reach;
    for (int player = 0; player < Players; ++player)
        for (const Holdable& hand : game_.hands[player]) reach[player].push_back(hand.weight);
    for (int player = 0; player < Players; ++player) {
        poll();
        std::vector<float> values(hands(player));
        Work work{scratches_[0]};
        learn({player, discount}, 0, {}, reach[player].data(), reach[1 - player].data(), values.data(), work);
    }
}

void Solver::finish(const Node& node, int player, const Dealt& dealt, const float* theirs, float* values) const {
    const auto& twins = twins_[player];
    if (node.kind == Kind::Fold)
        meet(game_.hands[player], game_.hands[1 - player], twins, theirs, node.payoff[player].win, values);
    else
        show_down(rankings_[player][static_cast<std::size_t>(dealt.index)],
                  rankings_[1 - player][static_cast<std::size_t>(dealt.index)], twins, node.payoff[player], theirs,
                  {values, hands(player)});
}

void Solver::learn(const Pass& pass, int at, const Dealt& dealt, const float* mine, const float* theirs, float* values,
                   Work& work) {
    const Node& node = game_.nodes[at];
    if (node.kind == Kind::Deal)
        deal(pass.player, dealt, mine, theirs, values, 1, work,
             [&, child = node.children[0]](const Dealt& next, const float* my_reach, const float* their_reach,
                                           float* out, Work& below) {
                 learn(pass, child, next, my_reach, their_reach, out, below);
             });
    else if (node.kind != Kind::Decision)
        finish(node, pass.player, dealt, theirs, values);
    else if (node.player == pass.player)
        learn_mine(pass, at, dealt, mine, theirs, values, work);
    else
        learn_theirs(pass, at, dealt, mine, theirs, values, work);
}

void Solver::learn_mine(const Pass& pass, int at, const Dealt& dealt, const float* mine, const float* theirs,
                        float* values, Work& work) {
    const auto& children = game_.nodes[at].children;
    const std::size_t count = hands(pass.player), all = children.size() * count;
    Scratch::Frame frame(work.scratch);
    float *strategy = frame.take(all), *worth = frame.take(all), *reach = frame.take(count);
    const bool fixed = locked(at, dealt.index, strategy);
    if (!fixed) current(at, dealt.index, strategy);
    std::fill_n(values, count, 0.0F);
    for (std::size_t action = 0; action < children.size(); ++action) {
        const float* chosen = strategy + action * count;
        multiply(mine, chosen, count, reach);
        float* gained = worth + action * count;
        learn(pass, children[action], dealt, reach, theirs, gained, work);
        // Hands that are the same but for the names of suits stay exactly the same, whatever the order of sums.
        if (symmetric_ && dealt.count < game_.deals) {
            const auto& first = first_alike_[dealt.count][static_cast<std::size_t>(dealt.index)][pass.player];
            for (std::size_t hand = 0; hand < count; ++hand) gained[hand] = gained[first[hand]];
        }
        add_product(gained, chosen, count, values);
    }
    if (fixed) return;
    float* regrets = &regrets_[place_of(at, dealt.index)];
    float* sums = &sums_[place_of(at, dealt.index)];
    const Discount discount = pass.discount;
    for (std::size_t action = 0; action < children.size(); ++action)
        for (std::size_t hand = 0; hand < count; ++hand) {
            const std::size_t i = action * count + hand;
            const float regret = regrets[i];
            regrets[i] = regret * (regret > 0 ? discount.positive : discount.negative) + worth[i] - values[hand];
            sums[i] = sums[i] * discount.strategy + mine[hand] * strategy[i];
        }
}

void Solver::learn_theirs(const Pass& pass, int at, const Dealt& dealt, const float* mine, const float* theirs,
                          float* values, Work& work) {
    const auto& children = game_.nodes[at].children;
    const std::size_t count = hands(pass.player), others = hands(1 - pass.player);
    Scratch::Frame frame(work.scratch);
    float *strategy = frame.take(children.size() * others), *reach = frame.take(others), *worth = frame.take(count);
    if (!locked(at, dealt.index, strategy)) current(at, dealt.index, strategy);
    std::fill_n(values, count, 0.0F);
    for (std::size_t action = 0; action < children.size(); ++action) {
        multiply(theirs, strategy + action * others, others, reach);
        learn(pass, children[action], dealt, mine, reach, worth, work);
        add(worth, count, values);
    }
}

// The next card: every one that is left is equally likely for two hands that are out, and hands with it are gone.
// `values` has `rows` rows, for each of which the boards are added up.
template <typename Visit>
void Solver::deal(int player, const Dealt& dealt, const float* mine, const float* theirs, float* values, int rows,
                  Work& work, const Visit& visit) {
    const std::size_t count = hands(player), others = hands(1 - player), all = count * static_cast<std::size_t>(rows);
    const int cards = static_cast<int>(game_.deck.size());
    const float chance = 1.0F / static_cast<float>(cards - dealt.count - Players * game_.hole_cards);
    const auto on = [&](const Step& step, float* out, Work& own) {
        const auto place = static_cast<std::size_t>(step.place);
        const auto& my_gone = with_card_[player][place];
        Scratch::Frame frame(own.scratch);
        float* my_reach = nullptr;
        if (mine) {
            my_reach = frame.take(count);
            std::copy_n(mine, count, my_reach);
            for (const auto hand : my_gone) my_reach[hand] = 0;
        }
        float* their_reach = frame.take(others);
        for (std::size_t hand = 0; hand < others; ++hand) their_reach[hand] = theirs[hand] * chance;
        for (const auto hand : with_card_[1 - player][place]) their_reach[hand] = 0;
        visit(Dealt{step.index, dealt.count + 1, dealt.cards | mask_of(game_.deck[place])}, my_reach, their_reach, out,
              own);
        for (std::size_t row = 0; row < all; row += count)
            for (const auto hand : my_gone) out[row + hand] = 0;
    };
    const auto count_in = [&](const Step& step, const float* out) {
        add(out, all, values);
        for (const Step::Image& image : step.images) {
            const auto& become = swaps_[player][image.swap];
            for (std::size_t row = 0; row < all; row += count)
                for (std::size_t hand = 0; hand < count; ++hand) values[row + hand] += out[row + become[hand]];
        }
    };
    const auto& steps = steps_[dealt.count][static_cast<std::size_t>(dealt.index)];
    Scratch::Frame frame(work.scratch);
    std::fill_n(values, all, 0.0F);
    if (work.shared || threads_ == 1) {
        float* out = frame.take(all);
        for (const Step& step : steps) {
            if (work.may_poll) poll();
            on(step, out, work);
            count_in(step, out);
        }
        return;
    }
    // Each board has its own place, and they are added in order: the result does not depend on the threads.
    float* outs = frame.take(all * steps.size());
    pool_->run(static_cast<int>(steps.size()), [&](int index, int worker) {
        if (worker == 0) poll();
        Work own{scratches_[static_cast<std::size_t>(worker)], true, worker == 0};
        on(steps[static_cast<std::size_t>(index)], outs + static_cast<std::size_t>(index) * all, own);
    });
    for (std::size_t index = 0; index < steps.size(); ++index) count_in(steps[index], outs + index * all);
}

// --- What the strategies are worth -----------------------------------------------------------------------------------

void Solver::assess(int player, int at, const Dealt& dealt, const float* theirs, float* expected, float* best,
                    Work& work) {
    const Node& node = game_.nodes[at];
    const std::size_t count = hands(player), others = hands(1 - player);
    Scratch::Frame frame(work.scratch);
    if (node.kind == Kind::Deal) {
        float* both = frame.take(2 * count);
        deal(player, dealt, nullptr, theirs, both, 2, work,
             [&, child = node.children[0]](const Dealt& next, const float*, const float* their_reach, float* out,
                                           Work& below) {
                 assess(player, child, next, their_reach, out, out + count, below);
             });
        std::copy_n(both, count, expected);
        std::copy_n(both + count, count, best);
        return;
    }
    if (node.kind != Kind::Decision) {
        finish(node, player, dealt, theirs, expected);
        std::copy_n(expected, count, best);
        return;
    }
    const bool own = node.player == player;
    const std::size_t deciding = own ? count : others;
    float *strategy = frame.take(node.children.size() * deciding), *reach = frame.take(others);
    float *child_expected = frame.take(count), *child_best = frame.take(count);
    const bool fixed = locked(at, dealt.index, strategy);
    if (!fixed) average(at, dealt.index, strategy);
    std::fill_n(expected, count, 0.0F);
    std::fill_n(best, count, own && !fixed ? -std::numeric_limits<float>::infinity() : 0.0F);
    for (std::size_t action = 0; action < node.children.size(); ++action) {
        const float* chosen = strategy + action * deciding;
        if (!own) multiply(theirs, chosen, others, reach);
        assess(player, node.children[action], dealt, own ? theirs : reach, child_expected, child_best, work);
        if (!own) {
            add(child_expected, count, expected);
            add(child_best, count, best);
            continue;
        }
        add_product(child_expected, chosen, count, expected);
        if (fixed)
            add_product(child_best, chosen, count, best);
        else
            for (std::size_t hand = 0; hand < count; ++hand) best[hand] = std::max(best[hand], child_best[hand]);
    }
}

Worth Solver::worth(int node, int board, int player, const std::vector<float>& theirs, const Poll& poll_with) {
    start();
    poll_ = &poll_with;
    Worth found{std::vector<float>(hands(player)), std::vector<float>(hands(player))};
    Work work{scratches_[0]};
    const Located here = locate(board, depth_[node]);
    const auto &mine = here.hands[player], &others = here.hands[1 - player];
    std::vector<float> reach(others.size()), expected(mine.size()), best(mine.size());
    for (std::size_t hand = 0; hand < others.size(); ++hand) reach[others[hand]] = theirs[hand];
    assess(player, node, here.dealt, reach.data(), expected.data(), best.data(), work);
    for (std::size_t hand = 0; hand < mine.size(); ++hand) {
        found.expected[hand] = expected[mine[hand]];
        found.best[hand] = best[mine[hand]];
    }
    return found;
}

std::vector<float> Solver::compatible(int player, const std::vector<float>& theirs) const {
    std::vector<float> weights(hands(player));
    meet(game_.hands[player], game_.hands[1 - player], twins_[player], theirs.data(), 1, weights.data());
    return weights;
}

}  // namespace parlour::solver
