#include "answers.hpp"

#include "hand_arguments.hpp"
#include "holdem/batch.hpp"

namespace nb = nanobind;

namespace parlour {

namespace {

// Words that every step has. They live as long as the process.
struct Words {
    std::array<PyObject*, 4> streets{word("preflop"), word("flop"), word("turn"), word("river")};
    PyObject *fold = word("fold"), *check = word("check"), *call = word("call"), *bet = word("bet"),
             *raise = word("raise");

    static PyObject* word(const char* text) { return PyUnicode_InternFromString(text); }

    static const Words& get() {
        static const Words words;
        return words;
    }
};

nb::tuple step_of(int seat, int street, PyObject* word, Chips amount) {
    return nb::make_tuple(seat, nb::handle(Words::get().streets[static_cast<std::size_t>(street)]), nb::handle(word),
                          amount);
}

// A word, and the amount of a bet or raise.
struct Answer {
    std::string_view word;
    nb::handle amount;
};

Answer answer_from(nb::handle value) {
    if (PyUnicode_Check(value.ptr())) return {text_from(value, "an action"), {}};
    if (PyTuple_Check(value.ptr()) && PyTuple_Size(value.ptr()) == 2) {
        PyObject* const word = PyTuple_GetItem(value.ptr(), 0);
        if (PyUnicode_Check(word)) return {text_from(word, "an action"), PyTuple_GetItem(value.ptr(), 1)};
    }
    if (PyDict_Check(value.ptr())) {
        PyObject* const word = PyDict_GetItemString(value.ptr(), "type");
        if (word != nullptr && PyUnicode_Check(word))
            return {text_from(word, "an action"), PyDict_GetItemString(value.ptr(), "amount")};
    }
    throw nb::type_error("an action is a word, a pair of a word and an amount, or a dict with a type");
}

Chips amount_from(const Answer& answer) {
    if (!answer.amount.is_valid() || !PyLong_CheckExact(answer.amount.ptr()))
        throw nb::type_error("the amount of a bet or raise is a whole number");
    return chips_from(answer.amount, "the amount");
}

// Plays the answer; the word for what it was.
PyObject* play_answer(Hand& hand, const Answer& answer) {
    const Words& words = Words::get();
    Fault fault = Fault::None;
    const bool unopened = hand.is_unopened();
    PyObject* did = nullptr;
    if (answer.word == "fold") {
        did = words.fold;
        fault = hand.act(Action::Fold);
    } else if (answer.word == "check") {
        did = words.check;
        fault = hand.act(Action::Check);
    } else if (answer.word == "call") {
        did = words.call;
        fault = hand.act(Action::Call);
    } else if (answer.word == "raise" || answer.word == "bet") {
        did = unopened ? words.bet : words.raise;
        fault = hand.act(Action::Raise, amount_from(answer));
    } else if (answer.word == "allin") {
        did = hand.legal().max_raise_to == 0 ? words.call : unopened ? words.bet : words.raise;
        fault = play(hand, Move::AllIn, 0);
    } else {
        throw nb::type_error("an action is one of fold, check, call, bet, raise, allin");
    }
    if (fault != Fault::None) throw nb::value_error(explain(hand, fault).c_str());
    return did;
}

}  // namespace

nb::tuple step(int seat, int street, const char* word, Chips amount) {
    return step_of(seat, street, nb::steal(PyUnicode_InternFromString(word)).ptr(), amount);
}

int street_number(PyObject* street) {
    const auto& streets = Words::get().streets;
    return static_cast<int>(std::ranges::find(streets, street) - streets.begin());
}

void take(Hand& hand, nb::handle answer, nb::list steps) {
    if (hand.actor < 0) throw nb::value_error("nobody is to act");
    const int seat = hand.actor, street = hand.street;
    const Chips bet = hand.bets[seat], staked = hand.stakes[seat];
    PyObject* const did = play_answer(hand, answer_from(answer));
    const Chips back = hand.returned_seat == seat ? hand.returned : 0;  // paid first, as nobody called it
    steps.append(step_of(seat, street, did, bet + hand.stakes[seat] + back - staked));
}

}  // namespace parlour
