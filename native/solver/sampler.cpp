#include "solver/sampler.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace parlour::solver {

namespace {

constexpr std::size_t MostActions = 8;
// Weights grow with the number of the hand; in this unit they stay where a float has room to add them up.
constexpr double WeightUnit = 1e6;

void require(bool holds, const char* fault) {
    if (!holds) throw std::invalid_argument(fault);
}

// Regret matching: in proportion to the regrets that are not negative, or evenly.
void match(const float* regrets, std::size_t actions, float* strategy) {
    float total = 0;
    for (std::size_t action = 0; action < actions; ++action)
        total += strategy[action] = std::max(regrets[action], 0.0F);
    for (std::size_t action = 0; action < actions; ++action)
        strategy[action] = total > 0 ? strategy[action] / total : 1.0F / static_cast<float>(actions);
}

}  // namespace

Sampler::Sampler(const std::vector<Node>& nodes, Boards boards, std::uint64_t seed)
    : boards_(std::move(boards)), random_(seed) {
    const std::size_t hands = boards_.hands.size(), streets = boards_.buckets.size();
    require(hands > 1 && boards_.count() > 0 && boards_.ranks.size() % hands == 0, "there are too few hands or boards");
    require(streets > 0 && boards_.bucket_of.size() == boards_.count() * streets * hands,
            "there must be a bucket for each board, street and hand");
    for (std::size_t at = 0; at < boards_.bucket_of.size(); ++at)
        require(boards_.bucket_of[at] < boards_.buckets[at / hands % streets], "a bucket has too high a number");
    for (std::size_t board = 0; board < boards_.count(); ++board) {
        const auto can_meet = [&](std::size_t one, std::size_t other) {
            return boards_.ranks[board * hands + other] && !(boards_.hands[one] & boards_.hands[other]);
        };
        bool apart = false;
        for (std::size_t one = 0; one < hands && !apart; ++one)
            for (std::size_t other = one + 1; other < hands && !apart; ++other)
                apart = boards_.ranks[board * hands + one] && can_meet(one, other);
        require(apart, "a board leaves no two hands");
    }
    require(!nodes.empty(), "a tree has at least one node");
    std::uint64_t numbers = 0;
    std::vector<int> street(nodes.size(), -1);
    street[0] = 0;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const Node& node = nodes[at];
        require(street[at] >= 0, "a node follows from none");
        require(street[at] < static_cast<int>(streets), "a tree deals too many cards");
        require(node.player == 0 || node.player == 1, "a node belongs to no player");
        const std::size_t actions = node.children.size();
        require(node.kind == Kind::Decision ? actions > 0 && actions <= MostActions
                                            : actions == static_cast<std::size_t>(node.kind == Kind::Deal),
                "a node has the wrong number of children");
        require(node.kind != Kind::Showdown || street[at] + 1 == static_cast<int>(streets),
                "a showdown comes before the last card");
        Point point{node.kind,
                    static_cast<std::uint8_t>(node.player),
                    static_cast<std::uint8_t>(street[at]),
                    static_cast<std::uint8_t>(actions),
                    static_cast<std::uint32_t>(children_.size()),
                    numbers,
                    {}};
        for (int player = 0; player < Players; ++player) {
            const Payoff& one = node.payoff[static_cast<std::size_t>(player)];
            point.payoff[static_cast<std::size_t>(player)] = {static_cast<float>(one.lose), static_cast<float>(one.tie),
                                                              static_cast<float>(one.win)};
        }
        for (const int child : node.children) {
            require(child > static_cast<int>(at) && child < static_cast<int>(nodes.size()) &&
                        street[static_cast<std::size_t>(child)] < 0,
                    "a node has a wrong child");
            street[static_cast<std::size_t>(child)] = street[at] + (node.kind == Kind::Deal);
            children_.push_back(static_cast<std::uint32_t>(child));
        }
        if (node.kind == Kind::Decision)
            numbers += actions * static_cast<std::uint64_t>(boards_.buckets[static_cast<std::size_t>(street[at])]);
        points_.push_back(point);
    }
    regrets_.assign(numbers, 0);
    sums_.assign(numbers, 0);
}

Sampler::Dealt Sampler::deal() {
    const std::size_t hands = boards_.hands.size();
    Dealt dealt{};
    dealt.board = below(boards_.count());
    const std::uint16_t* ranks = &boards_.ranks[dealt.board * hands];
    do {
        for (auto& hand : dealt.hand) do
                hand = below(hands);
            while (!ranks[hand]);
    } while (boards_.hands[dealt.hand[0]] & boards_.hands[dealt.hand[1]]);
    const int mine = ranks[dealt.hand[0]], theirs = ranks[dealt.hand[1]];
    dealt.outcome = 1 + (mine > theirs) - (mine < theirs);
    return dealt;
}

float Sampler::walk(std::uint32_t at, int learner, const Dealt& dealt) {
    const Point& point = points_[at];
    const auto& payoff = point.payoff[static_cast<std::size_t>(learner)];
    switch (point.kind) {
        case Kind::Deal: return walk(children_[point.children], learner, dealt);
        case Kind::Fold: return payoff[2];
        case Kind::Showdown: return payoff[static_cast<std::size_t>(learner == 0 ? dealt.outcome : 2 - dealt.outcome)];
        case Kind::Decision: break;
    }
    const std::size_t actions = point.actions, hands = boards_.hands.size();
    const std::size_t row = dealt.board * boards_.buckets.size() + point.street;
    const std::size_t bucket = boards_.bucket_of[row * hands + dealt.hand[point.player]];
    const std::size_t place = point.offset + bucket * actions;
    std::array<float, MostActions> strategy{}, values{};
    match(&regrets_[place], actions, strategy.data());
    if (point.player != learner) {
        std::size_t action = 0;
        for (double left = uniform() - strategy[0]; left >= 0 && action + 1 < actions; left -= strategy[action])
            ++action;
        for (std::size_t one = 0; one < actions; ++one) sums_[place + one] += weight_ * strategy[one];
        return walk(children_[point.children + action], learner, dealt);
    }
    float worth = 0;
    for (std::size_t action = 0; action < actions; ++action) {
        values[action] = walk(children_[point.children + action], learner, dealt);
        worth += strategy[action] * values[action];
    }
    for (std::size_t action = 0; action < actions; ++action)
        regrets_[place + action] += weight_ * (values[action] - worth);
    return worth;
}

void Sampler::run(std::int64_t hands) {
    for (; hands > 0; --hands) {
        weight_ = static_cast<float>(static_cast<double>(++dealt_) / WeightUnit);
        for (int learner = 0; learner < Players; ++learner) walk(0, learner, deal());
    }
}

const Sampler::Point& Sampler::decision(int node) const {
    require(node >= 0 && node < static_cast<int>(points_.size()) &&
                points_[static_cast<std::size_t>(node)].kind == Kind::Decision,
            "nobody decides at this node");
    return points_[static_cast<std::size_t>(node)];
}

std::vector<float> Sampler::strategy(int node) const {
    const Point& point = decision(node);
    const std::size_t buckets = static_cast<std::size_t>(boards_.buckets[point.street]);
    std::vector<float> found(buckets * point.actions);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        const std::size_t place = point.offset + bucket * point.actions;
        // Where the player has never come, what is learnt there tells more than nothing.
        const bool came = std::any_of(&sums_[place], &sums_[place] + point.actions, [](float sum) { return sum > 0; });
        match(came ? &sums_[place] : &regrets_[place], point.actions, &found[bucket * point.actions]);
    }
    return found;
}

std::vector<float> Sampler::weight(int node) const {
    const Point& point = decision(node);
    std::vector<float> found(static_cast<std::size_t>(boards_.buckets[point.street]));
    for (std::size_t at = 0; at < found.size() * point.actions; ++at)
        found[at / point.actions] += sums_[point.offset + at];
    return found;
}

}  // namespace parlour::solver
