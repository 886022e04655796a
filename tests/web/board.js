// What the chess board shows, read from the page after each frame that is fed to it.
(() => {
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
  const pieces = () => {
    const found = {};
    for (const piece of document.querySelectorAll(".cg-wrap piece:not(.ghost):not(.fading)")) {
      found[piece.cgKey] = piece.cgPiece.split(" ").slice(0, 2).join(" ");
    }
    return found;
  };
  const same = (one, two) => {
    const keys = Object.keys(one);
    return keys.length === Object.keys(two).length && keys.every((key) => one[key] === two[key]);
  };
  const read = () => ({
    pieces: pieces(),
    turn: document.querySelector(".chess-table").dataset.turn,
    last: [...document.querySelectorAll(".cg-wrap square.last-move")].map((square) => square.cgKey).sort(),
    clocks: Object.fromEntries([...document.querySelectorAll("[data-clock]")].map((clock) => [clock.dataset.clock, Number(clock.dataset.ms)])),
    moves: document.querySelectorAll(".move-list button.move").length,
    movable: document.querySelectorAll(".cg-wrap").length,
  });
  window.parlourBoard = async (frames) => {
    const shown = [];
    for (const frame of frames) {
      window.parlourFeed(frame);
      const started = performance.now();
      while (document.querySelector(".chess-table")?.dataset.seq !== String(frame.patch.seq)) {
        await turn();
        if (performance.now() - started > 120_000) throw new Error(`the page never came to ${frame.patch.seq}`);
      }
      // The board draws a moment later; what it never draws is told as it is.
      const drawn = performance.now();
      while (!same(pieces(), frame.pieces) && performance.now() - drawn < 20_000) await turn();
      shown.push(read());
    }
    return shown;
  };
})();
