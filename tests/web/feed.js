// Shows frames to the real page through its own socket, as if the server had sent them.
(() => {
  let socket = null;
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      socket = this;
    }
  };
  window.parlourFeed = (frame) => socket.onmessage({ data: JSON.stringify(frame) });

  // Many frames at once, and an answer, go as text: value by value they would take longer than all that the page does with them.
  window.parlourAsk = async (name, text) => JSON.stringify(await window[name](JSON.parse(text)));

  // Everything that moved by itself since the page was opened.
  window.parlourShift = 0;
  window.parlourShifted = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.parlourShift += entry.value;
      for (const { node } of entry.sources) window.parlourShifted.push(node?.className ?? String(node));
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
