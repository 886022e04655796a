import { useEffect, useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { t } from "../../i18n/index.ts";
import { readMove, type Board } from "./position.ts";
import { inEnglish } from "./study/notation.ts";

interface Props {
  board: Board;
  /** The legal moves; null while it is somebody else's turn. */
  legal: readonly string[] | null;
  onMove(uci: string): void;
}

/** Moves by keyboard: 'Nf3', 'exd5', 'O-O', 'e7e8q'. One that is entered early is played when the turn comes. */
export function MoveInput({ board, legal, onMove }: Props) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const [early, setEarly] = useState(false);
  const enter = (moves: readonly string[]) => {
    // Moves are typed as they are shown, in the letters of the language; English ones do as well.
    const uci = readMove(inEnglish(text, t("chess.letters")), board, moves) ?? readMove(text, board, moves);
    setEarly(false);
    setWrong(!uci);
    if (!uci) return say(t("chess.notLegal", { move: text }));
    setText("");
    onMove(uci);
  };
  useEffect(() => {
    if (early && legal) enter(legal);
  }, [early, legal]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    if (legal) return enter(legal);
    setEarly(true);
    say(t("chess.early", { move: text }));
  };
  return (
    <form class="typed" onSubmit={submit}>
      <input
        class={early ? "early" : undefined}
        aria-label={t("chess.type")}
        aria-invalid={wrong}
        placeholder={t("chess.type")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
          setEarly(false);
        }}
      />
      <button class="button small">{t("chess.move")}</button>
    </form>
  );
}
