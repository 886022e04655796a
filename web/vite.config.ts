import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Writes /sw.js: the service worker with the list of files that make the shell open without a network. */
function serviceWorker(): Plugin {
  return {
    name: "parlour-service-worker",
    generateBundle(_, bundle) {
      const shell = ["/", "/manifest.webmanifest", "/icon.svg"];
      for (const file of Object.values(bundle)) {
        const lazy = /stockfish|uplot|Analysis|Chart/i.test(file.fileName);
        if (!lazy && /\.(js|css)$/.test(file.fileName)) shell.push(`/${file.fileName}`);
      }
      const source = readFileSync(new URL("src/sw.js", import.meta.url), "utf8");
      let hash = 5381;
      for (const char of shell.join()) hash = (hash * 33 + char.charCodeAt(0)) >>> 0;
      const head = `const VERSION = "${hash.toString(36)}";\nconst SHELL = ${JSON.stringify(shell)};\n`;
      this.emitFile({ type: "asset", fileName: "sw.js", source: head + source });
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

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [serviceWorker(), engine()],
  build: {
    outDir: "../src/parlour/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8080", ws: true } } },
});
