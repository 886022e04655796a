#include "bindings.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The native core of Parlour.";
    parlour::bind_evaluator(m);
    parlour::bind_equity(m);
    parlour::bind_hand(m);
}
