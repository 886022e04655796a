"use strict";

/** Ask a calculator and show its answer, or what it says is wrong, under the form. */
function wire(id, question, words) {
  const form = document.getElementById(id);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const output = form.querySelector("output");
    try {
      const answer = await fetch(`/api/v1/${id}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(question(new FormData(form))),
      });
      const told = await answer.json();
      output.textContent = answer.ok ? words(told) : told.detail;
    } catch {
      output.textContent = "The server does not answer.";
    }
  });
}

const numbers = (text) => (text.match(/\d+/g) ?? []).map(Number);

wire("evaluate", (form) => ({ cards: form.get("cards") }), (hand) => `${hand.name}\nrank ${hand.rank} of 7462`);
wire(
  "pots",
  (form) => ({ stakes: numbers(form.get("stakes")), folded: numbers(form.get("folded")) }),
  (told) => told.pots.map((pot, i) => `${i ? `Side pot ${i}` : "Main pot"}: ${pot.amount} for seats ${pot.seats.join(", ")}`).join("\n"),
);
