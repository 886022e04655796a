import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Parts that the shell does not need: they are fetched when first asked for. */
const LAZY = /stockfish|uplot|Analysis|Chart|Study|Editor|rules/i;

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

/** The typefaces may be passed on together with their licence, which goes beside them. */
function fontLicences(): Plugin {
  return {
    name: "parlour-font-licences",
    generateBundle() {
      for (const font of ["@fontsource-variable/figtree", "@fontsource/fraunces"]) {
        const source = readFileSync(new URL(`node_modules/${font}/LICENSE`, import.meta.url));
        this.emitFile({ type: "asset", fileName: `assets/${font.split("/")[1]}-licence.txt`, source });
      }
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
        if (!/\.(js|css|html|svg|wasm|webmanifest)$/.test(name)) continue;
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
  plugins: [serviceWorker(), engine(), fontLicences(), compressed()],
  build: {
    outDir: "../src/parlour/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What the chess table and the analysis board share: in one file it is smaller than in several.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "words", test: /i18n\/en\/(shell|lobby|table)\.ts$/ },
            { name: "chess-board", test: /chessground\/dist|games\/chess\/(Ground|DrawLayer|MoveInput|Pocket|PieceArt|pieces|position|words|types|art\/sets|study\/(MoveTree|tree|notation|written|links))\.tsx?$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
});
