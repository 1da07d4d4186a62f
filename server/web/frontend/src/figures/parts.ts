// What the figures share: their data, the line that says what is chosen, and cells that keys and pointers reach.
import { all, find, make } from "../page";
import { say } from "../words";

export const dataOf = <T>(figure: HTMLElement): T => JSON.parse(figure.dataset.values ?? "{}") as T;

/** The line below the pictures that says what is chosen. */
export function readout(figure: HTMLElement, hint: string): (parts: [string, string][]) => void {
  const line = make("p", "readout", hint);
  line.setAttribute("role", "status");
  find(".figure-panes", figure)?.after(line);
  return (parts) => {
    line.replaceChildren(
      ...parts.map(([name, value]) => {
        const part = make("span", "", name ? `${name} ` : "");
        part.append(make("b", "", value));
        return part;
      }),
    );
  };
}

/** A row of controls above the pictures. */
export function controls(figure: HTMLElement): HTMLElement {
  const row = make("div", "figure-controls");
  find(".figure-panes", figure)?.before(row);
  return row;
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = make("button", "", text);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** A number as the server writes it in a cell. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const text = Math.abs(value) < 9.995 ? value.toFixed(2) : value.toFixed(0);
  return text.replace(/^(-?)0\./, "$1.");
}

export const exact = (value: number): string => String(Number(value.toPrecision(4)));

export function softmax(scores: number[]): number[] {
  const most = Math.max(...scores);
  if (most === -Infinity) return scores.map(() => 0);
  const exp = scores.map((score) => Math.exp(score - most));
  const total = exp.reduce((sum, each) => sum + each, 0);
  return exp.map((each) => each / total);
}

/** The colour of a weight from 0 to 1, as the class that the style sheet has for it. */
export const level = (weight: number): string => `w${Math.round(Math.min(1, Math.max(0, weight)) * 20)}`;

export interface Grid {
  cells: SVGGElement[];
  go: (index: number) => void;
}

/** Cells that the pointer, touch and the arrow keys choose; Space and Enter press the chosen one. */
export function grid(svg: SVGSVGElement, cells: SVGGElement[], columns: number, chosen: (index: number) => void, pressed?: (index: number) => void): Grid {
  let at = -1;
  const go = (index: number): void => {
    if (index < 0 || index >= cells.length) return;
    cells[at]?.classList.remove("at");
    cells[index]?.classList.add("at");
    at = index;
    chosen(index);
  };
  for (const cell of cells) cell.querySelector("title")?.remove();
  cells.forEach((cell, index) => {
    cell.addEventListener("pointerenter", () => go(index));
    cell.addEventListener("click", () => {
      go(index);
      pressed?.(index);
    });
  });
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-description", say("Arrow keys move through the cells."));
  svg.addEventListener("focus", () => go(Math.max(at, 0)));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const press = pressed && (event.key === " " || event.key === "Enter");
    if (step === undefined && !press) return;
    event.preventDefault();
    if (press) pressed(at);
    else go(at + (step ?? 0));
  });
  return { cells, go };
}

export const cellsOf = (inside: ParentNode): SVGGElement[] => all<SVGGElement>(".cell", inside);

/** Writes a weight, or that it is hidden, into a cell. */
export function fill(cell: SVGGElement, weight: number | null): void {
  cell.querySelector("rect")?.setAttribute("class", weight === null ? "unseen" : level(weight));
  const text = cell.querySelector("text");
  if (text) text.textContent = weight === null ? "×" : short(Number(weight.toFixed(6)) === 1 ? 1 : weight);
}
