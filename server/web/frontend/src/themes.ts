// The colours of the page: the links at its foot choose them without loading it again, so that nothing written is lost.
import { all } from "./page";

const YEAR_S = 365 * 86_400;

/** Shows the page in these colours, and remembers them as the server would. */
function choose(name: string): void {
  const root = document.documentElement;
  if (name === "system") delete root.dataset.theme;
  else root.dataset.theme = name;
  document.querySelector("meta[name=color-scheme]")?.setAttribute("content", name === "system" ? "light dark" : name);
  document.cookie = `theme=${name}; path=/; max-age=${YEAR_S}; samesite=lax`;
  for (const link of all("[data-theme-name]")) {
    if (link.dataset.themeName === name) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** The links work wherever they stand, in what is added later too. */
export function openThemes(): void {
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLElement>("[data-theme-name]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link.dataset.themeName ?? "system");
  });
}
