// Betting trees as Python writes them.
#pragma once

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>
#include <vector>

#include "solver/game.hpp"

namespace parlour {

// Kind, player, children, and what each player has of it: won, tied and lost.
using NodeRow = std::tuple<int, int, std::vector<int>, std::array<double, 6>>;

inline std::vector<solver::Node> nodes_of(const std::vector<NodeRow>& rows) {
    std::vector<solver::Node> nodes;
    for (const auto& [kind, player, children, payoff] : rows) {
        if (kind < 0 || kind > static_cast<int>(solver::Kind::Showdown))
            throw std::invalid_argument("unknown kind of node");
        solver::Node node{static_cast<solver::Kind>(kind), player, children, {}};
        for (std::size_t one = 0; one < solver::Players; ++one)
            node.payoff[one] = {payoff[3 * one], payoff[3 * one + 1], payoff[3 * one + 2]};
        nodes.push_back(std::move(node));
    }
    return nodes;
}

}  // namespace parlour
