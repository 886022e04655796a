#include "bindings.hpp"

namespace nb = nanobind;

nb::object parlour::signature_of(nb::handle kind) {
    return nb::module_::import_("parlour.signatures").attr("signature_of")(kind);
}

NB_MODULE(_core, m) {
    m.doc() = "Cards and hold'em: the native core of Parlour, without I/O.";
    parlour::bind_evaluator(m);
    parlour::bind_bulk(m);
    parlour::bind_equity(m);
    parlour::bind_hand(m);
    parlour::bind_hand_view(m);
    parlour::bind_arena(m);
    parlour::bind_batch(m);
    parlour::bind_pots(m);
    parlour::bind_sampler(m);
    parlour::bind_shuffle(m);
    parlour::bind_solver(m);
}
