// MessagePack, but for binary data and extensions, which no contestant sends.
#include <bit>
#include <cstdint>

#include "value.hpp"

namespace {

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    Value document() {
        Value value = this->value();
        if (!rest_.empty()) throw std::runtime_error("more than one MessagePack value");
        return value;
    }

private:
    std::string_view take(std::size_t size) {
        if (rest_.size() < size) throw std::runtime_error("MessagePack that breaks off");
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::uint64_t integer(std::size_t size) {
        std::uint64_t out = 0;
        for (const char byte : take(size)) out = out << 8 | static_cast<unsigned char>(byte);
        return out;
    }

    Value value() {
        const std::uint64_t head = integer(1);
        if (head < 0x80) return number(static_cast<double>(head));
        if (head >= 0xe0) return number(static_cast<double>(head) - 0x100);
        if (head < 0x90) return many(Value::Map, head & 0x0f);
        if (head < 0xa0) return many(Value::List, head & 0x0f);
        if (head < 0xc0) return text(head & 0x1f);
        switch (head) {
            case 0xc0: return {};
            case 0xc2:
            case 0xc3: return {.kind = Value::Bool};
            case 0xca: return number(std::bit_cast<float>(static_cast<std::uint32_t>(integer(4))));
            case 0xcb: return number(std::bit_cast<double>(integer(8)));
            case 0xcc:
            case 0xcd:
            case 0xce:
            case 0xcf: return number(static_cast<double>(integer(1u << (head - 0xcc))));
            case 0xd0: return number(static_cast<std::int8_t>(integer(1)));
            case 0xd1: return number(static_cast<std::int16_t>(integer(2)));
            case 0xd2: return number(static_cast<std::int32_t>(integer(4)));
            case 0xd3: return number(static_cast<double>(static_cast<std::int64_t>(integer(8))));
            case 0xd9:
            case 0xda:
            case 0xdb: return text(integer(1u << (head - 0xd9)));
            case 0xdc:
            case 0xdd: return many(Value::List, integer(2u << (head - 0xdc)));
            case 0xde:
            case 0xdf: return many(Value::Map, integer(2u << (head - 0xde)));
            default: throw std::runtime_error("MessagePack of a kind that no contestant sends");
        }
    }

    static Value number(double number) { return {.kind = Value::Number, .number = number}; }

    Value text(std::uint64_t size) { return {.kind = Value::Text, .text = std::string(take(size))}; }

    Value many(Value::Kind kind, std::uint64_t count) {
        Value out{.kind = kind};
        for (; count > 0; --count) {
            if (kind == Value::Map) out.keys.push_back(value().text);
            out.items.push_back(value());
        }
        return out;
    }

    std::string_view rest_;
};

}  // namespace

Value read_msgpack(std::string_view bytes) { return Reader(bytes).document(); }
