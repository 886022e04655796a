import { Fragment, type ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../../i18n/index.ts";
import { Icon, type IconName } from "../../../ui/Icon.tsx";
import { beside, hasVariations, isBefore, lineFrom, mainLine, type Move, type Path } from "./tree.ts";
import { spoken, written } from "./written.ts";
import "../../../styles/chess-moves.css";
import "../../../styles/chess-study.css";

interface Props {
  tree: { readonly children: readonly Move[] };
  /** Where the game began, in FEN: Black may have moved first, and moves are counted on from there. */
  start: string | null;
  at: Path;
  onGo(path: Path): void;
  /** What stands before the first move. */
  before?: ComponentChildren;
  /** What stands below a move: comments, and the other moves that were tried in its place. Nothing in a game as it was played. */
  asides?: ((move: Move, others: readonly Move[], parent: () => Path, ply: number) => ComponentChildren) | undefined;
}

/** The moves with their variations, each a way to its position; arrow keys walk through them. */
export function MoveTree({ tree, start, at, onGo, before, asides }: Props) {
  const list = useRef<HTMLOListElement>(null);
  // Before the page is painted: a new move is never seen where it is not going to stay.
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = () => {
      const shown = box.querySelector<HTMLElement>("[aria-current]");
      box.scrollTo({ top: shown ? shown.offsetTop - box.clientHeight / 2 + 20 : 0, left: shown ? shown.offsetLeft - box.clientWidth / 2 + 20 : 0 });
    };
    const resized = new ResizeObserver(show);
    resized.observe(box);
    show();
    // A typeface that comes late makes the moves wider, not the list.
    document.fonts.addEventListener("loadingdone", show);
    return () => {
      resized.disconnect();
      document.fonts.removeEventListener("loadingdone", show);
    };
  }, [at.join(), tree.children]);
  // Keys may come faster than the page is drawn: each goes on from where the one before led.
  const here = useRef(at);
  here.current = at;
  const go = (path: Path) => onGo((here.current = path));
  // Before the next input: a key that is pressed before the page is painted again must not bring back an older tree.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      // In a field that is empty the arrows have nothing else to do.
      if (target.closest("select, textarea, dialog, [role=tablist], [role=grid]") || (target instanceof HTMLInputElement && target.value)) return;
      const next = event.altKey || event.ctrlKey || event.metaKey ? null : reached(tree, here.current, event.key);
      // Up and down scroll the page where there is no other variation to go to.
      if (!next || next.join() === here.current.join()) return;
      event.preventDefault();
      go(next);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  const step = (icon: IconName, label: string, key: string) => (
    <button type="button" class="icon-button" aria-label={label} disabled={reached(tree, at, key)?.length === at.length} onClick={() => go(reached(tree, here.current, key) ?? at)}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="moves">
      <ol ref={list} class={hasVariations(tree) ? "move-list branched" : "move-list"} aria-label={t("chess.moves")}>
        {before}
        <Rows tree={tree} first={plyOf(start)} at={at} onGo={onGo} asides={asides} />
        {!tree.children.length && <li class="empty">{t("chess.noMoves")}</li>}
      </ol>
      <div class="steps">
        {step("first", t("step.first"), "Home")}
        {step("prev", t("step.prev"), "ArrowLeft")}
        {step("next", t("step.next"), "ArrowRight")}
        {step("last", t("step.last"), "End")}
      </div>
    </div>
  );
}

/** Where a key leads from a position. */
function reached(tree: Props["tree"], at: Path, key: string): Path | null {
  switch (key) {
    case "ArrowLeft":
      return at.slice(0, -1);
    case "ArrowRight":
      return lineFrom(tree, at).slice(0, at.length + 1);
    case "ArrowUp":
      return beside(tree, at, -1);
    case "ArrowDown":
      return beside(tree, at, 1);
    case "Home":
      return [];
    case "End":
      return lineFrom(tree, at);
    default:
      return null;
  }
}

/** How many half-moves had been played before a position, by its own count. */
export function plyOf(fen: string | null): number {
  const fields = fen?.split(" ") ?? [];
  return 2 * ((Number(fields.at(-1)) || 1) - 1) + (fields[1] === "b" ? 1 : 0);
}

export const numberOf = (ply: number): number => Math.floor(ply / 2) + 1;

export interface Shown {
  at: Path;
  onGo(path: Path): void;
}

interface Row {
  key: string;
  ply: number;
  cells: ComponentChildren[];
  asides: ComponentChildren[];
}

/** The main line: a row for each pair of moves; comments and variations stand below their move. */
function Rows({ tree, first, at, onGo, asides }: Shown & Pick<Props, "tree" | "asides"> & { first: number }) {
  const rows: Row[] = [];
  const line = mainLine(tree);
  // The length of the path shown, where it does not leave the main line: a long game must not compare every path.
  const shown = isBefore(at, line) ? at.length : -1;
  let depth = 0;
  let row: Row | null = null;
  let ply = first;
  for (let moves = tree.children; moves[0]; ply++) {
    const [move, ...others] = moves;
    const length = ++depth;
    if (!row) rows.push((row = { key: `${ply} ${move.uci}`, ply, cells: ply % 2 ? [<Gap key="gap" />] : [], asides: [] }));
    row.cells.push(<MoveButton key={move.uci} move={move} here={length === shown} onGo={() => onGo(line.slice(0, length))} />);
    const aside = asides?.(move, others, () => line.slice(0, length - 1), ply);
    if (aside) {
      row.asides.push(aside);
      if (row.cells.length < 2 && move.children.length) row.cells.push(<Gap key="gap" />);
      row = null;
    } else if (ply % 2) row = null;
    moves = move.children;
  }
  return (
    <>
      {rows.map((one) => (
        <Fragment key={one.key}>
          <li>
            <span class="number">{numberOf(one.ply)}.</span>
            {one.cells}
          </li>
          {one.asides.length > 0 && <li class="aside">{one.asides}</li>}
        </Fragment>
      ))}
    </>
  );
}

const Gap = () => (
  <span class="gap" aria-hidden="true">
    …
  </span>
);

export function MoveButton({ move, here, onGo }: { move: Move; here: boolean; onGo(): void }) {
  return (
    <button type="button" class="move" aria-label={spoken(move.san, move.nags)} aria-current={here ? "step" : undefined} onClick={onGo}>
      {written(move.san, move.nags)}
    </button>
  );
}
