import { useState } from "preact/hooks";
import { toast } from "../../../app/live.ts";
import { figurines } from "../../../app/prefs.ts";
import { t } from "../../../i18n/index.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Field, Switch } from "../../../ui/Field.tsx";
import { addressOf } from "./address.ts";
import { editorLink } from "./links.ts";
import { readText, writePgn } from "./pgn.ts";
import { faultWords } from "./faults.ts";
import type { Path, Tree } from "./tree.ts";

export interface StudyFilesProps {
  tree: Tree;
  at: Path;
  fen: string;
  /** Whether it is open at first. */
  first: boolean;
  onImport?: ((tree: Tree) => void) | undefined;
}

/** What one may take away from a board or bring to it: FEN, PGN, a link. */
export function StudyFiles({ tree, at, fen, first, onImport }: StudyFilesProps) {
  const [importing, setImporting] = useState(false);
  const [open, setOpen] = useState(first);
  return (
    <details class="study-files" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("study.share")}</summary>
      <Field label="FEN">
        {(id) => <input id={id} class="fen" readOnly value={fen} onFocus={(event) => event.currentTarget.select()} />}
      </Field>
      <div class="study-tools">
        <button type="button" class="button" onClick={() => void copy(fen)}>
          {t("study.copyFen")}
        </button>
        <button type="button" class="button" onClick={() => void copy(writePgn(tree))}>
          {t("study.copyPgn")}
        </button>
        <button type="button" class="button" onClick={() => void addressOf(tree, at).then((address) => copy(location.origin + address))}>
          {t("study.copyLink")}
        </button>
        {onImport && (
          <button type="button" class="button" onClick={() => setImporting(true)}>
            {t("study.import")}
          </button>
        )}
        <a class="button" href={editorLink({ variant: tree.variant, start: fen })}>
          {t("tool.editor")}
        </a>
      </div>
      <Switch label={t("study.figurines")} checked={figurines.value} onChange={(on) => (figurines.value = on)} />
      {importing && onImport && <Import variant={tree.variant} onClose={() => setImporting(false)} onImport={onImport} />}
    </details>
  );
}

function Import({ variant, onClose, onImport }: { variant: string; onClose(): void; onImport(tree: Tree): void }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const read = (event: Event) => {
    event.preventDefault();
    const reading = readText(text, variant);
    if ("fault" in reading) return setFault(faultWords(reading.fault));
    onImport(reading.tree);
    if (reading.refused) toast(t("study.refused", { move: reading.refused }), "error");
    onClose();
  };
  const open = async (file: File | undefined) => setText(file ? await file.text() : "");
  return (
    <Dialog title={t("study.import")} onClose={onClose}>
      <form class="stack" onSubmit={read}>
        <Field label={t("study.paste")}>
          {(id) => (
            <textarea
              id={id}
              rows={8}
              value={text}
              spellcheck={false}
              aria-invalid={fault !== ""}
              onInput={(event) => {
                setText(event.currentTarget.value);
                setFault("");
              }}
            />
          )}
        </Field>
        <Field label={t("study.file")}>{(id) => <input id={id} type="file" accept=".pgn,.fen,.txt" onChange={(event) => void open(event.currentTarget.files?.[0])} />}</Field>
        <p class="fault" role="alert">
          {fault}
        </p>
        <button class="button primary" disabled={!text.trim()}>
          {t("study.import")}
        </button>
      </form>
    </Dialog>
  );
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => toast(t("study.copied")),
    () => toast(text),
  );
}
