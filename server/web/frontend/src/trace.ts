// The steps of a trace without loading the page again; the arrow keys step, too.
import { draw } from "./pictures";
import { all, find } from "./page";

/** Shows another step in the place of this one. */
async function go(link: HTMLAnchorElement): Promise<void> {
  const slot = find("[data-trace]");
  const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
  const fresh = answer?.ok ? find("[data-trace]", new DOMParser().parseFromString(await answer.text(), "text/html")) : null;
  if (!slot || !fresh) {
    location.assign(link.href);
    return;
  }
  const shown = document.importNode(fresh, true);
  slot.replaceWith(shown);
  draw(shown);
  history.replaceState(null, "", link.href);
  const again = all<HTMLAnchorElement>("a[data-step]", shown).find((step) => step.rel === link.rel && link.rel !== "");
  (again ?? find<HTMLElement>('[aria-current="step"]', shown))?.focus({ preventScroll: true });
}

/** Follows the links of steps, wherever the panel is put into the page. */
export function openTraces(): void {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("[data-trace] a[data-step]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void go(link);
  });
  document.addEventListener("keydown", (event) => {
    const inside = event.target instanceof Element && event.target.closest("[data-trace]");
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = inside && rel ? find<HTMLAnchorElement>(`[data-trace] a[rel="${rel}"]`) : null;
    if (!link) return;
    event.preventDefault();
    void go(link);
  });
}
