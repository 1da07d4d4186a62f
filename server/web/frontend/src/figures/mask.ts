// A mask to paint: a press hides a score or shows it again, and its row is computed anew.
import { say } from "../words";
import { button, cellsOf, controls, dataOf, exact, fill, grid, readout, softmax } from "./parts";

interface Data {
  scores: number[][];
  mask: boolean[][];
  rows: string[];
  columns: string[];
}

export function openMask(figure: HTMLElement): void {
  const data = dataOf<Data>(figure);
  const svg = figure.querySelector("svg");
  const cells = cellsOf(figure);
  const width = data.columns.length;
  if (!svg || !cells.length) return;
  const [hidden, sum, showAll, reset] = [say("hidden"), say("sum of the row"), say("Show all"), say("Reset")];
  let mask = data.mask.map((row) => [...row]);
  const tell = readout(figure, say("Press a cell to hide it or to show it; Space does the same."));
  const weights = (i: number): number[] => softmax((data.scores[i] ?? []).map((score, j) => (mask[i]?.[j] ? score : -Infinity)));
  const paint = (i: number): void => {
    const row = weights(i);
    row.forEach((weight, j) => {
      const cell = cells[i * width + j];
      if (cell) fill(cell, mask[i]?.[j] ? weight : null);
    });
  };
  const report = (index: number): void => {
    const [i, j] = [Math.floor(index / width), index % width];
    const row = weights(i);
    const seen = mask[i]?.[j] ?? false;
    tell([
      [`${data.rows[i]} → ${data.columns[j]}`, seen ? exact(row[j] ?? 0) : hidden],
      [sum, exact(row.reduce((total, each) => total + each, 0))],
    ]);
  };
  grid(svg, cells, width, report, (index) => {
    const row = mask[Math.floor(index / width)];
    if (!row) return;
    row[index % width] = !row[index % width];
    paint(Math.floor(index / width));
    report(index);
  });
  const all = (make: (i: number, j: number) => boolean) => () => {
    mask = mask.map((row, i) => row.map((_, j) => make(i, j)));
    mask.forEach((_, i) => paint(i));
  };
  controls(figure).append(
    button(showAll, all(() => true)),
    button(reset, all((i, j) => data.mask[i]?.[j] ?? true)),
  );
}
