#include "net/websocket.hpp"

#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace parlour;

NB_MODULE(_net, m) {
    m.doc() = "The server's end of WebSockets.";
    nb::class_<MessageReader>(m, "MessageReader", "Puts the WebSocket frames of a client together to messages.")
        .def(nb::init<std::size_t>(), "limit"_a)
        .def(
            "feed", [](MessageReader& reader, const nb::bytes& data) { reader.feed({data.c_str(), data.size()}); },
            "data"_a, "Take bytes as they came.")
        .def(
            "feed",  // as the event loop of Windows hands them over
            [](MessageReader& reader, const nb::bytearray& data) { reader.feed({data.c_str(), data.size()}); },
            "data"_a)
        .def(
            "next",
            [](MessageReader& reader) -> nb::object {
                const auto message = reader.next();
                if (!message) return nb::none();
                return nb::make_tuple(message->kind, nb::bytes(message->payload.data(), message->payload.size()));
            },
            nb::sig("def next(self) -> tuple[int, bytes] | None"),
            "The opcode and payload of the next whole message; or, once, the code to close with and why.")
        .def_prop_ro("unread", &MessageReader::unread, "Bytes that no message has been made of yet.");
#ifdef PARLOUR_WIRE
    bind_wire(m);
#endif
}
