// What is wrong with how the page is laid out, in words.
() => {
  const faults = [];
  const root = document.documentElement;
  const name = (e) => `${e.tagName.toLowerCase()}.${e.className} '${(e.ariaLabel || e.textContent || '').trim().slice(0, 30)}'`;
  const open = document.querySelector('dialog[open]') || document;
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 0.5);
    faults.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide: ${wide.map(name).join(', ')}`);
  }
  const seen = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && e.checkVisibility() && getComputedStyle(e).visibility !== 'hidden' && !e.closest('.visually-hidden, .skip');
  };
  const controls = [...open.querySelectorAll('button, summary, a.button, a.icon-button, .segment, input:not([type=radio]), select, nav a')]
    .filter((e) => seen(e) && !e.closest('.range-grid'));
  for (const e of controls) {
    const box = (e.closest('label.switch, label.check') || e).getBoundingClientRect();
    if (box.height < 39.5 || (box.width < 39.5 && !e.closest('.deck'))) faults.push(`${name(e)} is ${box.width}×${box.height}`);
    if (box.left < -0.5 || box.right > root.clientWidth + 0.5) {
      if (!e.closest('.move-list, .scroll-x')) faults.push(`${name(e)} sticks out`);
    }
  }
  const solid = [...open.querySelectorAll('.seat, .hand.open, .hand.own, .community .slot, .bet, .pot, .bar, .cg-wrap, .player-bar, .result-line')]
    .filter(seen);
  const bodies = [...new Set([...solid, ...controls.filter((e) => !e.matches('.segment input') && !e.closest('.move-list, .deck, .replay-lines'))])];
  for (let i = 0; i < bodies.length; i++) for (let j = i + 1; j < bodies.length; j++) {
    const [one, two] = [bodies[i], bodies[j]];
    if (one.contains(two) || two.contains(one)) continue;
    // A seat's own cards lie half behind or over its plate, and the way to the last hand and notices lie over the table's corner.
    const seat = (e) => e.closest('[data-spot^=seat-], [data-spot^=cards-]')?.dataset.spot.split('-')[1];
    if (seat(one) !== undefined && seat(one) === seat(two)) continue;
    if (one.closest('.notices') || two.closest('.notices')) continue;
    if (one.closest('.site-head nav') !== two.closest('.site-head nav') && getComputedStyle(document.querySelector('.site-head nav') || root).position === 'fixed') continue;
    const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1.5 && down > 1.5) faults.push(`${name(one)} and ${name(two)} overlap by ${across.toFixed()}×${down.toFixed()}`);
  }
  // What somebody did last, and their chances, hide neither name nor chips.
  const text = (e) => {
    const range = document.createRange();
    range.selectNodeContents(e);
    return range.getBoundingClientRect();
  };
  for (const seat of open.querySelectorAll('.stage .seat')) {
    for (const mark of [...seat.querySelectorAll('.badge-of, .chance')].filter(seen)) for (const words of seat.querySelectorAll('.name, .stack')) {
      const [a, b] = [mark.getBoundingClientRect(), text(words)];
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Letters do not fill the height of their line.
      if (Math.min(a.right, b.right) > Math.max(a.left, b.left) && down > b.height / 4) faults.push(`${name(mark)} hides ${name(words)} by ${down.toFixed(1)} px`);
    }
  }
  return faults;
}
