import { useState } from "preact/hooks";
import { say } from "../../app/live.ts";
import { t } from "../../i18n/index.ts";
import { readMove, type Board } from "./position.ts";

interface Props {
  board: Board;
  legal: readonly string[];
  onMove(uci: string): void;
}

/** Moves by keyboard: 'Nf3', 'exd5', 'O-O', 'e7e8q'. */
export function MoveInput({ board, legal, onMove }: Props) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const uci = readMove(text, board, legal);
    setWrong(!uci);
    if (!uci) return say(t("chess.notLegal", { move: text }));
    setText("");
    onMove(uci);
  };
  return (
    <form class="row" onSubmit={submit}>
      <input
        class="grow"
        aria-label={t("chess.type")}
        aria-invalid={wrong}
        placeholder={t("chess.type")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <button class="button">{t("chess.move")}</button>
    </form>
  );
}
