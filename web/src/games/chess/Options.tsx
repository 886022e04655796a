import { useEffect, useState } from "preact/hooks";
import { boardTheme, pieceSet, type BoardTheme, type PieceSet } from "../../app/prefs.ts";
import { t } from "../../i18n/index.ts";
import { PictureChoice } from "../../ui/PictureChoice.tsx";
import { pictureOf } from "./art/sets.ts";
import "../../styles/chess-board.css";
import "../../styles/chess-look.css";

const BOARDS: readonly BoardTheme[] = ["walnut", "club", "sea", "slate", "plum"];
const SETS: readonly PieceSet[] = ["parlour", "classic"];

/** The board and the pieces that this device draws, chosen by their looks. */
export function Options() {
  return (
    <>
      <PictureChoice
        kind="samples"
        label={t("pref.board")}
        value={boardTheme.value}
        options={BOARDS.map((value) => ({ value, name: t(`board.${value}`), picture: <i class={`board-sample board-${value}`} /> }))}
        onChange={(chosen) => (boardTheme.value = chosen)}
      />
      <PictureChoice
        kind="samples"
        label={t("pref.pieces")}
        value={pieceSet.value}
        options={SETS.map((value) => ({ value, name: t(`pieces.${value}`), picture: <Sample set={value} /> }))}
        onChange={(chosen) => (pieceSet.value = chosen)}
      />
    </>
  );
}

function Sample({ set }: { set: PieceSet }) {
  const [pictures, setPictures] = useState<string[]>([]);
  useEffect(() => void Promise.all(["white-knight", "black-queen"].map((name) => pictureOf(set, name))).then(setPictures), [set]);
  return (
    <i class={`pieces-sample board-${boardTheme.value}`}>
      {pictures.map((picture) => (
        <img key={picture} src={picture} alt="" />
      ))}
    </i>
  );
}
