// Everything here makes a page that already works pleasanter; without it every form still does its work.
import { openBench } from "./bench";
import { startClocks } from "./clock";
import { openFilters, openMap } from "./filters";
import { all, find, make } from "./page";
import { draw } from "./pictures";
import { openArrange, openInputs } from "./practice";
import { openDraft, watchAll } from "./teach";
import { openThemes } from "./themes";
import { sayTimes } from "./times";
import { openTraces } from "./trace";
import { say } from "./words";

const TIMES_MS = 30_000;
const WAITING_MS = 3_000; // for the numbers of a lesson
const AGAIN_MS = 3_000; // until the same form may be sent again, when no other page has come

document.documentElement.classList.add("js");

/** A banner while the browser has no connection. */
function watchConnection(): void {
  const banner = make("div", "banner offline");
  banner.setAttribute("role", "status");
  document.body.append(banner);
  const tell = (): void => {
    banner.hidden = navigator.onLine;
    banner.replaceChildren(...(navigator.onLine ? [] : [make("p", "", say("No connection. What you write is kept in this browser; submitting has to wait."))]));
  };
  for (const name of ["online", "offline"]) addEventListener(name, tell);
  tell();
}

/** What is shown once gets a button that copies it. */
function copyButton(secret: HTMLElement): void {
  const button = make("button", "", say("Copy"));
  button.type = "button";
  button.addEventListener("click", () => {
    void navigator.clipboard?.writeText(secret.textContent ?? "").then(() => (button.textContent = say("copied")));
  });
  if (navigator.clipboard) secret.after(button);
}

/** What scrolls sideways can be reached by keyboard. */
function reachable(): void {
  const boxes = all(".math.block, pre.code");
  const look = (): void => {
    for (const box of boxes) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  const afterPaint = (): void => void requestAnimationFrame(() => setTimeout(look)); // before it, looking would lay the page out an extra time
  addEventListener("resize", afterPaint);
  document.fonts.addEventListener("loadingdone", afterPaint); // its promise `ready` would lay the page out at once
  afterPaint();
}

/** A double click sends a form once: the second would make a second comment, or find its work done. */
function sendOnce(): void {
  const sent = new WeakMap<EventTarget, number>();
  addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    if (event.timeStamp - (sent.get(form) ?? -AGAIN_MS) < AGAIN_MS) event.preventDefault();
    else sent.set(form, event.timeStamp);
  });
}

openThemes();
sendOnce();
watchConnection();
reachable();
sayTimes();
startClocks();
setInterval(() => sayTimes(), TIMES_MS);
draw(document);
all("[data-copy]").forEach(copyButton);
all<HTMLFormElement>("form[data-filters]").forEach(openFilters);
all(".map").forEach(openMap);
const form = find<HTMLFormElement>("form[data-editor]");
if (form) openBench(form);
const draft = find<HTMLFormElement>("form[data-draft]");
if (draft) openDraft(draft);
all<HTMLFormElement>("form.practice-item").forEach(openArrange);
all<HTMLTextAreaElement>("textarea[data-inputs]").forEach(openInputs);
watchAll();
openTraces();
// only pages with such figures load what brings them to life
if (find("[data-live]")) void import("./figures/live").then(({ bringToLife }) => bringToLife(document));
if (find("[data-waiting]")) setTimeout(() => location.reload(), WAITING_MS);
