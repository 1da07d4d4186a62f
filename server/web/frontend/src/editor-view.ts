// How the editor looks: the size of its text, whether long lines wrap, and the colours of the page. The choice is kept in the browser.
import { keepChoice, readChoice } from "./drafts";
import { find, make } from "./page";
import { say } from "./words";

const SIZES_REM = [0.71875, 0.84375, 0.9375, 1.0625, 1.25, 1.5];
const USUAL = 1; // of SIZES_REM
const NARROW = matchMedia("(max-width: 40rem)");

/** What can be changed of an editor. */
export interface View {
  size(rem: number): void;
  wrap(on: boolean): void;
  find(): void;
}

interface Choice {
  size: number;
  wrap: boolean | null; // null: on narrow screens only
}

function kept(kind: string): Choice {
  const [size = "", wrap = ""] = (readChoice(kind) ?? "").split(" ");
  return { size: size in SIZES_REM ? Number(size) : USUAL, wrap: wrap === "wrap" ? true : wrap === "nowrap" ? false : null };
}

const written = ({ size, wrap }: Choice): string => `${size} ${wrap === null ? "" : wrap ? "wrap" : "nowrap"}`.trim();

/** Makes the menu and shows the editor as it was chosen before. `prose`: its lines wrap on every screen. */
export function openView(view: View, prose: boolean): HTMLElement {
  const kind = prose ? "prose" : "code";
  const choice = kept(kind);
  const menu = make("details", "editor-view");
  const panel = make("div", "editor-view-panel");
  const [smaller, larger] = [make("button", "", say("Smaller")), make("button", "", say("Larger"))];
  const wraps = make("input");
  wraps.type = "checkbox";

  const show = (): void => {
    view.size(SIZES_REM[choice.size] ?? 1);
    wraps.checked = choice.wrap ?? (prose || NARROW.matches);
    view.wrap(wraps.checked);
    smaller.disabled = choice.size === 0;
    larger.disabled = choice.size === SIZES_REM.length - 1;
  };
  const choose = (change: Partial<Choice>): void => {
    Object.assign(choice, change);
    keepChoice(kind, written(choice));
    show();
  };
  smaller.addEventListener("click", () => choose({ size: choice.size - 1 }));
  larger.addEventListener("click", () => choose({ size: choice.size + 1 }));
  wraps.addEventListener("change", () => choose({ wrap: wraps.checked }));
  NARROW.addEventListener("change", show);

  const search = make("button", "", say("Find and replace"));
  for (const button of [smaller, larger, search]) button.type = "button";
  search.addEventListener("click", () => ((menu.open = false), view.find()));
  const wrapLabel = make("label");
  wrapLabel.append(wraps, say("Wrap long lines"));
  panel.append(group(say("Text size"), smaller, larger), wrapLabel, search, ...themes());
  menu.append(make("summary", "", say("View")), panel);
  closes(menu);
  show();
  return menu;
}

function group(name: string, ...parts: Node[]): HTMLElement {
  const box = make("div", "editor-view-row");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", name);
  box.append(make("span", "", name), ...parts);
  return box;
}

/** The links at the foot of the page, once more. */
function themes(): HTMLElement[] {
  const links = find("[data-themes]");
  if (!links) return [];
  const box = make("div", "themes");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", links.getAttribute("aria-label") ?? "");
  box.append(...[...links.childNodes].map((node) => node.cloneNode(true)));
  return [box];
}

/** Escape and a click elsewhere close the menu. */
function closes(menu: HTMLDetailsElement): void {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    find("summary", menu)?.focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
}
