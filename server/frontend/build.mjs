// Builds static/dist: app.js and app.css with its fonts. `--watch` builds again on every save.
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "static", "dist");

const options = {
  absWorkingDir: here,
  entryPoints: ["src/app.ts", "src/app.css"],
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true, // the editor is a file of its own, which only problem pages load
  chunkNames: "[name]-[hash]",
  charset: "utf8",
  target: ["es2022"],
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]-[hash]",
  legalComments: "linked",
  logLevel: "info",
};

await rm(out, { recursive: true, force: true });
if (process.argv.includes("--watch")) await (await esbuild.context(options)).watch();
else await esbuild.build(options);
