// Arrows to drag, by pointer or by the arrow keys; what the dot product and the angle are then.
import { all, make } from "../page";
import { say } from "../words";
import { button, controls, dataOf, exact, readout } from "./parts";

const SIDE = 340; // of the drawing, as the server has it
const MARGIN = 22;
const HEAD = 9;
const STEP = 0.1;
const NS = "http://www.w3.org/2000/svg";

type Vector = [number, number];

interface Arrow {
  label: string;
  group: SVGGElement;
  handle: SVGCircleElement;
}

export function openVectors(figure: HTMLElement): void {
  const data = dataOf<{ vectors: Record<string, Vector>; compare: [string, string] }>(figure);
  const svg = figure.querySelector("svg");
  if (!svg) return;
  svg.setAttribute("role", "group");
  const largest = Math.max(...Object.values(data.vectors).flat().map(Math.abs));
  const limit = Math.max(1, Math.ceil(largest * 1.15));
  const unit = (SIDE / 2 - MARGIN) / limit;
  const vectors = structuredClone(data.vectors);
  const compare: [string, string] = [...data.compare];
  const tell = readout(figure, "");
  const arrows = all<SVGGElement>(".arrow", figure).map((group): Arrow => {
    const handle = document.createElementNS(NS, "circle");
    handle.setAttribute("class", "handle");
    handle.setAttribute("r", "16");
    group.append(handle);
    return { label: group.dataset.label ?? "", group, handle };
  });
  const at = (label: string): Vector => vectors[label] ?? [0, 0];
  const report = (): void => tell(compared(compare, at(compare[0]), at(compare[1])));
  const draw = (arrow: Arrow): void => {
    place(arrow, at(arrow.label), unit);
    report();
  };
  const move = (arrow: Arrow, [x, y]: Vector): void => {
    const snapped = [x, y].map((n) => Number((Math.round(Math.min(limit, Math.max(-limit, n)) / STEP) * STEP).toFixed(1)));
    vectors[arrow.label] = snapped as Vector;
    draw(arrow);
  };
  for (const arrow of arrows) {
    arrow.group.setAttribute("tabindex", "0");
    arrow.group.setAttribute("role", "img");
    arrow.group.setAttribute("aria-description", say("Arrow keys move the tip."));
    drag(svg, arrow, (x, y) => move(arrow, [(x - SIDE / 2) / unit, (SIDE / 2 - y) / unit]));
    arrow.group.addEventListener("keydown", (event) => {
      const step = { ArrowRight: [STEP, 0], ArrowLeft: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = at(arrow.label);
      move(arrow, [x + (step[0] ?? 0), y + (step[1] ?? 0)]);
    });
    draw(arrow);
  }
  const row = controls(figure);
  if (arrows.length > 2) row.append(...compare.map((_, i) => choice(i, Object.keys(vectors), compare, report)));
  const reset = (): void => {
    Object.assign(vectors, structuredClone(data.vectors));
    arrows.forEach(draw);
  };
  row.append(button(say("Reset"), reset));
}

/** Which vector is the first or the second of those that are compared. */
function choice(place: number, labels: string[], compare: [string, string], changed: () => void): HTMLSelectElement {
  const select = make("select");
  select.setAttribute("aria-label", say("Compared vector"));
  select.append(...labels.map((label) => new Option(label, label, false, label === compare[place])));
  select.addEventListener("change", () => {
    compare[place] = select.value;
    changed();
  });
  return select;
}

function drag(svg: SVGSVGElement, arrow: Arrow, to: (x: number, y: number) => void): void {
  arrow.handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    arrow.group.focus();
    arrow.handle.setPointerCapture(event.pointerId);
  });
  arrow.handle.addEventListener("pointermove", (event) => {
    if (!arrow.handle.hasPointerCapture(event.pointerId)) return;
    const box = svg.getBoundingClientRect();
    to(((event.clientX - box.left) / box.width) * SIDE, ((event.clientY - box.top) / box.height) * SIDE);
  });
}

function place(arrow: Arrow, [vx, vy]: Vector, unit: number): void {
  const centre = SIDE / 2;
  const [x, y] = [centre + vx * unit, centre - vy * unit];
  const angle = Math.atan2(y - centre, x - centre);
  const wings = [0.4, -0.4].map((turn) => `${x - HEAD * Math.cos(angle + turn)},${y - HEAD * Math.sin(angle + turn)}`);
  arrow.group.querySelector(".shaft")?.setAttribute("d", `M${centre} ${centre}L${x} ${y}`);
  arrow.group.querySelector(".head")?.setAttribute("points", `${x},${y} ${wings.join(" ")}`);
  arrow.handle.setAttribute("cx", String(x));
  arrow.handle.setAttribute("cy", String(y));
  arrow.group.setAttribute("aria-label", `${arrow.label}: ${exact(vx)}, ${exact(vy)}`);
  const name = arrow.group.querySelector(".name");
  name?.setAttribute("x", String(x + (x >= centre ? 8 : -8)));
  name?.setAttribute("y", String(y + (y > centre ? 14 : -6)));
  name?.setAttribute("text-anchor", x >= centre ? "start" : "end");
}

function compared(labels: [string, string], [ax, ay]: Vector, [bx, by]: Vector): [string, string][] {
  const dot = ax * bx + ay * by;
  const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
  const cosine = a && b ? Math.min(1, Math.max(-1, dot / (a * b))) : 0;
  return [
    [labels.join(" · "), exact(dot)],
    [say("lengths"), `${exact(a)}, ${exact(b)}`],
    [say("cosine"), cosine.toFixed(2)],
    [say("angle"), `${((Math.acos(cosine) * 180) / Math.PI).toFixed(1)}°`],
  ];
}
