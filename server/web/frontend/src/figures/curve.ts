// Lines: the numbers of all of them at the chosen place of the axis.
import { all } from "../page";
import { say } from "../words";
import { dataOf, exact, readout } from "./parts";

const NS = "http://www.w3.org/2000/svg";

export function openCurve(figure: HTMLElement): void {
  const data = dataOf<{ x: number[]; lines: Record<string, number[]>; x_name: string }>(figure);
  const svg = figure.querySelector<SVGSVGElement>("svg.curve");
  const places = (all<SVGPolylineElement>("polyline", figure)[0]?.getAttribute("points") ?? "").split(" ").map((point) => Number(point.split(",")[0]));
  if (!svg) return;
  const tell = readout(figure, say("Point at the lines for their numbers; arrow keys move along."));
  const rule = document.createElementNS(NS, "path");
  rule.setAttribute("class", "rule");
  svg.append(rule);
  let at = -1;
  const go = (index: number): void => {
    if (index < 0 || index >= places.length || index === at) return;
    at = index;
    rule.setAttribute("d", `M${places[at]} 28V${svg.viewBox.baseVal.height - 44}`);
    const numbers = Object.entries(data.lines).map(([label, values]): [string, string] => [label, exact(values[at] ?? 0)]);
    tell([[data.x_name, exact(data.x[at] ?? 0)], ...numbers]);
  };
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const distances = places.map((place) => Math.abs(place - x));
    go(distances.indexOf(Math.min(...distances)));
  });
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-description", say("Arrow keys move along the axis."));
  svg.addEventListener("focus", () => go(Math.max(at, 0)));
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(at + step);
  });
}
