// One function per part; each adds its part to an extension module: bind_wire to _net, the others to _core.
#pragma once

#include <nanobind/nanobind.h>

namespace parlour {

// What `__signature__` of a class says: nanobind itself tells inspect.signature nothing.
nanobind::object signature_of(nanobind::handle kind);

void bind_evaluator(nanobind::module_& m);
void bind_bulk(nanobind::module_& m);
void bind_equity(nanobind::module_& m);
void bind_hand(nanobind::module_& m);
void bind_hand_view(nanobind::module_& m);
void bind_arena(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_pots(nanobind::module_& m);
void bind_sampler(nanobind::module_& m);
void bind_shuffle(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_wire(nanobind::module_& m);

}  // namespace parlour
