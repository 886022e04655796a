// Where everything on the stage lies, and what is written there.
(() => {
  const FIXED = '[data-spot="felt"], [data-spot="board"], [data-spot^="board-"], [data-spot^="seat-"], [data-spot^="free-"], [data-fixed]';
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    });

  const places = () => {
    const found = {};
    for (const element of document.querySelectorAll(FIXED)) {
      const { x, y, width, height } = element.getBoundingClientRect();
      found[element.dataset.spot ?? element.className] = [x, y, width, height].join();
    }
    found.page = [document.documentElement.scrollWidth, document.documentElement.scrollHeight, scrollX, scrollY].join();
    return found;
  };

  /** Pots that lie over each other, by how much. */
  const overlaps = () => {
    const pots = [...document.querySelectorAll(".pots .pot")].map((pot) => pot.getBoundingClientRect());
    return pots.flatMap((a, index) =>
      pots.slice(index + 1).flatMap((b) => {
        const [across, down] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        return across > 1.5 && down > 1.5 ? [`two of ${pots.length} pots overlap by ${across.toFixed()} × ${down.toFixed()}`] : [];
      }),
    );
  };

  /** Feeds the frames and says after which of them something lies elsewhere than before the first, or pots over each other. */
  window.parlourStill = async (frames) => {
    const before = places();
    const moved = [];
    for (const frame of frames) {
      window.parlourFeed(frame);
      await turn();
      await turn();
      const after = places();
      for (const spot of new Set([...Object.keys(before), ...Object.keys(after)])) {
        if (before[spot] !== after[spot]) moved.push(`${spot}: ${before[spot]} -> ${after[spot]} after ${JSON.stringify(frame.events.map((event) => event.type))}`);
      }
      moved.push(...overlaps());
      if (moved.length) return moved;
    }
    return moved;
  };

  const amount = (spot) => [...document.querySelectorAll(`[data-spot^="${spot}-"]`)].map((element) => [
    Number(element.dataset.spot.split("-")[1]),
    Number(element.dataset.amount),
    (element.querySelector("b") ?? element).textContent.trim(),
  ]);
  const read = () => {
    const stage = document.querySelector("[data-stage]");
    const cards = (element) => [...element.querySelectorAll("[data-card]")].map((card) => card.dataset.card);
    return {
      actor: stage.dataset.actor === undefined ? null : Number(stage.dataset.actor),
      button: Number(document.querySelector('[data-spot="button"]')?.dataset.seat ?? -1),
      stacks: amount("stack"),
      bets: amount("bet"),
      pots: amount("pot"),
      total: Number(document.querySelector('[data-spot="total"]')?.dataset.amount ?? -1),
      board: [...document.querySelectorAll('[data-spot^="board-"][data-card]')].map((card) => card.dataset.card),
      cards: [...document.querySelectorAll('[data-spot^="cards-"]')].map((hand) => [Number(hand.dataset.spot.split("-")[1]), cards(hand)]),
      prices: [...document.querySelectorAll("[data-action][data-price]")].map((button) => [button.dataset.action, Number(button.dataset.price)]),
      moving: document.querySelector('[data-spot="effects"]').childElementCount,
    };
  };

  /** Feeds frames one by one; what the page shows after each, once it has come to rest. */
  window.parlourShown = async (frames) => {
    const shown = [];
    for (const frame of frames) {
      window.parlourFeed(frame);
      const started = performance.now();
      while (document.querySelector("[data-stage]").dataset.seq !== String(frame.patch.seq)) {
        await turn();
        if (performance.now() - started > 120_000) throw new Error(`the page never came to ${frame.patch.seq}`);
      }
      await turn();
      await turn();
      shown.push(read());
    }
    return shown;
  };
})();
