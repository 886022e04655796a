#include "bindings.hpp"

namespace parlour {

void bind_hand(nanobind::module_& m) {
    (void)m;
}

}  // namespace parlour
