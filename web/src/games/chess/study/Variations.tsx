import type { ComponentChildren } from "preact";
import { t } from "../../../i18n/index.ts";
import { MoveButton, MoveTree, numberOf, type Shown } from "./MoveTree.tsx";
import { plainComment } from "./notation.ts";
import { isBefore, type Move, type Path, type Tree } from "./tree.ts";

/** The moves of a tree with comments and variations. */
export function Variations({ tree, at, onGo }: Shown & { tree: Tree }) {
  const asides = (move: Move, others: readonly Move[], parent: () => Path, ply: number) =>
    (others.length > 0 || move.comments.some(plainComment)) && (
      <>
        <Comments texts={move.comments} />
        {others.map((other) => (
          <Variation key={other.uci} parent={parent()} move={other} ply={ply} at={at} onGo={onGo} />
        ))}
      </>
    );
  return <MoveTree tree={tree} start={tree.start} at={at} onGo={onGo} before={<Comments texts={tree.comments} row />} asides={asides} />;
}

/** A variation in one run of text, with its own variations in parentheses. */
function Variation({ parent, move, ply, at, onGo }: Shown & { parent: Path; move: Move; ply: number }) {
  const parts: ComponentChildren[] = [];
  let before = parent;
  let rivals: readonly Move[] = [];
  let numbered = true;
  let now = ply;
  for (let next: Move | undefined = move; next; next = next.children[0], now++) {
    const path: Path = [...before, next.uci];
    if (numbered || now % 2 === 0) parts.push(<span key={`n${now}`} class="number">{`${numberOf(now)}.${now % 2 ? ".." : ""}`}</span>);
    parts.push(<MoveButton key={`m${now}`} move={next} here={path.length === at.length && isBefore(path, at)} onGo={() => onGo(path)} />, <Comments key={`c${now}`} texts={next.comments} />);
    const [from, turn] = [before, now];
    parts.push(rivals.map((rival) => <Variation key={rival.uci} parent={from} move={rival} ply={turn} at={at} onGo={onGo} />));
    numbered = rivals.length > 0 || next.comments.some(plainComment);
    rivals = next.children.slice(1);
    before = path;
  }
  return (
    <span class="variation" role="group" aria-label={t("study.variation")}>
      <span class="paren">(</span>
      {parts}
      <span class="paren">)</span>
    </span>
  );
}

function Comments({ texts, row }: { texts: readonly string[]; row?: boolean }) {
  const text = texts.map(plainComment).filter(Boolean).join(" ");
  if (!text) return null;
  return row ? <li class="aside said">{text}</li> : <span class="said">{text}</span>;
}
