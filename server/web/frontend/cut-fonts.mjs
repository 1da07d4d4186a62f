// Cuts the fonts to the characters that most pages use: formulas to 70 KB instead of 400, text to a half.
// The style sheets name them (`unicode-range`) and take any other character from the whole font.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const here = dirname(fileURLToPath(import.meta.url));
const WEIGHTS = { wght: { min: 400, max: 700 } }; // that the style sheets ask for

/** For each font that a style sheet names, what it is cut from. */
const CUTS = {
  "math.css": { formulas: { whole: "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2" } },
  "fonts.css": {
    sans: { whole: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", variationAxes: WEIGHTS },
    serif: { whole: "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2", variationAxes: WEIGHTS },
    slanted: { whole: "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-italic.woff2", variationAxes: WEIGHTS },
    mono: { whole: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", variationAxes: WEIGHTS },
  },
};

const number = (hex) => Number.parseInt(hex.replace(/^U\+/i, ""), 16);

/** The code points of a `unicode-range`. */
function points(ranges) {
  return ranges.split(",").flatMap((range) => {
    const [first, last = first] = range.trim().split("-").map(number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** The characters that the rule for a cut font names, as code points. */
function characters(css, name) {
  const [, ranges] = new RegExp(`build/${name}\\.woff2"[^}]*unicode-range:([^;]*);`).exec(css) ?? [];
  if (!ranges) throw new Error(`src/style: the @font-face of ${name}.woff2 has no unicode-range; name its characters there`);
  return points(ranges);
}

/** A style sheet of whole fonts without the characters of the cut ones: a browser that may not wait for those would load these too. */
export async function withoutCut(css) {
  const taken = new Set(characters(await readFile(join(here, "src/style/fonts.css"), "utf8"), "sans"));
  return css.replace(/unicode-range: ?([^;}]*)/g, (_, ranges) => `unicode-range: ${rangesOf(points(ranges).filter((point) => !taken.has(point)))}`);
}

/** Code points in order, as a `unicode-range`. */
function rangesOf(points) {
  const ranges = [];
  for (const point of points) {
    if (ranges.at(-1)?.[1] === point - 1) ranges.at(-1)[1] = point;
    else ranges.push([point, point]);
  }
  return ranges.map((ends) => `U+${[...new Set(ends)].map((end) => end.toString(16)).join("-")}`).join(", ");
}

/** Writes the fonts that the style sheets ask for. HarfBuzz keeps the table MATH, with every larger form of what stretches, and all layout features. */
export async function cutFonts() {
  await mkdir(join(here, "build"), { recursive: true });
  for (const [sheet, fonts] of Object.entries(CUTS)) {
    const css = await readFile(join(here, "src/style", sheet), "utf8");
    for (const [name, { whole, ...options }] of Object.entries(fonts)) {
      const font = await readFile(join(here, "node_modules", whole));
      const cut = await subsetFont(font, String.fromCodePoint(...characters(css, name)), { targetFormat: "woff2", ...options });
      await writeFile(join(here, "build", `${name}.woff2`), cut);
    }
  }
}
