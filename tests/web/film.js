// Time stands still in the page until a film moves it: timers by the clock of the test, animations by hand.
(() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const animation = animate.apply(this, given);
    animation.pause();
    return animation;
  };
  window.parlourStep = (ms) => {
    for (const animation of document.getAnimations()) {
      const end = animation.effect?.getComputedTiming().endTime ?? 0;
      if (!Number.isFinite(Number(end))) continue;
      const time = Number(animation.currentTime ?? 0) + ms;
      if (time >= Number(end)) animation.finish();
      else {
        animation.pause();
        animation.currentTime = time;
      }
    }
  };
})();
