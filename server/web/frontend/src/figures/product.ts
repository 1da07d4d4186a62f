// A matrix product: the row and the column that meet in the chosen cell, and their sum written out.
import { find } from "../page";
import { say } from "../words";
import { cellsOf, dataOf, exact, grid, readout } from "./parts";

export function openProduct(figure: HTMLElement): void {
  const { left, right } = dataOf<{ left: number[][]; right: number[][] }>(figure);
  const svg = figure.querySelector("svg");
  const [lefts, rights, results] = ["left", "right", "result"].map((part) => cellsOf(find(`[data-part=${part}]`, figure) ?? figure));
  const inner = right.length;
  const width = right[0]?.length ?? 0;
  if (!svg || !lefts || !rights || !results || !width) return;
  const tell = readout(figure, say("Choose a cell of the product: its row and its column meet there."));
  for (const cell of [...lefts, ...rights]) cell.querySelector("title")?.remove();
  grid(svg, results, width, (index) => {
    const [i, j] = [Math.floor(index / width), index % width];
    lefts.forEach((cell, k) => cell.classList.toggle("meets", Math.floor(k / inner) === i));
    rights.forEach((cell, k) => cell.classList.toggle("meets", k % width === j));
    const terms = (left[i] ?? []).map((value, k) => [value, right[k]?.[j] ?? 0] as const);
    const written = terms.map(([a, b]) => `${exact(a)} · ${b < 0 ? `(${exact(b)})` : exact(b)}`).join(" + ");
    const total = exact(terms.reduce((sum, [a, b]) => sum + a * b, 0));
    const where = `${i + 1}, ${j + 1}:`;
    const sum = `${written} = ${total}`;
    tell([[where, sum]]);
  });
}
