// The editor: CodeMirror over the form's text field. Its style element carries the nonce that the page's policy asks for.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, type Extension, Prec, StateEffect, StateField, type TransactionSpec } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { make } from "./page";
import { say } from "./words";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "var(--editor-size, 0.84375rem)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.7", minHeight: "15rem", maxHeight: "max(18rem, 52vh)", overflow: "auto", fontVariantLigatures: "none" },
  ".cm-content": { padding: "0.7rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 1rem 0 0.4rem" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "0", padding: "0 0.2rem 0 0.5rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunk) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--no-wash)", color: "var(--no)" },
  ".cm-blamed, &.cm-focused .cm-blamed": { backgroundColor: "var(--no-wash)", boxShadow: "inset 3px 0 var(--no)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--code-keyword)", fontWeight: "500" },
  { tag: [tags.number], color: "var(--code-number)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.comment], color: "var(--code-comment)" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className)], color: "var(--code-name)" },
]);

/** Typing over a selection: left to itself, Chromium rewrites the lines with inline styles, which the page's policy refuses. */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { ranges, main } = view.state.selection;
    const text = event.data;
    if (event.inputType !== "insertText" || !text || main.empty || ranges.length > 1 || view.composing) return false;
    event.preventDefault();
    const typed = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, text, typed));
    if (!handled) view.dispatch(typed());
    return true;
  },
});

const blame = StateEffect.define<number | null>();

/** The line that an error names, until the text changes. */
const blamed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, change) {
    if (change.docChanged) marks = Decoration.none;
    for (const effect of change.effects) {
      if (!effect.is(blame)) continue;
      const line = effect.value;
      if (line === null || line < 1 || line > change.state.doc.lines) marks = Decoration.none;
      else marks = Decoration.set([Decoration.line({ class: "cm-blamed" }).range(change.state.doc.line(line).from)]);
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const [completing, searching, wrapping] = [new Compartment(), new Compartment(), new Compartment()];

/**
 * Loads the completions with their data; where that fails there are none, and the next key tries again. What was typed meanwhile
 * gets its list, as if its last key came now.
 */
async function complete(view: EditorView, forbidden: string[], explicit: boolean): Promise<void> {
  const { completion, startCompletion } = await import("./completion/completion");
  const late = !isThere(completing, view);
  if (late) view.dispatch({ effects: completing.reconfigure(completion(forbidden)) });
  if (explicit || (late && view.hasFocus && WANTS_A_LIST.test(before(view.state)))) startCompletion(view);
}

const WANTS_A_LIST = /[\w)\]]\.\w*$|[A-Za-z_]\w{2,}$/; // a member, or enough letters of a name

function before(state: EditorState): string {
  const { head } = state.selection.main;
  return state.sliceDoc(state.doc.lineAt(head).from, head);
}

/** Loads the panel that finds and replaces, and opens it. */
async function search(view: EditorView): Promise<void> {
  const { openSearchPanel, searchPanel } = await import("./search");
  if (!isThere(searching, view)) view.dispatch({ effects: searching.reconfigure(searchPanel()) });
  openSearchPanel(view);
}

const isThere = (part: Compartment, view: EditorView): boolean => (part.get(view.state) as Extension[]).length > 0;

const quietly = (loading: Promise<void>): true => (loading.catch(() => undefined), true);

/** Completion of Python, from the first key that is typed. */
const completes = (forbidden: string[]): Extension => [
  completing.of([]),
  keymap.of([{ key: "Ctrl-Space", run: (view) => quietly(complete(view, forbidden, true)) }]),
  EditorView.updateListener.of(({ transactions, view }) => {
    if (!isThere(completing, view) && transactions.some((change) => change.isUserEvent("input.type"))) quietly(complete(view, forbidden, false));
  }),
];

/** What the field may do with the editor that stands for it. */
export interface CodeEditor {
  show(text: string): void;
  blame(line: number | null): void;
  focus(): void;
  measure(): void;
  wrap(on: boolean): void;
  find(): void;
}

/** What the editor is told of its page. */
export interface Uses {
  onChange(text: string): void;
  onSubmit(): void;
  atRest(): Promise<void>; // when nobody is in the middle of something with the field
  python: boolean;
}

/**
 * Put an editor in place of the field, which keeps carrying the text for the form. It takes over the place of the cursor, and undo
 * goes back through all `texts`.
 */
export async function edit(field: HTMLTextAreaElement, texts: string[], { onChange, onSubmit, atRest, python }: Uses): Promise<CodeEditor> {
  const host = make("div", "editor-host");
  const label = field.labels?.[0]?.textContent ?? "";
  let quiet = false;
  const keys = Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (onSubmit(), true), preventDefault: true }]));
  const told = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    field.value = update.state.doc.toString();
    if (!quiet) onChange(field.value);
  });
  const extensions: Extension[] = [
    keys,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    indentUnit.of("    "),
    EditorState.tabSize.of(4),
    bracketMatching(),
    python ? [closeBrackets(), pythonLanguage, syntaxHighlighting(colours), completes(field.dataset.forbidden?.split(" ") ?? [])] : [],
    wrapping.of(field.wrap === "soft" ? EditorView.lineWrapping : []),
    searching.of([]),
    blamed,
    typedOver,
    keymap.of([{ key: "Mod-f", run: (view) => quietly(search(view)) }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    theme,
    EditorView.cspNonce.of(field.form?.dataset.styleNonce ?? ""),
    told,
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-description": say("Escape, then Tab, leaves the editor."), spellcheck: "false", autocapitalize: "off" }),
  ];
  const first = EditorState.create({ doc: texts[0], extensions });
  await atRest();
  if (texts.at(-1) !== field.value) texts.push(field.value);
  const view = new EditorView({ state: withTexts(first, texts.slice(1), field), parent: host });
  takePlace(view, host, field);
  return {
    show(text) {
      quiet = true;
      view.dispatch(shown(view.state, text), { selection: { anchor: 0 }, scrollIntoView: true });
      quiet = false;
    },
    blame: (line) => view.dispatch({ effects: blame.of(line) }),
    focus: () => view.focus(),
    measure: () => view.requestMeasure(),
    wrap: (on) => view.dispatch({ effects: wrapping.reconfigure(on ? EditorView.lineWrapping : []) }),
    find: () => quietly(search(view)),
  };
}

/** Another text as one step, which undo takes back. */
const shown = (state: EditorState, text: string): TransactionSpec => ({
  changes: { from: 0, to: state.doc.length, insert: text },
  annotations: isolateHistory.of("full"),
});

function withTexts(state: EditorState, texts: string[], field: HTMLTextAreaElement): EditorState {
  for (const text of texts) state = state.update(shown(state, text)).state;
  const [from, to] = [field.selectionStart, field.selectionEnd];
  const [anchor, head] = field.selectionDirection === "backward" ? [to, from] : [from, to];
  return state.update({ selection: { anchor, head } }).state;
}

/** What was focused and scrolled stays so. */
function takePlace(view: EditorView, host: HTMLElement, field: HTMLTextAreaElement): void {
  const [focused, top] = [document.activeElement === field, field.scrollTop];
  field.before(host);
  field.hidden = true;
  view.scrollDOM.scrollTop = top;
  if (focused) view.focus();
}
