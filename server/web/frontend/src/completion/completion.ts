// The list of completions, which the editor loads at the first key.
import { autocompletion, startCompletion } from "@codemirror/autocomplete";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap, tooltips } from "@codemirror/view";
import { say } from "../words";
import { sources } from "./source";

const theme = EditorView.theme({
  ".cm-tooltip": { border: "1px solid var(--edge)", borderRadius: "6px", backgroundColor: "var(--card)", color: "var(--ink)", zIndex: "30" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.8125rem", maxWidth: "min(34rem, 92vw)", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.5rem", minHeight: "1.5rem", overflow: "hidden", textOverflow: "ellipsis" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal", marginLeft: "0" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { maxWidth: "min(24rem, 90vw)", padding: "0.35rem 0.6rem", fontFamily: "var(--mono)", fontSize: "0.8125rem", overflowWrap: "anywhere" },
});

export { startCompletion };

const LEAVING_MS = 2000;

/** Escape closes the list, and Tab leaves the editor after it as it does without a list. */
const leaving = Prec.highest(keymap.of([{ key: "Escape", run: (view) => (view.setTabFocusMode(LEAVING_MS), false) }]));

/** Completion without the `forbidden` names. Tooltips stand in the page's body: the box of the editor would cut them off. */
export const completion = (forbidden: string[]): Extension => [
  leaving, // before the keys of the list
  autocompletion({ override: sources(forbidden), icons: false, closeOnBlur: true, aboveCursor: false }),
  tooltips({ parent: document.body }),
  EditorState.phrases.of({ Completions: say("Completions") }),
  theme,
];
