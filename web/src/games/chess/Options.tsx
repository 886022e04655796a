import { useEffect, useId, useState } from "preact/hooks";
import { boardTheme, pieceSet, type BoardTheme, type PieceSet } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { pictureOf } from "./art/sets.ts";
import "../../styles/chess-board.css";
import "../../styles/chess-look.css";

const BOARDS: readonly BoardTheme[] = ["walnut", "club", "sea", "slate", "plum"];
const SETS: readonly PieceSet[] = ["parlour", "classic"];

/** The board and the pieces that this device draws, chosen by their looks. */
export function Options() {
  return (
    <>
      <Swatches label={t("pref.board")} value={boardTheme.value} options={BOARDS} onChange={(chosen) => (boardTheme.value = chosen)}>
        {(board) => [`board-${board}`, t(`board.${board}`)]}
      </Swatches>
      <Swatches label={t("pref.pieces")} value={pieceSet.value} options={SETS} pieces onChange={(chosen) => (pieceSet.value = chosen)}>
        {(set) => [`board-${boardTheme.value}`, t(`pieces.${set}`)]}
      </Swatches>
    </>
  );
}

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly T[];
  /** Whether the options are piece sets, to be shown with two of their pieces. */
  pieces?: boolean;
  onChange(value: T): void;
  children(option: T): [look: string, name: string];
}

function Swatches<T extends string>({ label, value, options, pieces, onChange, children }: Props<T>) {
  const group = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="swatches">
        {options.map((option) => {
          const [look, name] = children(option);
          return (
            <label key={option} class={option === value ? "swatch on" : "swatch"}>
              <input type="radio" name={group} checked={option === value} onChange={() => onChange(option)} />
              <i class={`swatch-board ${look}`}>{pieces && <Sample set={option as string as PieceSet} />}</i>
              <span>{name}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

function Sample({ set }: { set: PieceSet }) {
  const [pictures, setPictures] = useState<string[]>([]);
  useEffect(() => void Promise.all(["white-knight", "black-queen"].map((name) => pictureOf(set, name))).then(setPictures), [set]);
  return (
    <>
      {pictures.map((picture) => (
        <img key={picture} src={picture} alt="" />
      ))}
    </>
  );
}
