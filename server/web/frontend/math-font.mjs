// Cuts the math font to the characters of ordinary formulas: 60 KiB instead of 400.
// math.css names them (`unicode-range`) and takes any other character from the whole font.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const here = dirname(fileURLToPath(import.meta.url));
const WHOLE = join(here, "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2");
const CUT = join(here, "build/formulas.woff2"); // math.css names it

/** The characters that the rule for the cut font names. */
function characters(css) {
  const [, ranges] = /formulas\.woff2"[^}]*unicode-range:([^;]*);/.exec(css) ?? [];
  if (!ranges) throw new Error("src/style/math.css: the @font-face of formulas.woff2 has no unicode-range; name the characters of formulas there");
  return ranges.split(",").flatMap((range) => {
    const [first, last = first] = range.trim().replace(/^U\+/i, "").split("-").map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });
}

/** Writes the font that math.css asks for. HarfBuzz keeps the table MATH, with every larger form of what stretches, and all layout features. */
export async function cutMathFont() {
  const text = characters(await readFile(join(here, "src/style/math.css"), "utf8")).join("");
  const cut = await subsetFont(await readFile(WHOLE), text, { targetFormat: "woff2" });
  await mkdir(dirname(CUT), { recursive: true });
  await writeFile(CUT, cut);
}
