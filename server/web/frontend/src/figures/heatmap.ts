// Heat maps: the number of the chosen cell; with several heads, a tab each, and the cell's number in all of them.
import { all } from "../page";
import { tabs } from "../pictures";
import { say } from "../words";
import { cellsOf, dataOf, exact, grid, readout } from "./parts";

interface Sides {
  rows: string[];
  columns: string[];
}

const NONE = "";

const said = (value: number | string | undefined): string => (typeof value === "number" ? exact(value) : String(value ?? ""));

function place({ rows, columns }: Sides, index: number): string {
  return `${rows[Math.floor(index / columns.length)]} → ${columns[index % columns.length]}`;
}

export function openHeatmap(figure: HTMLElement): void {
  const data = dataOf<Sides & { values: (number | string)[][] }>(figure);
  const svg = figure.querySelector("svg");
  const cells = cellsOf(figure);
  if (!svg || !cells.length) return;
  const tell = readout(figure, say("Point at a cell for its value."));
  grid(svg, cells, data.columns.length, (index) => tell([[place(data, index), said(data.values.flat()[index])]]));
}

export function openHeads(figure: HTMLElement): void {
  const data = dataOf<Sides & { values: (number | string)[][][]; names: string[] }>(figure);
  const panes = all(".figure-pane", figure);
  const tell = readout(figure, say("Point at a cell for its value."));
  const grids = panes.map((pane) => cellsOf(pane));
  panes.forEach((pane, head) => {
    const svg = pane.querySelector("svg");
    if (!svg) return;
    grid(svg, grids[head] ?? [], data.columns.length, (index) => {
      for (const cells of grids) cells.forEach((cell, i) => cell.classList.toggle("at", i === index));
      tell([[place(data, index), NONE], ...data.names.map((name, i): [string, string] => [name, said(data.values[i]?.flat()[index])])]);
    });
  });
  if (panes.length > 1) tabs(figure, panes, say("Heads"));
}
