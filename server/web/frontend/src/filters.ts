// The bank's filters: the server filters, the page stays.
import { all, find } from "./page";

const TYPING_MS = 150;

export function openFilters(form: HTMLFormElement): void {
  const button = find<HTMLButtonElement>("button[type=submit]", form);
  if (button) button.hidden = true;
  let timer = 0;
  let running: AbortController | null = null;
  const run = async (): Promise<void> => {
    running?.abort();
    running = new AbortController();
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value));
    const url = `${location.pathname}${query.size ? `?${query}` : ""}`;
    try {
      const page = new DOMParser().parseFromString(await (await fetch(url, { signal: running.signal })).text(), "text/html");
      for (const part of ["[data-results]", "[data-count]"]) find(part)?.replaceChildren(...(find(part, page)?.childNodes ?? []));
      history.replaceState(null, "", url);
    } catch (error) {
      if (!(error instanceof DOMException)) form.submit();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void run(), TYPING_MS);
  });
}

/** On the map, the problems that another one asks for first are marked while it is pointed at. */
export function openMap(map: HTMLElement): void {
  const mark = (event: Event, on: boolean): void => {
    const link = (event.target as Element).closest<HTMLElement>("[data-requires]");
    for (const slug of link?.dataset.requires?.split(" ").filter(Boolean) ?? []) {
      for (const needed of all(`[data-slug="${slug}"]`, map)) needed.parentElement?.classList.toggle("needed", on);
    }
  };
  for (const name of ["pointerover", "focusin"]) map.addEventListener(name, (event) => mark(event, true));
  for (const name of ["pointerout", "focusout"]) map.addEventListener(name, (event) => mark(event, false));
}
