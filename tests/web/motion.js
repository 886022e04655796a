// Writes down what the poker table shows, every time it changes, and every animation that is asked for.
(() => {
  const told = [];
  const moved = [];
  const look = () => {
    const stage = document.querySelector("[data-stage]");
    if (!stage) return;
    const all = (query) => [...stage.querySelectorAll(query)];
    const seats = (name, field) =>
      Object.fromEntries(all(`[data-spot^="${name}-"]`).map((one) => [one.dataset.spot.slice(name.length + 1), Number(one.dataset[field])]));
    const now = {
      board: all('[data-spot^="board-"][data-card]').map((one) => one.dataset.card),
      chances: seats("chance", "chance"),
      pots: seats("pot", "amount"),
      bets: seats("bet", "amount"),
      stacks: seats("stack", "amount"),
      hands: Object.fromEntries(
        all('[data-spot^="cards-"]').map((hand) => [hand.dataset.spot.slice(6), [...hand.querySelectorAll(".slot")].map((slot) => slot.dataset.card ?? null)]),
      ),
      words: all('[data-spot="result"] p').map((line) => line.textContent),
    };
    if (JSON.stringify(now) !== JSON.stringify(told.at(-1))) told.push(now);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  // A way that rises above the straight line between its ends, by what its middle lies over theirs.
  const down = ({ transform }) => Number(/translate\([^,]+, (-?[\d.]+)px\)/.exec(transform)?.[1] ?? 0);
  const rises = (frames) => down(frames[frames.length >> 1]) < (down(frames[0]) + down(frames.at(-1))) / 2 - 1;
  let arcs = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    moved.push(...frames.flatMap((frame) => Object.keys(frame)));
    if (frames.length > 2 && rises(frames)) arcs += 1;
    return animate.call(this, frames, timing);
  };
  window.parlourMotion = { told, moved, arcs: () => arcs };
})();
