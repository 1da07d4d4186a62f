// Heat maps: a tab a head, and the values of one cell in all pictures at once, by pointer or arrow keys.
import { all, find, make } from "./page";
import { say } from "./words";

interface Cell {
  mark: SVGElement;
  where: string;
  value: string;
}

/** Bring the pictures inside an element to life, once. */
export function draw(inside: ParentNode): void {
  for (const section of all("[data-pictures]:not([data-drawn])", inside)) {
    section.dataset.drawn = "";
    const panes = all("[data-pane]", section);
    if (panes.length > 1) tabs(section, panes);
    for (const pane of panes) readout(pane);
  }
}

let made = 0;

/** A tab for each pane, which is named by its `data-pane`. */
export function tabs(section: HTMLElement, panes: HTMLElement[], name = section.getAttribute("aria-label") ?? ""): void {
  const list = make("div", "tabs");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", name);
  const buttons = panes.map((pane) => {
    const button = make("button", "", pane.dataset.pane);
    button.type = "button";
    button.id = `tab-${++made}`;
    button.setAttribute("role", "tab");
    pane.id = `pane-${made}`;
    pane.setAttribute("role", "tabpanel");
    pane.setAttribute("aria-labelledby", button.id);
    button.setAttribute("aria-controls", pane.id);
    find(".pane-title", pane)?.remove();
    list.append(button);
    return button;
  });
  const choose = (index: number, focus = false): void => {
    panes.forEach((pane, i) => (pane.hidden = i !== index));
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    if (focus) buttons[index]?.focus();
  };
  buttons.forEach((button, i) => {
    button.addEventListener("click", () => choose(i));
    button.addEventListener("keydown", (event) => {
      const last = buttons.length - 1;
      const to = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(to, true);
    });
  });
  panes[0]?.before(list);
  choose(0);
}

function readout(pane: HTMLElement): void {
  const figures = all("figure", pane).map((figure) => ({
    name: find("figcaption", figure)?.textContent ?? "",
    svg: find<SVGSVGElement>("svg", figure),
    cells: all<SVGElement>(".cell, .bar", figure).map(read),
  }));
  const count = figures[0]?.cells.length ?? 0;
  if (!count) return;
  const columns = Math.max(1, new Set(figures[0]?.cells.map((cell) => cell.mark.querySelector("rect")?.getAttribute("x") ?? cell.mark.getAttribute("x"))).size);
  const line = make("p", "readout", say("Point at a cell for its value."));
  line.setAttribute("aria-live", "polite");
  pane.append(line);
  let at = -1;
  const go = (index: number): void => {
    if (index < 0 || index >= count || index === at) return;
    for (const { cells } of figures) {
      cells[at]?.mark.classList.remove("at");
      cells[index]?.mark.classList.add("at");
    }
    at = index;
    line.replaceChildren(make("span", "", figures[0]?.cells[index]?.where), ...figures.map(({ name, cells }) => valued(name, cells[index]?.value ?? "")));
  };
  for (const { svg, cells } of figures) {
    cells.forEach(({ mark }, index) => {
      mark.addEventListener("pointerenter", () => go(index));
      mark.addEventListener("click", () => go(index));
    });
    if (!svg) continue;
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-description", say("Arrow keys move through the cells."));
    svg.addEventListener("focus", () => go(Math.max(at, 0)));
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      go(at + step);
    });
  }
}

/** A cell's place and value, taken from its title; the title goes, lest the browser show the same again. */
function read(mark: SVGElement): Cell {
  const title = mark.querySelector("title");
  const text = title?.textContent ?? "";
  title?.remove();
  const cut = text.lastIndexOf(": ");
  return { mark, where: text.slice(0, cut), value: text.slice(cut + 2) };
}

function valued(name: string, value: string): HTMLElement {
  const part = make("span", "", `${name} `);
  part.append(make("b", "", value));
  return part;
}
