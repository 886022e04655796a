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
