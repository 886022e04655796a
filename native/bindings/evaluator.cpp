#include "bindings.hpp"

namespace parlour {

void bind_evaluator(nanobind::module_& m) {
    (void)m;
}

}  // namespace parlour
