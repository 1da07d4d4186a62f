// Find and replace, loaded when they are asked for. The page's own search sees only the lines that are drawn.
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { say } from "./words";

const theme = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "0.35rem", padding: "0.5rem 2.4rem 0.5rem 0.7rem", fontSize: "var(--small)" },
  ".cm-panel.cm-search br": { flexBasis: "100%", height: "0" },
  ".cm-panel.cm-search .cm-textfield": { flex: "1 1 8rem", minWidth: "0", minHeight: "1.9rem", margin: "0", border: "1px solid var(--edge)", borderRadius: "5px", backgroundColor: "var(--card)", color: "var(--ink)", fontSize: "inherit", fontFamily: "var(--mono)" },
  ".cm-panel.cm-search .cm-button": { minHeight: "1.9rem", margin: "0", border: "1px solid var(--edge)", borderRadius: "5px", backgroundColor: "var(--card)", backgroundImage: "none", color: "var(--ink)", fontSize: "inherit" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "0.3rem", minHeight: "1.9rem", margin: "0", fontSize: "inherit" },
  ".cm-panel.cm-search input[type=checkbox]": { width: "1rem", height: "1rem", margin: "0" },
  ".cm-panel.cm-search [name=close]": { top: "0.4rem", right: "0.4rem", width: "1.9rem", height: "1.9rem", color: "inherit", fontSize: "1.1rem" },
  ".cm-searchMatch": { backgroundColor: "var(--selection)", outline: "1px solid var(--edge)" },
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--hint)", outline: "2px solid var(--hint-line)" },
});

const phrases = (): Record<string, string> => ({
  Find: say("Find"),
  Replace: say("Replace with"),
  next: say("Next match"),
  previous: say("Previous match"),
  all: say("All matches"),
  "match case": say("Match case"),
  regexp: say("Regular expression"),
  "by word": say("Whole words"),
  replace: say("Replace"),
  "replace all": say("Replace all"),
  close: say("Close"),
  "current match": say("Match"),
  "on line": say("on line"),
  "replaced match on line $": say("Replaced on line $"),
  "replaced $ matches": say("Replaced $ times"),
  "Go to line": say("Go to line"),
  go: say("Go"),
});

export { openSearchPanel };

export const searchPanel = (): Extension => [search({ top: true }), keymap.of(searchKeymap), EditorState.phrases.of(phrases()), theme];
