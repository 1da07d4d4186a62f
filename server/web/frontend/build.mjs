// Builds static/dist: a script and a style sheet with their fonts, under names that change with what is in them, and manifest.json, which says the names.
// Text is written compressed as well, for the server to send as it is. `--watch` builds again on every save, without that.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import * as esbuild from "esbuild";
import { cutFonts, withoutCut } from "./cut-fonts.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "static", "dist");

/** Writes what each entry point became: its own file first, then the files that it imports at once. */
const manifest = {
  name: "manifest",
  setup(build) {
    build.onEnd(async ({ metafile, errors }) => {
      if (errors.length) return;
      const address = (path) => relative(out, join(here, path));
      const entries = Object.entries(metafile.outputs).filter(([path, output]) => output.entryPoint ?? path.endsWith(".woff2"));
      const parts = entries.map(([path, { entryPoint, inputs, imports }]) => [
        basename(entryPoint ?? Object.keys(inputs)[0]).replace(/ts$/, "js"),
        [path, ...imports.filter(({ kind }) => kind === "import-statement").map((chunk) => chunk.path)].map(address),
      ]);
      await writeFile(join(out, "manifest.json"), `${JSON.stringify(Object.fromEntries(parts), null, 2)}\n`);
    });
  },
};

/** Text is set in what is there when it is first shown, so that nothing moves when a font arrives; the next page has it. */
const noSwap = {
  name: "no-swap",
  setup(build) {
    build.onLoad({ filter: /@fontsource-variable.*\.css$/ }, async ({ path }) => ({
      contents: await withoutCut((await readFile(path, "utf8")).replaceAll("font-display: swap", "font-display: optional")),
      loader: "css",
    }));
  },
};

const options = {
  absWorkingDir: here,
  entryPoints: ["src/app.ts", "src/app.css"],
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  splitting: true, // the editor is a file of its own, which only problem pages load
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  charset: "utf8",
  target: ["es2022"],
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]-[hash]",
  legalComments: "none",
  metafile: true,
  logLevel: process.argv.includes("--watch") ? "info" : "warning",
  plugins: [manifest, noSwap],
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

/** Fonts are compressed already. */
async function compress() {
  for (const name of (await readdir(out)).filter((entry) => /\.(js|css|txt)$/.test(entry))) {
    const text = await readFile(join(out, name));
    await writeFile(join(out, `${name}.br`), await promisify(brotliCompress)(text));
    await writeFile(join(out, `${name}.gz`), await promisify(gzip)(text, { level: 9 }));
  }
}

await rm(out, { recursive: true, force: true });
await cutFonts();
if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  await licences((await esbuild.build(options)).metafile);
  await compress();
}
