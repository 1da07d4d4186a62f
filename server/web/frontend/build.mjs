// Builds static/dist: app.js and app.css with its fonts. `--watch` builds again on every save.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  legalComments: "none",
  metafile: true,
  logLevel: process.argv.includes("--watch") ? "info" : "warning",
};

/** The licences of everything that was built in, as they ask to be handed on. */
async function licences(metafile) {
  const packages = new Set(Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean));
  const texts = [];
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file) texts.push(`${name}\n\n${await readFile(join(folder, file), "utf8")}`);
  }
  await writeFile(join(out, "LICENSES.txt"), texts.join("\n\n----\n\n"));
}

await rm(out, { recursive: true, force: true });
if (process.argv.includes("--watch")) await (await esbuild.context(options)).watch();
else await licences((await esbuild.build(options)).metafile);
