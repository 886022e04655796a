// Shows views to the real page through its own socket, reads what it says of them, and keeps what it would send.
// Short waits of the page pass at once, so that a thousand views take no longer than drawing them.
(() => {
  const later = window.setTimeout.bind(window);
  window.setTimeout = (work, delay, ...rest) => later(work, delay > 1000 ? delay : 0, ...rest);
  window.requestAnimationFrame = (work) => later(() => work(performance.now()), 0);

  let socket = null;
  let sent = null;
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      socket = this;
    }
    send(text) {
      if (sent && JSON.parse(text).type === "action") sent.push(JSON.parse(text));
      else super.send(text);
    }
  };

  const until = async (found) => {
    for (;;) {
      const value = found();
      if (value) return value;
      await new Promise((resolve) => later(resolve, 0));
    }
  };
  const receive = (frame) => socket.onmessage({ data: JSON.stringify(frame) });
  const words = (element) => (element ? element.textContent.trim() : null);
  const buttons = () => [...document.querySelectorAll(".action-buttons button")];
  const lit = () => [...document.querySelectorAll(".sizes .on")].map(words);
  const settled = () => new Promise((resolve) => later(() => later(resolve, 0), 0));

  const amounts = (start) =>
    Object.fromEntries([...document.querySelectorAll(`[data-spot^=${start}-]`)].map((one) => [one.dataset.spot.split("-")[1], Number(one.dataset.amount)]));
  const shownAmounts = (start) =>
    Object.fromEntries([...document.querySelectorAll(`[data-spot^=${start}-] b`)].map((one) => [one.closest("[data-spot]").dataset.spot.split("-")[1], words(one)]));

  const read = () => ({
    total: Number(document.querySelector("[data-spot=total]")?.dataset.amount ?? -1),
    pots: amounts("pot"),
    stacks: amounts("stack"),
    bets: amounts("bet"),
    shownBets: shownAmounts("bet"),
    shownPots: shownAmounts("pot"),
    actor: Number(document.querySelector("[data-stage]").dataset.actor),
    button: document.querySelectorAll("[data-spot=button]").length,
    board: [...document.querySelectorAll("[data-spot^=board-][data-card]")].map((one) => one.dataset.card),
    own: [...document.querySelectorAll("[data-spot=cards-0] [data-card]")].map((one) => one.dataset.card),
    prices: buttons().map((button) => [button.dataset.action, button.dataset.price === undefined ? null : Number(button.dataset.price)]),
    buttons: buttons().map(words),
    lit: lit(),
  });

  const trySizes = async () => {
    const tried = [];
    for (const size of document.querySelectorAll(".sizes .size")) {
      size.click();
      await until(() => size.classList.contains("on"));
      tried.push({ name: words(size), lit: lit(), raise: words(buttons()[2]) });
    }
    return tried;
  };

  /** Presses a button of the bar, and again where it asks: the words pressed last, whether it asked, what was sent. */
  const press = async (index) => {
    sent = [];
    const first = words(buttons()[index]);
    buttons()[index].click();
    await settled();
    const asked = sent.length === 0;
    const last = words(buttons()[index]);
    if (asked) buttons()[index].click();
    const [{ id, action }] = await until(() => sent.length && sent);
    receive({ type: "ack", id, seq: 0 });
    return { words: asked ? last : first, asked, action };
  };

  window.parlourPrices = async (situations) => {
    const seen = [];
    for (const { patch, button } of situations) {
      const before = document.querySelector(".action-bar");
      receive({ type: "events", events: [], patch });
      await until(() => {
        const now = document.querySelector(".action-bar");
        return now && now !== before && !buttons()[0].disabled;
      });
      const shown = read();
      const sizes = await trySizes();
      seen.push({ ...shown, sizes, pressed: await press(Math.min(button, buttons().length - 1)) });
    }
    return seen;
  };
})();
