#include "card_args.hpp"

#include <stdexcept>

namespace parlour {

namespace {

bool type_error(const char* expected, PyObject* found) {
    PyObject* name = PyType_GetName(Py_TYPE(found));
    if (name) PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name);
    Py_XDECREF(name);
    return false;
}

bool add(Card card, CardList& cards) {
    if (cards.add(card)) return true;
    PyErr_Format(PyExc_ValueError, "the card %s is there twice", to_string(card).c_str());
    return false;
}

bool read_text(PyObject* text, CardList& cards) {
    Py_ssize_t size = 0;
    const char* utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (!utf8) return false;
    try {
        read_cards(std::string_view(utf8, static_cast<std::size_t>(size)), cards);
        return true;
    } catch (const std::invalid_argument& fault) {
        PyErr_SetString(PyExc_ValueError, fault.what());
        return false;
    }
}

bool read_number(PyObject* number, CardList& cards) {
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow(number, &overflow);
    if (value == -1 && PyErr_Occurred()) return false;
    if (overflow || value < 0 || value >= DeckSize) {
        PyErr_Format(PyExc_ValueError, "not a card: %S (numbers are 0 to 51)", number);
        return false;
    }
    return add(static_cast<Card>(value), cards);
}

// ("14", "Club") reads like "14 Club".
bool read_pair(PyObject* pair, CardList& cards) {
    PyObject *rank = PyTuple_GetItem(pair, 0), *suit = PyTuple_GetItem(pair, 1);
    PyObject* text = PyUnicode_FromFormat("%S %S", rank, suit);
    if (!text) return false;
    const int before = cards.size();
    const bool read = read_text(text, cards) && cards.size() == before + 1;
    if (!read && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "not a card: %R", pair);
    Py_DECREF(text);
    return read;
}

bool read_item(PyObject* item, CardList& cards) {
    if (PyUnicode_Check(item)) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(item, &size);
        if (text && size == 2)
            if (const auto card = plain_card(text[0], text[1])) return add(*card, cards);
        const int before = cards.size();
        if (!read_text(item, cards)) return false;
        if (cards.size() == before + 1) return true;
        PyErr_Format(PyExc_ValueError, "one card is expected in each string of a sequence, not %R", item);
        return false;
    }
    if (PyBool_Check(item)) return type_error("a card is a string or a number", item);
    if (PyLong_Check(item)) return read_number(item, cards);
    if (PyTuple_Check(item) && PyTuple_Size(item) == 2) return read_pair(item, cards);
    if (!PyIndex_Check(item)) return type_error("a card is a string or a number", item);
    PyObject* number = PyNumber_Index(item);  // NumPy's integers
    if (!number) return false;
    const bool read = read_number(number, cards);
    Py_DECREF(number);
    return read;
}

}  // namespace

bool read_cards(PyObject* argument, CardList& cards) {
    if (PyUnicode_Check(argument)) return read_text(argument, cards);
    if (PyTuple_Check(argument)) {
        const Py_ssize_t size = PyTuple_Size(argument);
        for (Py_ssize_t i = 0; i < size; ++i)
            if (!read_item(PyTuple_GetItem(argument, i), cards)) return false;
        return true;
    }
    if (PyList_Check(argument)) {
        // Asking an item for its index may run Python code that changes the list: look at its size each time.
        for (Py_ssize_t i = 0; i < PyList_Size(argument); ++i) {
            PyObject* item = PyList_GetItem(argument, i);
            Py_INCREF(item);
            const bool read = read_item(item, cards);
            Py_DECREF(item);
            if (!read) return false;
        }
        return true;
    }
    if (PyBytes_Check(argument) || PyByteArray_Check(argument) || PyDict_Check(argument) || !PySequence_Check(argument))
        return type_error("cards are a string or a sequence of strings or numbers", argument);
    PyObject* items = PySequence_Tuple(argument);
    if (!items) return false;
    const bool read = read_cards(items, cards);
    Py_DECREF(items);
    return read;
}

CardList card_list_from(nanobind::handle argument) {
    CardList cards;
    if (!read_cards(argument.ptr(), cards)) throw nanobind::python_error();
    return cards;
}

}  // namespace parlour
