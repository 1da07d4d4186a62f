// Bars of softmax(scores * scale), with a slider for the scale.
import { all, make } from "../page";
import { say } from "../words";
import { controls, dataOf, exact, level, readout, short, softmax } from "./parts";

const STEPS = 80; // of the slider

export function openSoftmax(figure: HTMLElement): void {
  const data = dataOf<{ scores: number[]; labels: string[]; scale: number; most: number }>(figure);
  const bars = all<SVGRectElement>(".bar", figure);
  const numbers = all<SVGTextElement>("text.v", figure);
  const first = bars[0];
  if (!first) return;
  const base = Number(first.getAttribute("y")) + Number(first.getAttribute("height"));
  const tall = base - 24; // as the server draws it
  const onTheFront = figure.closest(".front") !== null; // lessons explain temperature and entropy
  const names = [say("Scale"), say("temperature"), say("largest:"), say("entropy in bits")] as const;
  const slider = make("input");
  Object.assign(slider, { type: "range", min: "0", max: String(data.most), step: String(data.most / STEPS), value: String(data.scale) });
  const label = make("label", "", names[0]);
  label.append(" ", slider);
  const tell = readout(figure, "");
  const draw = (): void => {
    const scale = Number(slider.value);
    const weights = softmax(data.scores.map((score) => score * scale));
    weights.forEach((weight, i) => {
      const height = Math.max(0.5, weight * tall);
      bars[i]?.setAttribute("y", (base - height).toFixed(1));
      bars[i]?.setAttribute("height", height.toFixed(1));
      bars[i]?.setAttribute("class", `bar ${level(weight)}`);
      bars[i]?.querySelector("title")?.remove();
      const text = numbers[i];
      if (!text) return;
      text.setAttribute("y", (base - height - 6).toFixed(1));
      text.textContent = short(Number(weight.toFixed(4)));
    });
    const bits = weights.reduce((sum, weight) => sum - (weight ? weight * Math.log2(weight) : 0), 0);
    const largest = data.labels[weights.indexOf(Math.max(...weights))] ?? "";
    const told: [string, string][] = [
      [names[0], exact(scale)],
      [names[2], `${largest} ${short(Number(Math.max(...weights).toFixed(4)))}`],
    ];
    if (!onTheFront) told.push([names[1], scale ? exact(1 / scale) : "∞"], [names[3], exact(Math.abs(bits))]);
    tell(told);
  };
  slider.addEventListener("input", draw);
  controls(figure).append(label);
  draw();
}
