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

  const read = () => ({
    pot: words(document.querySelector(".pot b")),
    pots: [...document.querySelectorAll(".side-pots b")].map(words),
    stacks: [...document.querySelectorAll(".pod")].map((pod) => words(pod.querySelector(".chips-left"))),
    bets: [...document.querySelectorAll(".pod")].map((pod) => words(pod.querySelector(".note.bet"))),
    own: words(document.querySelector(".hero-stack b")),
    ownBet: words(document.querySelector(".hero .note.bet")),
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
