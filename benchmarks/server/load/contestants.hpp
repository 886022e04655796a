// How a player plays with each contestant: what a message tells them, and how they say a move.
//
// What a message tells is found in two ways. `glance` looks among the bytes for what a player must know, as cheaply as
// can be; `read` takes the whole message to pieces, as a client would. The load holds one against the other, so that a
// protocol that has changed ends the run instead of spoiling it. What is said is what the contestant's own client says,
// byte for byte.
#pragma once

#include <memory>
#include <string_view>

#include "wire.hpp"

// What a message tells a player: whether the other has moved, and what to answer where it is one's turn.
struct Told {
    static constexpr long Nothing = -1;

    bool moved = false;
    long answer = Nothing;  // what it stands for is the contestant's affair
    bool refused = false;

    bool operator==(const Told&) const = default;
};

struct Move {
    int table;
    int seat;
    long number;  // of this player's moves, from 1
    long answer;  // as it was told
};

class Contestant {
public:
    virtual ~Contestant() = default;

    virtual Told glance(std::string_view message, int seat) const = 0;
    virtual Told read(std::string_view message, int seat) const = 0;

    // The words of a move; they hold until the next one.
    virtual std::string_view say(const Move& move) const = 0;

    virtual Opcode opcode() const { return Text; }

    // What to answer to a message that is only about the connection; empty for all others.
    virtual std::string_view pulse(std::string_view) const { return {}; }

    // Whether the first player moves without having been told to.
    virtual bool opens_unasked() const { return false; }
};

// The contestant of that kind.
std::unique_ptr<Contestant> contestant_of(std::string_view kind);
