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

  // What moved by itself: when, from where to where, and what. What is inside an input, or was taken away meanwhile, is not
  // named; then what lies there now is.
  let shift = 0;
  let moved = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].join();
  const name = (node) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 120);
  const there = ({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2);
  const note = (entries) => {
    for (const { value, startTime, sources } of entries) {
      shift += value;
      for (const { node, previousRect, currentRect } of sources) {
        const what = node ? name(node) : `something at ${name(there(currentRect))}`;
        moved.push(`${Math.round(startTime)} ms: ${place(previousRect)} -> ${place(currentRect)} ${what}`);
      }
    }
  };
  const watching = new PerformanceObserver((list) => note(list.getEntries()));
  watching.observe({ type: "layout-shift", buffered: true });
  /** How much has moved since this was last asked, or the page opened, and what. */
  window.parlourMoved = () => {
    note(watching.takeRecords());
    const answer = [shift, moved];
    shift = 0;
    moved = [];
    return answer;
  };
})();
