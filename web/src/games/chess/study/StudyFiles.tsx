import { useEffect, useState } from "preact/hooks";
import { incoming, toast } from "../../../app/live.ts";
import { figurines } from "../../../app/prefs.ts";
import { t } from "../../../i18n/index.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Field, Switch } from "../../../ui/Field.tsx";
import { addressOf } from "./address.ts";
import { editorLink } from "./links.ts";
import { loadNames, openingAt, type Opening } from "./openings.ts";
import { readText, writePgn, type Chapter } from "./pgn.ts";
import { faultWords } from "./faults.ts";
import { mainLine, type Path, type Tree } from "./tree.ts";

export interface StudyFilesProps {
  tree: Tree;
  at: Path;
  fen: string;
  /** Whether it is open at first. */
  first: boolean;
  onImport?: ((games: readonly Chapter[]) => void) | undefined;
  /** Every game of the file that was imported, where there are several. */
  allGames?: (() => readonly Tree[]) | undefined;
}

/** What one may take away from a board or bring to it: FEN, PGN, a link. */
export function StudyFiles({ tree, at, fen, first, onImport, allGames }: StudyFilesProps) {
  const [importing, setImporting] = useState(false);
  const [open, setOpen] = useState(first);
  useEffect(() => {
    // A file that was opened on another page.
    const text = incoming.value;
    incoming.value = "";
    const wrong = text && onImport ? take(text, tree.variant, onImport) : "";
    if (wrong) toast(wrong, "error");
  }, []);
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
        <button type="button" class="button" onClick={() => void pgnOf([tree]).then(copy)}>
          {t("study.copyPgn")}
        </button>
        <button type="button" class="button" onClick={() => void pgnOf([tree]).then(download)}>
          {t("study.downloadPgn")}
        </button>
        {allGames && (
          <button type="button" class="button" onClick={() => void pgnOf(allGames()).then(download)}>
            {t("study.downloadAll")}
          </button>
        )}
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

/** Puts the games of a text on the board; says what is wrong with it where that cannot be done. */
function take(text: string, variant: string, onImport: (games: readonly Chapter[]) => void): string {
  const games = readText(text, variant);
  const reading = games[0]?.read() ?? { fault: "pgn" as const };
  if ("fault" in reading) return faultWords(reading.fault);
  onImport(games);
  if (reading.refused) toast(t("study.refused", { move: reading.refused }), "error");
  else if (games.length > 1) toast(t("study.games", { n: games.length }));
  return "";
}

function Import({ variant, onClose, onImport }: { variant: string; onClose(): void; onImport(games: readonly Chapter[]): void }) {
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const read = (event: Event) => {
    event.preventDefault();
    const wrong = take(text, variant, onImport);
    if (wrong) setFault(wrong);
    else onClose();
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

/** Games as PGN, each with the name of its opening. */
async function pgnOf(trees: readonly Tree[]): Promise<string> {
  const names = await loadNames().catch(() => new Map<string, never>());
  return trees.map((tree) => writePgn(withOpening(tree, openingAt(names, tree, mainLine(tree))))).join("\n");
}

function withOpening(tree: Tree, opening: Opening | null): Tree {
  return opening ? { ...tree, headers: new Map([...tree.headers, ["ECO", opening.eco], ["Opening", opening.name]]) } : tree;
}

function download(pgn: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([pgn], { type: "application/vnd.chess-pgn" }));
  link.download = "analysis.pgn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => toast(t("study.copied")),
    () => toast(text),
  );
}
