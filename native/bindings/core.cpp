#include "bindings.hpp"

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
    parlour::bind_shuffle(m);
}
