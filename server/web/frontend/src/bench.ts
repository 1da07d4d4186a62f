// The right half of a problem's page: editor, its buttons, and the verdict under it.
import { decode } from "./decode";
import { forgetVerdict, keepDraft, keepVerdict, readDraft, readVerdict } from "./drafts";
import { all, find, make } from "./page";
import { draw } from "./pictures";
import { freshKey, type Live, Refused, send, watch } from "./send";
import { type Editor, openEditor } from "./text-field";
import { sayTimes } from "./times";
import { say, type Words } from "./words";

const SAVE_AFTER_MS = 300;
const SAID_FOR_MS = 4000;
const APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

interface Bench {
  form: HTMLFormElement;
  field: HTMLTextAreaElement;
  slot: HTMLElement;
  problem: string;
  framework: string;
  editor: Editor;
  sending: { text: string; key: string } | null;
  watching: AbortController | null;
  unsaved: number;
}

/** Bring the page's form to life. */
export function openBench(form: HTMLFormElement): void {
  const field = find<HTMLTextAreaElement>("[data-source]", form);
  const slot = find("[data-verdict]");
  if (!field || !slot) return;
  const bench = { form, field, slot, problem: form.dataset.problem ?? "", framework: form.dataset.framework ?? "", sending: null, watching: null, unsaved: 0 } as unknown as Bench;
  const sent = field.value;
  const earlier = slot.querySelector("[data-submission]") !== null;
  const draft = readDraft(bench.problem, bench.framework);
  const kept = !earlier && isLater(form, draft);
  if (draft !== null && !earlier && !kept) field.value = draft;
  bench.editor = openEditor(field, () => changed(bench), () => find<HTMLButtonElement>("[data-action=submit]", form)?.click());
  find("[data-view]", form)?.replaceWith(bench.editor.view);
  if (earlier && draft !== null && draft !== sent) offerDraft(bench, draft);
  for (const kbd of all("kbd", form)) kbd.textContent = APPLE ? "⌘ ↵" : "Ctrl ↵";
  buttons(bench);
  for (const link of all<HTMLAnchorElement>("[data-framework]", find(".seg", form) ?? form)) link.addEventListener("click", (event) => void switchTo(bench, link, event));
  addEventListener("pagehide", () => saveNow(bench));
  if (!kept) resume(bench, earlier);
}

/** Whether a draft is what was sent after the accepted text that the page shows: that one stays, and the page links to both. */
const isLater = (inside: ParentNode, draft: string | null): boolean =>
  draft !== null && find<HTMLTemplateElement>("template[data-later]", inside)?.content.textContent === draft;

// ------------------------------------------------------------------------------------------------------------------- text

function changed(bench: Bench): void {
  clearTimeout(bench.unsaved);
  bench.unsaved = window.setTimeout(() => saveNow(bench), SAVE_AFTER_MS);
  note(bench, "");
}

function saveNow(bench: Bench): void {
  if (!bench.unsaved) return;
  clearTimeout(bench.unsaved);
  bench.unsaved = 0;
  if (keepDraft(bench.problem, bench.framework, bench.editor.text())) note(bench, say("saved"));
}

function note(bench: Bench, text: string): void {
  const saved = find("[data-saved]", bench.form);
  if (saved && saved.textContent !== text) saved.textContent = text;
}

function tell(bench: Bench, words: Words): void {
  note(bench, say(words));
  setTimeout(() => note(bench, ""), SAID_FOR_MS);
}

/** Show another text as if it had been typed: kept, and undone by undo. */
function put(bench: Bench, text: string): void {
  bench.editor.show(text);
  keepDraft(bench.problem, bench.framework, text);
}

function offerDraft(bench: Bench, draft: string): void {
  const line = make("p", "editor-note", say("This is the source of an earlier submission; your newer text is kept."));
  const button = make("button", "link", say("Show my text"));
  button.type = "button";
  button.addEventListener("click", () => {
    put(bench, draft);
    line.remove();
    bench.editor.focus();
  });
  line.append(button);
  (find(".editor-host", bench.form) ?? bench.field).before(line);
}

// ---------------------------------------------------------------------------------------------------------------- buttons

function buttons(bench: Bench): void {
  const { form } = bench;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const action = (event.submitter as HTMLButtonElement | null)?.value ?? "submit";
    void submit(bench, action);
  });
  const reset = find<HTMLButtonElement>("[data-action=reset]", form);
  if (reset) {
    reset.hidden = false;
    reset.addEventListener("click", () => {
      put(bench, starter(bench, bench.framework));
      tell(bench, "The starter is back. Undo brings your text again.");
      bench.editor.focus();
    });
  }
  const upload = find<HTMLInputElement>("[data-upload]", form);
  upload?.addEventListener("change", () => void readFile(bench, upload));
}

const starter = (bench: Bench, framework: string): string =>
  find<HTMLTemplateElement>(`template[data-starter="${framework}"]`, bench.form)?.content.textContent ?? "";

async function readFile(bench: Bench, upload: HTMLInputElement): Promise<void> {
  const file = upload.files?.[0];
  upload.value = "";
  if (!file) return;
  complain(bench, "");
  if (file.size > Number(bench.form.dataset.limit)) return complain(bench, say("This file is larger than the service accepts."));
  try {
    put(bench, decode(await file.arrayBuffer()));
    tell(bench, "The file was read into the editor.");
  } catch (error) {
    complain(bench, error instanceof TypeError || error instanceof RangeError ? say("This file is not UTF-8 text.") : say("The file could not be read."));
  }
}

async function switchTo(bench: Bench, link: HTMLAnchorElement, event: MouseEvent): Promise<void> {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const framework = link.dataset.framework ?? "";
  if (framework === bench.framework) return;
  saveNow(bench);
  const text = (await lastText(link.href, readDraft(bench.problem, framework))) ?? starter(bench, framework);
  saveNow(bench); // what was typed while the page came
  for (const other of all("[data-framework]", link.parentElement ?? document)) {
    other.classList.toggle("on", other === link);
    if (other === link) other.setAttribute("aria-current", "true");
    else other.removeAttribute("aria-current");
  }
  bench.framework = framework;
  bench.form.dataset.framework = framework;
  const input = find<HTMLInputElement>("input[name=framework]", bench.form);
  if (input) input.value = framework;
  find(".editor-note", bench.form)?.remove();
  bench.editor.show(text);
  note(bench, "");
  history.replaceState(null, "", link.href);
}

/** What the page of another framework shows: the draft, else what was accepted, the latest submission or the starter. */
async function lastText(address: string, draft: string | null): Promise<string | null> {
  try {
    const answer = await fetch(address);
    if (!answer.ok) return draft;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return draft === null || isLater(page, draft) ? (find<HTMLTextAreaElement>("[data-source]", page)?.value ?? null) : draft;
  } catch {
    return draft;
  }
}

// ----------------------------------------------------------------------------------------------------------------- verdict

async function submit(bench: Bench, action: string): Promise<void> {
  saveNow(bench);
  complain(bench, "");
  const source = bench.editor.text();
  const text = JSON.stringify([action, bench.framework, source]);
  if (bench.sending?.text === text) return; // the same is already on its way
  bench.sending = { text, key: freshKey() };
  busy(bench, true);
  bench.watching?.abort();
  try {
    const sent = await sendOnce(bench, action, source);
    forgetVerdict(bench.problem);
    if (action === "submit") keepVerdict(bench.problem, sent.live);
    await follow(bench, sent.live, true);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    complain(bench, error.message);
  } finally {
    bench.sending = null;
    busy(bench, false);
  }
}

const sendOnce = (bench: Bench, action: string, source: string) =>
  send(bench.form, { action, source, framework: bench.framework, once: bench.sending?.key ?? freshKey() });

function busy(bench: Bench, now: boolean): void {
  for (const button of all<HTMLButtonElement>("button[data-action=submit], button[data-action=samples]", bench.form)) {
    button.setAttribute("aria-disabled", String(now));
  }
}

function complain(bench: Bench, text: string): void {
  find("#form-error", bench.form)?.remove();
  find(".send-error", bench.slot)?.remove();
  if (!text) return;
  const line = make("p", "form-error send-error", text);
  line.setAttribute("role", "alert");
  bench.slot.prepend(line);
}

async function follow(bench: Bench, live: string, aloud: boolean): Promise<void> {
  bench.watching?.abort();
  const ended = new AbortController();
  bench.watching = ended;
  const known = new Set<string>();
  await watch(live, (now) => show(bench, now, known, aloud), (lost) => complain(bench, lost ? say("Connection lost; asking again…") : ""), ended.signal);
}

/** Replace the panel; cases that are new in it arrive one after the other. */
function show(bench: Bench, now: Live, known: Set<string>, aloud: boolean): void {
  const opened = new Set(all("details[open][data-sample]", bench.slot).map((part) => part.dataset.sample));
  bench.slot.innerHTML = now.html;
  let fresh = 0;
  for (const item of all("[data-case]", bench.slot)) {
    if (known.has(item.dataset.case ?? "")) continue;
    known.add(item.dataset.case ?? "");
    item.classList.add("fresh");
    item.style.setProperty("--i", String(fresh++));
  }
  if (now.state !== "done") for (const part of all<HTMLDetailsElement>("details[data-sample]", bench.slot)) part.open ||= opened.has(part.dataset.sample);
  lively(bench.slot);
  const assigned = find("[data-assigned]");
  if (assigned && now.assigned) assigned.innerHTML = now.assigned;
  if (aloud) announce(bench);
  if (now.state !== "done") return;
  const failed = now.verdict?.cases.find((one) => one.verdict !== "accepted");
  bench.editor.blame(now.framework === bench.framework ? (failed?.findings?.[0]?.line ?? null) : null);
  const title = find(".verdict-title", bench.slot);
  if (aloud && title && title.getBoundingClientRect().top > innerHeight - 120) title.scrollIntoView({ block: "start", behavior: "smooth" });
}

/** What a screen reader hears: title, diagnosis and message, not every number. */
function announce(bench: Bench): void {
  const region = find("[data-announce]");
  const heard = all(".verdict-title, .hint p:first-child, .verdict-message", bench.slot).map((part) => part.textContent?.replace(/\s+/g, " ").trim());
  if (region) region.textContent = heard.map((text) => (/[.?!。？！]$/.test(text ?? "") ? text : `${text}.`)).join(" ");
}

function lively(inside: ParentNode): void {
  draw(inside);
  sayTimes(inside);
}

/** After a reload: the verdict that this tab showed, or one that is still awaited. */
function resume(bench: Bench, earlier: boolean): void {
  const panel = find("[data-submission]", bench.slot);
  if (earlier && panel?.dataset.state !== "done") return void follow(bench, panel?.dataset.live ?? "", true);
  if (earlier) return;
  const live = readVerdict(bench.problem);
  if (live && document.body.dataset.signedIn === "yes") void follow(bench, live, false);
}
