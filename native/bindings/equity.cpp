#include "bindings.hpp"

namespace parlour {

void bind_equity(nanobind::module_& m) {
    (void)m;
}

}  // namespace parlour
