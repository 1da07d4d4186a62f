// The instructors' pages: a file of a draft in the editor, its preview, and what verify and rejudge say while they work.
import { forgetDraft, keepDraft, readDraft } from "./drafts";
import { all, find, make } from "./page";
import { draw } from "./pictures";
import { type Editor, openEditor } from "./text-field";
import { sayTimes } from "./times";
import { say } from "./words";

const KEEP_AFTER_MS = 300;
const LOOK_EVERY_MS = 700;
const LOST_MS = 3000;
const LIVE_WAIT_S = 20;
const VERIFIED = "draft-verified";
const FROM_A_SAVE = [".draft-publish", "[data-verify-slot]", "main > h1", ".draft-form input[name=was]"];

interface Desk {
  form: HTMLFormElement;
  place: string;
  path: string;
  saved: string;
  editor: Editor;
  saving: boolean;
  unkept: number;
}

/** Bring the form of a draft's file to life. */
export function openDraft(form: HTMLFormElement): void {
  const field = find<HTMLTextAreaElement>("[data-source]", form);
  if (!field) return;
  const place = form.getAttribute("action") ?? "";
  const path = form.dataset.path ?? "";
  const desk = { form, place, path, saved: field.value, saving: false, unkept: 0 } as unknown as Desk;
  const kept = readDraft(place, path);
  const again = kept !== null && kept !== field.value && !find("#form-error");
  if (again) {
    field.value = kept;
    const was = find<HTMLInputElement>("input[name=was]", form);
    if (was) was.value = readDraft(place, madeFrom(path)) ?? was.value; // what was saved since is not replaced unseen
  }
  desk.editor = openEditor(field, () => changed(desk), () => void save(desk, "verify"), path.endsWith(".py"));
  find(".bar .spacer", form)?.after(desk.editor.view);
  if (again) offerSaved(desk);
  else forget(desk);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter as HTMLButtonElement | null;
    void save(desk, button?.name === "then" ? button.value : "save", button?.name === "over" ? button.value : "");
  });
  document.addEventListener(VERIFIED, () => void preview(desk));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    void save(desk, "save");
  });
  addEventListener("pagehide", () => desk.unkept && keep(desk));
}

// ------------------------------------------------------------------------------------------------------------------- text

function changed(desk: Desk): void {
  clearTimeout(desk.unkept);
  desk.unkept = window.setTimeout(() => keep(desk), KEEP_AFTER_MS);
  note(desk, desk.editor.text() === desk.saved ? "" : say("not saved yet"));
}

function keep(desk: Desk): void {
  clearTimeout(desk.unkept);
  desk.unkept = 0;
  if (desk.editor.text() === desk.saved) forget(desk);
  else {
    keepDraft(desk.place, desk.path, desk.editor.text());
    keepDraft(desk.place, madeFrom(desk.path), find<HTMLInputElement>("input[name=was]", desk.form)?.value ?? "");
  }
  void preview(desk);
}

const madeFrom = (path: string): string => `${path} was`;

function forget(desk: Desk): void {
  forgetDraft(desk.place, desk.path);
  forgetDraft(desk.place, madeFrom(desk.path));
}

function offerSaved(desk: Desk): void {
  const line = make("p", "editor-note", say("Your text that was not saved is here again."));
  const button = make("button", "link", say("Show what is saved"));
  button.type = "button";
  button.addEventListener("click", () => {
    desk.editor.show(desk.saved);
    keep(desk);
    note(desk, "");
    line.remove();
    desk.editor.focus();
  });
  line.append(button);
  (find(".editor-host", desk.form) ?? find("[data-source]", desk.form))?.before(line);
  note(desk, say("not saved yet"));
  void preview(desk);
}

function note(desk: Desk, text: string): void {
  const saved = find("[data-saved]", desk.form);
  if (saved && saved.textContent !== text) saved.textContent = text;
}

/** The statement as the learner will read it, a moment after each change. */
async function preview(desk: Desk): Promise<void> {
  const slot = find("[data-preview-slot]");
  const address = desk.form.dataset.preview;
  if (!slot || !address) return;
  const text = desk.editor.text();
  const body = new FormData();
  body.set("csrf_token", find<HTMLInputElement>("input[name=csrf_token]", desk.form)?.value ?? "");
  body.set("content", text);
  const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || desk.editor.text() !== text) return; // the next change asks again
  slot.innerHTML = ((await answer.json()) as { html: string }).html;
  draw(slot);
}

// ------------------------------------------------------------------------------------------------------------------- save

/** Send the file as the form would, and take from the page that answers what has changed. */
async function save(desk: Desk, then: string, over = ""): Promise<void> {
  if (desk.saving) return;
  desk.saving = true;
  const text = desk.editor.text();
  const body = new FormData(desk.form);
  body.set("content", text);
  body.set("then", then);
  if (over) body.set("over", over);
  complain(desk, "");
  note(desk, say("saving"));
  try {
    const answer = await fetch(desk.place, { method: "POST", body, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok || !find(".draft-form", page)) return refuse(desk, page, answer);
    desk.saved = text;
    find(".draft-conflict")?.remove();
    adopt(page, FROM_A_SAVE);
    keep(desk);
    note(desk, desk.editor.text() === text ? say("saved") : say("not saved yet"));
    if (then === "verify") find("#verify")?.scrollIntoView({ behavior: "smooth" });
    watchAll();
  } catch {
    refuse(desk, null, null);
  } finally {
    desk.saving = false;
  }
}

function refuse(desk: Desk, page: Document | null, answer: Response | null): void {
  note(desk, say("not saved yet"));
  keep(desk);
  if (!page || !answer) return complain(desk, say("Nothing was saved: there is no connection. Your text is kept in this browser."));
  if (answer.ok) return complain(desk, say("You are signed out. Sign in and send it again; your text is kept."));
  const conflict = find(".draft-conflict", page);
  if (conflict) {
    find(".draft-conflict")?.remove();
    desk.form.after(conflict);
  }
  complain(desk, (find("#form-error", page) ?? find("main p:not(.crumb)", page))?.textContent ?? answer.statusText);
}

function complain(desk: Desk, text: string): void {
  find("#form-error")?.remove();
  if (!text) return;
  const line = make("p", "form-error", text);
  line.id = "form-error";
  line.setAttribute("role", "alert");
  desk.form.prepend(line);
}

function adopt(page: ParentNode, selectors: string[]): void {
  for (const selector of selectors) {
    const [old, fresh] = [find(selector), find(selector, page)];
    if (old && fresh) old.replaceWith(fresh);
  }
  sayTimes();
  find(".draft-form [value=verify]")?.classList.toggle("go", !find(".draft-publish .go"));
}

// ------------------------------------------------------------------------------------------------------------------ watch

/** Follow what is being verified or judged again, until it is done. */
export function watchAll(): void {
  for (const slot of all("[data-verify-slot], [data-live-slot]")) void watch(slot);
}

async function watch(slot: HTMLElement): Promise<void> {
  const live = find("[data-live]", slot);
  if (!live || live.dataset.state === "done" || slot.dataset.watched) return;
  slot.dataset.watched = "yes";
  const every = Number(live.dataset.every ?? 0) * 1000 || LOOK_EVERY_MS;
  const address = `${live.dataset.live}${live.dataset.live?.includes("?") ? "&" : "?"}wait=${LIVE_WAIT_S}&any=yes`;
  let shown = "";
  for (let state = live.dataset.state; state !== "done" && slot.isConnected; ) {
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (answer && [401, 403, 404].includes(answer.status)) return;
    if (!answer?.ok) {
      await pause(LOST_MS);
      continue;
    }
    const now = (await answer.json()) as { state: string; html: string };
    if (!slot.isConnected) return;
    state = now.state;
    if (now.html !== shown && (state === "done" || !slot.contains(document.activeElement))) {
      slot.innerHTML = shown = now.html;
      sayTimes(slot);
    }
    if (state !== "done") await pause(every);
    while (document.hidden && every > LOOK_EVERY_MS) await pause(every);
  }
  delete slot.dataset.watched;
  await settle(slot);
}

/** What has ended may be published, or not; a screen reader hears the one sentence that matters. */
async function settle(slot: HTMLElement): Promise<void> {
  if (find(".draft-publish")) {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (answer?.ok) adoptVerified(new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
  const region = find("[data-announce]");
  const heard = find(".verify-title, .rejudge > p, [data-heard]", find("[data-verify-slot]") ?? slot);
  if (region) region.textContent = heard?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

/** What a verification brings: whether it may be published, and the numbers of the samples. */
function adoptVerified(page: Document): void {
  adopt(page, [".draft-publish", "[data-verify-slot]"]);
  const [old, fresh] = [find(".draft-preview"), find(".draft-preview", page)];
  if (!fresh) return;
  if (old) old.replaceWith(fresh);
  else find(".draft")?.append(fresh);
  draw(fresh);
  document.dispatchEvent(new Event(VERIFIED)); // the text in the editor may be another than the saved one
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
