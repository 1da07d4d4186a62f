// A text field that takes keys at once, and becomes the editor when that is wanted: 130 KB of script
// are no reason to wait with the first line, nor to hold up the page.
import type { CodeEditor } from "./editor";
import { openView } from "./editor-view";
import { find, make } from "./page";

const NEAR = "50%"; // of the height of the window: the editor of a phone is loaded before it is reached
const IDLE_MS = 2000; // a page that is never idle gets its editor all the same

/** What the rest of the page may do with the text. */
export interface Editor {
  text(): string;
  show(text: string): void;
  blame(line: number | null): void;
  focus(): void;
  view: HTMLElement; // the menu of how it looks, for a place beside it
}

/** Opens a field for writing. What is not Python is prose: its lines wrap, unless the reader says otherwise. */
export function openEditor(field: HTMLTextAreaElement, onChange: (text: string) => void, onSubmit: () => void, python = true): Editor {
  const texts = [field.value]; // what was shown, one after the other: undo goes back through them
  let blamed: number | null = null;
  let code: CodeEditor | null = null;
  let loading: Promise<CodeEditor> | null = null;
  const atRest = restOf(field);

  const change = async (): Promise<CodeEditor> => {
    const { edit } = await loadEditor(field);
    await pause();
    code = await edit(field, texts, { onChange, onSubmit, atRest, python });
    code.blame(blamed);
    return code;
  };
  /** Without a connection the field stays what it is, and the next wish tries again. */
  const load = (): Promise<CodeEditor> => (loading ??= change().catch((error: unknown) => ((loading = null), Promise.reject(error))));
  const wish = (): void => void load().catch(() => undefined);

  field.addEventListener("input", () => {
    blamed = null;
    onChange(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSubmit();
  });
  field.addEventListener("focus", wish);
  if (document.activeElement === field) wish();
  else whenNear(field, wish);

  return {
    view: openView(
      {
        size: (rem) => ((field.form ?? field).style.setProperty("--editor-size", `${rem}rem`), code?.measure()),
        wrap: (on) => ((field.wrap = on ? "soft" : "off"), code?.wrap(on)),
        find: () => void load().then((editor) => editor.find(), () => undefined),
      },
      !python,
    ),
    text: () => field.value,
    show(text) {
      if (text === field.value) return;
      if (code) return code.show(text);
      if (texts.at(-1) !== field.value) texts.push(field.value);
      texts.push(text);
      field.value = text;
      field.setSelectionRange(0, 0);
      wish();
    },
    blame: (line) => (code ? code.blame(line) : (blamed = line)),
    focus: () => (code ?? field).focus(),
  };
}

/** The parts of the editor's script are asked for together, and run one after the other: none keeps a phone from answering. */
async function loadEditor(field: HTMLTextAreaElement): Promise<typeof import("./editor")> {
  for (const address of field.dataset.modules?.split(" ").filter(Boolean) ?? []) {
    if (find(`link[href="${address}"]`)) continue;
    const link = make("link");
    link.rel = "modulepreload";
    link.href = address;
    document.head.append(link);
  }
  await import("./codemirror/drawing");
  await pause();
  await import("./codemirror/python");
  await pause();
  return import("./editor");
}

/** When the field is nearly in sight, and the page has loaded and has nothing else to do. */
function whenNear(field: HTMLTextAreaElement, act: () => void): void {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (document.readyState === "complete") whenIdle(act);
      else addEventListener("load", () => whenIdle(act), { once: true });
    },
    { rootMargin: `${NEAR} 0px` },
  );
  seen.observe(field);
}

const whenIdle = (act: () => void): void => void (window.requestIdleCallback?.(act, { timeout: IDLE_MS }) ?? setTimeout(act));

/** What waits until no character is being composed and no selection drawn: neither would outlive the change. */
function restOf(field: HTMLTextAreaElement): () => Promise<void> {
  let ending = ""; // the event that ends what goes on
  for (const [begin, end] of [["compositionstart", "compositionend"], ["mousedown", "mouseup"]] as const) {
    field.addEventListener(begin, () => (ending = end));
    addEventListener(end, () => (ending = ""));
  }
  return async () => {
    while (ending) await new Promise((done) => addEventListener(ending, done, { once: true }));
    await pause();
  };
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));
