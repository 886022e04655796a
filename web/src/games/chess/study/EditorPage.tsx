import { useState } from "preact/hooks";
import { t } from "../../../i18n/index.ts";
import { openTable, playTheHouse } from "../../../lobby/create.ts";
import { optionName } from "../../../lobby/describe.ts";
import { Choice, Field } from "../../../ui/Field.tsx";
import { Icon } from "../../../ui/Icon.tsx";
import { other, type Colour } from "../types.ts";
import { EditorBoard } from "./EditorBoard.tsx";
import { faultWords } from "./faults.ts";
import { analysisLink } from "./links.ts";
import { endOf, faultOf, positionFrom, startOf, VARIANTS } from "./rules.ts";
import { possibleCastling, possiblePassing, readSetup, writeSetup, type Setup } from "./setup.ts";
import "../../../styles/chess-moves.css";
import "../../../styles/chess-study.css";

const RIGHTS = ["K", "Q", "k", "q"] as const;

/** The board editor: any position, told whether it can be played, to be analysed or played from. */
export function EditorPage() {
  const [variant, setVariant] = useState(() => asked("variant", (name) => VARIANTS.includes(name)) ?? "standard");
  const [setup, setSetup] = useState<Setup>(() => readSetup(new URLSearchParams(location.search).get("fen") ?? "") ?? usual(variant));
  const [bottom, setBottom] = useState<Colour>("white");
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const fen = writeSetup(setup, variant);
  const fault = faultOf(variant, fen);
  const position = positionFrom(variant, fen);
  const over = typeof position !== "string" && endOf(position) !== null;
  const change = (part: Partial<Setup>) => {
    setTyped(null);
    setSetup({ ...setup, ...part });
  };
  const typeFen = (text: string) => {
    const read = readSetup(text);
    setTyped(text);
    if (read) setSetup(read);
  };
  const once = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  const table = { variant, start_fen: fen, side: bottom, untimed: true, private: true };
  const rights = possibleCastling(setup.board, variant);
  const passing = possiblePassing(setup.board, setup.turn);
  const toldFault = typed !== null && !readSetup(typed) ? "fen" : fault;
  return (
    <div class="page study-page">
      <section class="study editor" aria-label={t("tool.editor")}>
        <header class="study-head">
          <h1>{t("tool.editor")}</h1>
        </header>
        <EditorBoard board={setup.board} bottom={bottom} onChange={(board) => change({ board })} />
        <div class="study-side">
          <p class={toldFault || over ? "verdict fault" : "verdict"} role="status">
            {toldFault ? faultWords(toldFault) : over ? t("edit.over") : t("edit.valid")}
          </p>
          <Choice label={t("edit.turn")} value={setup.turn} options={[["white", t("study.white")] as const, ["black", t("study.black")] as const]} onChange={(turn) => change({ turn })} />
          <fieldset class="rights">
            <legend>{t("edit.castling")}</legend>
            {RIGHTS.map((right) => (
              <label key={right} class="check">
                <input
                  type="checkbox"
                  checked={setup.castling.includes(right) && rights.includes(right)}
                  disabled={!rights.includes(right)}
                  onChange={(event) => change({ castling: event.currentTarget.checked ? setup.castling + right : setup.castling.replace(right, "") })}
                />
                <span>{t(`edit.castling.${right}`)}</span>
              </label>
            ))}
          </fieldset>
          <div class="field-row">
            <Field label={t("edit.passing")}>
              {(id) => (
                <select id={id} value={passing.includes(setup.passing) ? setup.passing : "-"} disabled={!passing.length} onChange={(event) => change({ passing: event.currentTarget.value })}>
                  {["-", ...passing].map((square) => (
                    <option key={square} value={square}>
                      {square === "-" ? t("edit.passing.none") : square}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field label={t("set.variant")}>
              {(id) => (
                <select id={id} value={variant} onChange={(event) => setVariant(event.currentTarget.value)}>
                  {VARIANTS.map((name) => (
                    <option key={name} value={name}>
                      {optionName("variant", name)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </div>
          <Field label="FEN">
            {(id) => <input id={id} class="fen" spellcheck={false} autocomplete="off" aria-invalid={toldFault === "fen"} value={typed ?? fen} onInput={(event) => typeFen(event.currentTarget.value)} onBlur={() => readSetup(typed ?? fen) && setTyped(null)} />}
          </Field>
          <div class="study-tools">
            <button type="button" class="button" onClick={() => change(usual(variant))}>
              {t("edit.start")}
            </button>
            <button type="button" class="button" onClick={() => change({ board: new Map(), castling: "", passing: "-", held: null })}>
              {t("edit.clear")}
            </button>
            <button type="button" class="button" onClick={() => setBottom(other(bottom))}>
              <Icon name="flip" />
              {t("study.flip")}
            </button>
          </div>
          <div class="study-tools go">
            <a class="button primary" aria-disabled={fault !== null} href={fault ? undefined : analysisLink({ variant, start: fen })}>
              {t("edit.analyse")}
            </a>
            <button type="button" class="button" disabled={busy || fault !== null || over} onClick={once(() => openTable("chess", { ...table, autostart: true }))}>
              {t("edit.friend")}
            </button>
            <button type="button" class="button" disabled={busy || fault !== null || over} onClick={once(() => playTheHouse("chess", "medium", table))}>
              {t("edit.house")}
            </button>
          </div>
          <p class="muted small">{t("edit.side", { colour: t(bottom === "white" ? "study.white" : "study.black") })}</p>
        </div>
      </section>
    </div>
  );
}

function asked(name: string, known: (value: string) => boolean): string | null {
  const value = new URLSearchParams(location.search).get(name);
  return value !== null && known(value) ? value : null;
}

function usual(variant: string): Setup {
  const setup = readSetup(startOf(variant));
  if (!setup) throw new Error(`no start position for ${variant}`);
  return setup;
}
