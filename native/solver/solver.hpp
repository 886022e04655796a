// Counterfactual regret minimisation over vectors of hands, and exact best responses to what it has found.
//
// One pass over the betting tree works out every hand of a player at once: an array goes down with how likely each hand
// of both players comes here, and one comes back with what each hand of the player is worth. The players take turns.
#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>

#include "solver/game.hpp"
#include "solver/pool.hpp"
#include "solver/showdown.hpp"

namespace parlour::solver {

// What is left of the past when one more iteration is added to it: of positive and negative regrets, and of the sums
// that the average strategy is made of.
struct Discount {
    float positive, negative, strategy;

    // Discounted CFR for iteration 1, 2, …; an exponent of ±infinity keeps all of the regrets, or none.
    static Discount at(int iteration, double alpha, double beta, double gamma);
};

// Numbers for the hands of a player, taken from a block of memory that was made before the work began.
class Scratch {
public:
    explicit Scratch(std::size_t size) : block_(size) {}

    // Gives back on the way out what was taken in between.
    class Frame {
    public:
        explicit Frame(Scratch& scratch) : scratch_(scratch), mark_(scratch.used_) {}
        ~Frame() { scratch_.used_ = mark_; }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;

        float* take(std::size_t count) {
            float* taken = scratch_.block_.data() + scratch_.used_;
            scratch_.used_ += count;
            return taken;
        }

    private:
        Scratch& scratch_;
        std::size_t mark_;
    };

private:
    std::vector<float> block_;
    std::size_t used_ = 0;
};

// The cards that were dealt since the root, and the number of their board among those with as many.
struct Dealt {
    int index = 0, count = 0;
    CardMask cards = 0;
};

// Two suits that may be named the other way round: s·4 + t. None is 0.
using Swap = int;

// A card that is played, and those that are the same but for the names of suits.
struct Step {
    struct Image {
        int place;
        Swap swap;
    };
    int place;  // of the card in the deck
    int index;  // of the board with it
    std::vector<Image> images;
};

// What each hand of a player is worth, times the weight of the opponent's hands: as both play now, and when the player
// answers the opponent in the best way.
struct Worth {
    std::vector<float> expected, best;
};

class Solver {
public:
    // Called in the calling thread about twenty times a second; what it throws stops the work.
    using Poll = std::function<void()>;

    // Makes plans only; the memory for them is taken with the first iteration.
    Solver(Game game, int threads);

    const Game& game() const { return game_; }
    // What all of it takes, in bytes.
    std::uint64_t memory() const;
    // Boards have numbers for the world outside: with n cards in the deck, i after one deal and i·n + j after two.
    bool has_board(int node, int board) const;

    void iterate(const Discount& discount, const Poll& poll);
    // Fixes the strategy of a node on a board: for each action the probabilities of all hands.
    void lock(int node, int board, std::vector<float> strategy);

    // The average strategy of a decision on a board, in the same order.
    std::vector<float> strategy(int node, int board) const;
    // What follows from a node on a board, if the opponent's hands come there with these weights.
    Worth worth(int node, int board, int player, const std::vector<float>& theirs, const Poll& poll);
    // For each hand of a player the weight of the opponent's hands that can be out with it.
    std::vector<float> compatible(int player, const std::vector<float>& theirs) const;

private:
    // What one worker has at hand. Inside a deal that the workers share, everything is done by one of them.
    struct Work {
        Scratch& scratch;
        bool shared = false, may_poll = true;
    };
    struct Pass {
        int player;
        Discount discount;
    };

    std::size_t hands(int player) const { return game_.hands[player].size(); }
    // The board that is played in place of a board from outside, and for each hand of a player the hand that has its
    // place there.
    struct Located {
        Dealt dealt;
        std::array<std::vector<std::uint16_t>, Players> hands;
    };
    Located locate(int board, int count) const;
    std::size_t place_of(int node, int index) const;
    void start();
    void lay_out();
    void find_swaps();
    bool alike(Swap swap, CardMask dealt) const;
    std::vector<Step> steps_after(CardMask dealt, int& boards) const;
    std::array<std::vector<std::uint16_t>, Players> first_alike(CardMask dealt) const;
    std::size_t scratch_of(int node) const;

    void current(int node, int index, float* strategy) const;
    void average(int node, int index, float* strategy) const;
    bool locked(int node, int index, float* strategy) const;

    void learn(const Pass& pass, int node, const Dealt& dealt, const float* mine, const float* theirs, float* values,
               Work& work);
    void learn_mine(const Pass& pass, int node, const Dealt& dealt, const float* mine, const float* theirs,
                    float* values, Work& work);
    void learn_theirs(const Pass& pass, int node, const Dealt& dealt, const float* mine, const float* theirs,
                      float* values, Work& work);
    void assess(int player, int node, const Dealt& dealt, const float* theirs, float* expected, float* best,
                Work& work);
    void finish(const Node& node, int player, const Dealt& dealt, const float* theirs, float* values) const;
    template <typename Visit>
    void deal(int player, const Dealt& dealt, const float* mine, const float* theirs, float* values, int rows,
              Work& work, const Visit& visit);
    void poll();

    Game game_;
    int threads_;
    std::array<std::vector<int>, Players> twins_;
    std::array<std::vector<std::vector<std::uint16_t>>, Players> with_card_;  // hands by place in the deck
    std::vector<int> depth_;  // how many cards have been dealt at a node
    std::vector<std::size_t> offset_;
    std::vector<bool> has_lock_;
    bool symmetric_ = true;
    // For each player and swap the hand that each becomes; empty where the range changes.
    std::array<std::array<std::vector<std::uint16_t>, 16>, Players> swaps_;
    std::array<std::vector<std::vector<Step>>, 2> steps_;  // by cards dealt, and the number of the board
    // The same: for each hand of a player the first of those that are the same but for the names of suits.
    std::array<std::vector<std::array<std::vector<std::uint16_t>, Players>>, 2> first_alike_;
    std::array<int, 3> boards_{};  // how many are played
    std::size_t numbers_ = 0;
    std::unordered_map<std::size_t, std::vector<float>> locks_;

    bool started_ = false;
    std::vector<float> regrets_, sums_;
    std::array<std::vector<Ranking>, Players> rankings_;
    std::unique_ptr<Pool> pool_;
    std::vector<Scratch> scratches_;
    const Poll* poll_ = nullptr;
    std::chrono::steady_clock::time_point polled_{};
};

}  // namespace parlour::solver
