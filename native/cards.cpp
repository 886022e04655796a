#include "cards.hpp"

namespace parlour {

std::string to_string(Card c) {
    return {"23456789TJQKA"[rank_of(c)], "cdhs"[suit_of(c)]};
}

}  // namespace parlour
