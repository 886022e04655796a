/** The head of the lobby: a greeting on the cloth, with two cards, chips and a knight. Its height does not depend on who is here. */
export function Welcome({ title, lead }: { title: string; lead: string }) {
  return (
    <header class="welcome">
      <div class="welcome-words">
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      <svg class="welcome-art" viewBox="0 0 220 120" aria-hidden="true">
        <g transform="rotate(-9 62 70)">
          <rect class="paper" x="30" y="18" width="62" height="88" rx="8" />
          <path class="ink" d="M61 38c9 11 18 17 18 26 0 6-4 10-9 10-3 0-5-1-7-3 0 4 2 7 4 9H55c2-2 4-5 4-9-2 2-4 3-7 3-5 0-9-4-9-10 0-9 9-15 18-26z" />
        </g>
        <g transform="rotate(8 118 66)">
          <rect class="paper" x="84" y="16" width="62" height="88" rx="8" />
          <path class="red" d="M115 83c-14-11-21-19-21-28 0-7 5-12 11-12 4 0 8 2 10 6 2-4 6-6 10-6 6 0 11 5 11 12 0 9-7 17-21 28z" />
        </g>
        <path
          class="piece"
          d="M161 108h44c0-8-3-13-8-17 3-20 0-38-13-47l-2-10-7 8c-11 4-19 13-24 27-1 4 3 8 7 6l9-6c2 2 5 2 8 0-2 9-9 13-11 22-2 4-3 10-3 17z"
        />
      </svg>
    </header>
  );
}
