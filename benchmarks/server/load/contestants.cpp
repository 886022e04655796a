#include "contestants.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "value.hpp"

namespace {

using std::string_view;

constexpr auto Missing = string_view::npos;
constexpr Told Refused{false, Told::Nothing, true};

bool holds(string_view message, string_view wanted) {
    return memmem(message.data(), message.size(), wanted.data(), wanted.size()) != nullptr;
}

// Where the first such bytes end, from there on.
std::size_t after(string_view message, string_view wanted, std::size_t from = 0) {
    const void* found = memmem(message.data() + from, message.size() - from, wanted.data(), wanted.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - message.data()) + wanted.size() : Missing;
}

// Where the last such bytes end that begin before `from`.
std::size_t after_last(string_view message, string_view wanted, std::size_t from = Missing) {
    const std::size_t found = message.rfind(wanted, from);
    return found == Missing ? Missing : found + wanted.size();
}

char at(string_view message, std::size_t place) { return place < message.size() ? message[place] : '\0'; }

char digit(int seat) { return static_cast<char>('0' + seat); }

template <class... Values>
string_view words(const char* format, Values... values) {
    static char out[512];
    return {out, static_cast<std::size_t>(std::snprintf(out, sizeof out, format, values...))};
}

// Hold'em by the real rules: everybody checks or calls, hand after hand.
class Parlour : public Contestant {
public:
    Told glance(string_view message, int seat) const override {
        if (at(message, 9) != 'e') return {};
        if (at(message, 10) != 'v') return Refused;  // "error", not "events"
        constexpr string_view Others[] = {R"("type":"acted","seat":1,)", R"("type":"acted","seat":0,)"};
        return {holds(message, Others[seat]), glance_for_turn(message, seat)};
    }

    Told read(string_view message, int seat) const override {
        const Value value = read_json(message);
        if (value.at("type").is("error")) return Refused;
        if (!value.at("type").is("events")) return {};
        Told told{false, read_turn(value, seat)};
        for (const Value& event : value.at("events").items)
            told.moved |= event.at("type").is("acted") && !event.at("seat").is(seat);
        return told;
    }

    string_view say(const Move& move) const override {
        return words(R"({"type":"action","id":"%d-%ld","action":{"type":"%s"}})", move.seat, move.number,
                     move.answer == Check ? "check" : "call");
    }

protected:
    enum Answer : long { Check, Call };

    virtual long glance_for_turn(string_view message, int) const {
        const std::size_t legal = after_last(message, R"("legal":)");
        if (at(message, legal) != '{') return Told::Nothing;
        return holds(message.substr(legal), R"("check")") ? Check : Call;
    }

    virtual long read_turn(const Value& message, int) const {
        const Value& legal = message.at("patch").at("legal");
        if (legal.kind == Value::Null) return Told::Nothing;
        for (const Value& action : legal.at("actions").items)
            if (action.is("check")) return Check;
        return Call;
    }
};

// As a bot plays that keeps its own picture of the table: it is sent the events alone.
class Events : public Parlour {
    long glance_for_turn(string_view message, int seat) const override {
        const std::size_t to_act = after_last(message, R"("to_act":)");
        if (at(message, to_act) != digit(seat)) return Told::Nothing;
        return at(message, after_last(message, R"("type":")", to_act)) == 'h' ? Call : Check;
    }

    // Where all check or call, only the small blind has something to call, when the hand has started.
    long read_turn(const Value& message, int seat) const override {
        const auto& events = message.at("events").items;
        for (auto event = events.rbegin(); event != events.rend(); ++event) {
            const Value* to_act = event->find("to_act");
            const Value& type = event->at("type");
            if (to_act && to_act->is(seat)) return type.is("hand_started") ? Call : Check;
            if (to_act || type.is("acted") || type.is("hand_ended")) break;
        }
        return Told::Nothing;
    }
};

// boardgame.io speaks Socket.IO: texts such as 42/betting,["update",…]. A refused move it answers with nothing.
class Boardgame : public Contestant {
    Told glance(string_view message, int seat) const override {
        const char kind = at(message, 13);
        if (kind != 'u' && kind != 's') return {};
        const std::size_t current = after(message, R"("currentPlayer":")");
        if (at(message, current) != digit(seat)) return {};
        const std::size_t state = after(message, R"("_stateID":)", current);
        Told told{kind == 'u'};
        if (state != Missing) std::from_chars(message.data() + state, message.data() + message.size(), told.answer);
        return told;
    }

    Told read(string_view message, int seat) const override {
        const Value value = read_json(message.substr(std::min(message.find('['), message.size())));
        const Value& kind = value.at(0);
        if (!kind.is("update") && !kind.is("sync")) return {};
        const Value& state = kind.is("sync") ? value.at(2).at("state") : value.at(2);
        if (!state.at("ctx").at("currentPlayer").is(string_view(seat == 0 ? "0" : "1"))) return {};
        return {kind.is("update"), static_cast<long>(state.at("_stateID").number)};
    }

    string_view say(const Move& move) const override {
        return words(R"(42/betting,["update",{"type":"MAKE_MOVE","payload":{"type":"act","args":["call",0],)"
                     R"("playerID":"%d","credentials":null}},%ld,"m%d","%d"])",
                     move.seat, move.answer, move.table, move.seat);
    }

    string_view pulse(string_view message) const override { return message == "2" ? "3" : ""; }
};

// Colyseus: the first byte tells the kind of a message, and MessagePack follows.
class Colyseus : public Contestant {
    static constexpr char RoomData = 13;

    Told glance(string_view message, int seat) const override {
        if (at(message, 0) != RoomData) return {};
        if (at(message, 2) != 'a') return Refused;  // "refused", not "acted"
        return at(message, after(message, "\xa4seat")) == seat ? Told{} : Told{true, 0};
    }

    Told read(string_view message, int seat) const override {
        if (at(message, 0) != RoomData) return {};
        const std::size_t end = 2 + (at(message, 1) & 0x1f);
        const Value type = read_msgpack(message.substr(1, end - 1));
        if (type.is("refused")) return Refused;
        return !type.is("acted") || read_msgpack(message.substr(end)).at("seat").is(seat) ? Told{} : Told{true, 0};
    }

    string_view say(const Move&) const override {
        constexpr string_view Act(
            "\x0d\xa3"
            "act"
            "\xd4r@\x92\xa4type\xa6"
            "amount\xa4"
            "call\0",
            27);  // of 0 chips
        return Act;
    }

    Opcode opcode() const override { return Binary; }
    bool opens_unasked() const override { return true; }
};

}  // namespace

std::unique_ptr<Contestant> contestant_of(string_view kind) {
    if (kind == "parlour") return std::make_unique<Parlour>();
    if (kind == "events") return std::make_unique<Events>();
    if (kind == "boardgame") return std::make_unique<Boardgame>();
    if (kind == "colyseus") return std::make_unique<Colyseus>();
    throw std::runtime_error("no such contestant: " + std::string(kind));
}
