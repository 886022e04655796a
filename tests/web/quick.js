// The page's time passes twenty times as fast, so that what moves is really shown and a thousand hands take no evening.
(() => {
  const PACE = 20;
  const later = window.setTimeout.bind(window);
  window.setTimeout = (work, delay = 0, ...rest) => later(work, delay > 10_000 ? delay : delay / PACE, ...rest);
  // A message comes at once, where a timer within timers waits 4 ms.
  window.requestAnimationFrame = (work) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => work(performance.now());
    port2.postMessage(0);
    return 0;
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const quick = typeof options === "number" ? options / PACE : { ...options, duration: (options?.duration ?? 0) / PACE, delay: (options?.delay ?? 0) / PACE };
    return animate.call(this, frames, quick);
  };
})();
