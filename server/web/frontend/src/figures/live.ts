// Brings the figures of a page to life. Each is whole without this: an SVG, a caption and a table.
import { all } from "../page";
import { openCurve } from "./curve";
import { openHeads, openHeatmap } from "./heatmap";
import { openMask } from "./mask";
import { openProduct } from "./product";
import { openSoftmax } from "./softmax";
import { openVectors } from "./vectors";

const openers: Record<string, (figure: HTMLElement) => void> = {
  heatmap: openHeatmap,
  heads: openHeads,
  vectors: openVectors,
  softmax: openSoftmax,
  mask: openMask,
  product: openProduct,
  curve: openCurve,
};

/** Every figure inside an element, once. */
export function bringToLife(inside: ParentNode): void {
  for (const figure of all("[data-live]:not([data-drawn])", inside)) {
    figure.dataset.drawn = "";
    openers[figure.dataset.live ?? ""]?.(figure);
  }
}
