import { t } from "../../../i18n/index.ts";
import { Field } from "../../../ui/Field.tsx";
import { commandsIn, NAGS, plainComment } from "./notation.ts";
import { note, type Move, type Path, type Tree } from "./tree.ts";

/** The signs that say what a move is worth: one of them at most. */
const JUDGED = [1, 2, 3, 4, 5, 6] as const;

export interface NoteProps {
  tree: Tree;
  at: Path;
  move: Move;
  onChange(tree: Tree, at: Path): void;
}

/** What one thinks of a move: a sign and a comment, kept with the game. */
export function Note({ tree, at, move, onChange }: NoteProps) {
  const sign = move.nags.find((nag) => JUDGED.some((one) => one === nag)) ?? 0;
  const text = move.comments.map(plainComment).filter(Boolean).join("\n");
  const judge = (nag: number) => onChange(note(tree, at, { nags: [...(nag ? [nag] : []), ...move.nags.filter((one) => one > 6)] }), at);
  const say = (words: string) => onChange(note(tree, at, { comments: [...move.comments.flatMap(commandsIn), ...(words.trim() ? [words] : [])] }), at);
  return (
    <div class="study-note">
      <Field label={t("study.sign")}>
        {(id) => (
          <select id={id} value={sign} onChange={(event) => judge(Number(event.currentTarget.value))}>
            <option value={0}>{t("study.noSign")}</option>
            {JUDGED.map((nag) => (
              <option key={nag} value={nag}>
                {`${NAGS[nag] ?? ""} ${t(`nag.${nag}`)}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t("study.comment")}>{(id) => <textarea id={id} rows={2} value={text} onInput={(event) => say(event.currentTarget.value)} />}</Field>
    </div>
  );
}
