import { t, tryT } from "../../i18n/index.ts";
import type { Board } from "./position.ts";
import type { Colour } from "./types.ts";

const FILES = Array.from("abcdefgh");
const RANKS = [8, 7, 6, 5, 4, 3, 2, 1];

export interface TextBoardProps {
  board: Board;
  orientation: Colour;
}

/** The board as a table of letters, each square named for a screen reader. */
export function TextBoard({ board, orientation }: TextBoardProps) {
  const files = orientation === "white" ? FILES : [...FILES].reverse();
  const ranks = orientation === "white" ? RANKS : [...RANKS].reverse();
  return (
    <table class="text-board" aria-label={t("chess.board")}>
      <tbody>
        {ranks.map((rank) => (
          <tr key={rank}>
            <th scope="row">{rank}</th>
            {files.map((file) => {
              const piece = board.get(`${file}${rank}`);
              return (
                <td key={file}>
                  {piece ? (
                    <>
                      <span aria-hidden="true">{piece}</span>
                      <span class="visually-hidden">
                        {`${file}${rank} ${t(piece === piece.toUpperCase() ? "chess.white" : "chess.black")} ${tryT(`piece.${piece.toUpperCase()}`, piece)}`}
                      </span>
                    </>
                  ) : (
                    <>
                      <span aria-hidden="true">·</span>
                      <span class="visually-hidden">{`${file}${rank}`}</span>
                    </>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
        <tr>
          <td />
          {files.map((file) => (
            <th key={file} scope="col">
              {file}
            </th>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
