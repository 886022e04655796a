#include "net/wire.hpp"

#include <fcntl.h>
#include <nanobind/nanobind.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace parlour {

namespace {

// A wire, and whom it asks for the next flush.
struct BoundWire {
    BoundWire(Wire::Limits limits, nb::callable wake) : wire(limits), wake(std::move(wake)) {}

    Wire wire;
    nb::callable wake;
    bool woken = false;  // since the last flush
};

struct BoundLine {
    BoundLine(BoundWire& bound, int descriptor) : bound(bound), line(bound.wire, descriptor) {}

    template <class Step>
    void then_wake(Step step) {
        step();
        if (!bound.woken && bound.wire.waits()) {
            bound.woken = true;
            bound.wake();
        }
    }

    BoundWire& bound;
    Line line;
};

nb::list listed(const Wire& wire, const std::vector<Wire::Item>& items) {
    nb::list found;
    for (const Wire::Item& item : items) {
        const std::string_view payload = wire.payload(item);
        found.append(nb::make_tuple(item.descriptor, item.kind, nb::bytes(payload.data(), payload.size())));
    }
    return found;
}

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

}  // namespace

void bind_wire(nb::module_& m) {
    nb::class_<BoundWire>(m, "Wire", "The server's end of many WebSockets.")
        .def(
            "__init__",
            [](BoundWire* self, std::size_t message, std::size_t unread, std::size_t unsent, nb::callable wake) {
                new (self) BoundWire({message, unread, unsent}, std::move(wake));
            },
            "message_limit"_a, "unread_limit"_a, "unsent_limit"_a, "wake"_a)
        .def(
            "fileno", [](const BoundWire& self) { return self.wire.descriptor(); },
            "Readable when there is something to receive.")
        .def(
            "open",
            [](BoundWire& self, int descriptor) {
                const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
                if (own < 0) {
                    PyErr_SetFromErrno(PyExc_OSError);
                    throw nb::python_error();
                }
                return new BoundLine(self, own);
            },
            "descriptor"_a, nb::keep_alive<0, 1>(), "A line on the same connection, with a descriptor of its own.")
        .def(
            "receive", [](BoundWire& self) { return listed(self.wire, self.wire.receive()); },
            nb::sig("def receive(self) -> list[tuple[int, int, bytes]]"),
            "What has come: of each line at most one message, if it is not dealing with one already.")
        .def(
            "flush",
            [](BoundWire& self) {
                self.woken = false;
                return listed(self.wire, self.wire.flush());
            },
            nb::sig("def flush(self) -> list[tuple[int, int, bytes]]"), "Send what was put on all lines.");

    nb::class_<BoundLine>(m, "Line", "One connection on a wire.")
        .def("fileno", [](const BoundLine& self) { return self.line.descriptor(); })
        .def(
            "feed", [](BoundLine& self, const nb::bytes& data) { self.line.feed(view(data)); }, "data"_a)
        .def(
            "next",
            [](BoundLine& self) -> nb::object {
                const auto message = self.line.next();
                if (!message) return nb::none();
                return nb::make_tuple(message->kind, nb::bytes(message->payload.data(), message->payload.size()));
            },
            nb::sig("def next(self) -> tuple[int, bytes] | None"))
        .def(
            "send",
            [](BoundLine& self, const nb::bytes& text) { self.then_wake([&] { self.line.put(Text, view(text)); }); },
            "text"_a)
        .def(
            "put",
            [](BoundLine& self, int opcode, const nb::bytes& payload) {
                self.then_wake([&] { self.line.put(opcode, view(payload)); });
            },
            "opcode"_a, "payload"_a)
        .def("finish", [](BoundLine& self) { self.line.finish(); })
        .def("shut", [](BoundLine& self) { self.line.shut(); })
        .def("end_when_sent", [](BoundLine& self) { self.then_wake([&] { self.line.end_when_sent(); }); })
        .def("close", [](BoundLine& self) { self.line.close(); })
        .def_prop_ro("held", [](const BoundLine& self) { return self.line.held(); })
        .def("silence", [](BoundLine& self) { return self.line.silence(); });
}

}  // namespace parlour
