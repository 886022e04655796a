// A message taken to pieces: what JSON and MessagePack can say.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Value {
    enum Kind { Null, Bool, Number, Text, List, Map };

    Kind kind = Null;
    double number = 0;
    std::string text = {};
    std::vector<Value> items = {};  // of a map: its values, in the order of the keys
    std::vector<std::string> keys = {};

    const Value* find(std::string_view key) const {
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (keys[i] == key) return &items[i];
        return nullptr;
    }

    const Value& at(std::string_view key) const {
        if (const Value* found = find(key)) return *found;
        throw std::runtime_error("no " + std::string(key));
    }

    const Value& at(std::size_t index) const { return items.at(index); }

    bool is(std::string_view word) const { return kind == Text && text == word; }
    bool is(int value) const { return kind == Number && number == value; }
};

// All of the text or bytes as one value. Anything else than exactly that is an error.
Value read_json(std::string_view text);
Value read_msgpack(std::string_view bytes);
