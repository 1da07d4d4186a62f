// Completion: what the libraries have, by the imports of the text. names.json is made by scripts/completions.py.
import { type Completion, type CompletionContext, type CompletionResult, type CompletionSource, ifNotIn } from "@codemirror/autocomplete";
import { globalCompletion, localCompletionSource } from "@codemirror/lang-python";
import libraries from "./names.json";

const names: Record<string, string[]> = libraries.names;
const NO_CODE = ["String", "FormatString", "Comment"];
const LEAST = 3; // letters of a bare name before anything is offered unasked
const WORD = /^[\w\xa1-\uffff]*$/;
const FITS = 44; // letters of a line that are not cut off in the list
const ARRAYS: Record<string, string> = { numpy: "numpy.ndarray", torch: "torch.Tensor" };

const IMPORT = /^[ \t]*import[ \t]+([^#\n]+)/gm;
const FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]+)/gm;
const MEMBER = /(?:([A-Za-z_][\w.]*)|[)\]])\.(\w*)$/;
const OF_MODULE = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+[\w, ()]*?(\w*)$/;

/** What each name that a text imports stands for, such as `F` for `torch.nn.functional`. */
export function imported(text: string): Map<string, string> {
  const targets = new Map<string, string>();
  const each = (list: string): string[][] => list.replace(/[()]/g, "").split(",").map((part) => part.trim().split(/\s+as\s+/));
  for (const [, list = ""] of text.matchAll(IMPORT)) {
    for (const [path = "", name = ""] of each(list)) {
      if (name) targets.set(name, path);
      else if (path) targets.set(path.split(".")[0] ?? path, path.split(".")[0] ?? path);
    }
  }
  for (const [, module = "", list = ""] of text.matchAll(FROM)) {
    for (const [path = "", name = ""] of each(list)) if (path) targets.set(name || path, `${module}.${path}`);
  }
  return targets;
}

/** The lists in which the members of an expression are looked for: those of a module or a class, else those of the arrays of what is imported. */
function owners(expression: string, text: string): string[] {
  const known = imported(text);
  const [first = "", ...rest] = expression.split(".");
  const path = [known.get(first) ?? "", ...rest].join(".");
  if (path in names) return [path];
  if (first === "self" || (known.has(first) && !rest.length)) return [];
  const libraries = new Set([...known.values()].map((target) => target.split(".")[0] ?? ""));
  return Object.keys(ARRAYS).flatMap((library) => (libraries.has(library) ? [ARRAYS[library] ?? ""] : []));
}

/** Whether a rule of the problem forbids a name: it or what it is in by its whole name, or by its last part wherever it is. */
const isForbidden = (name: string, forbidden: Set<string>): boolean => {
  const parts = name.split(".");
  return forbidden.has(parts.at(-1) ?? "") || parts.some((_, end) => end > 0 && forbidden.has(parts.slice(0, end + 1).join(".")));
};

/** A line of names.json as an entry of the list. */
function entry(owner: string, line: string): Completion {
  const bracket = line.indexOf("(");
  const label = bracket < 0 ? line : line.slice(0, bracket);
  const call = bracket < 0 ? "" : line.slice(bracket);
  const type = call ? (/^[A-Z]/.test(label) ? "class" : "function") : `${owner}.${label}` in names ? "namespace" : "constant";
  return { label, type, detail: call, info: line.length > FITS ? `${owner}.${line}` : undefined, boost: label.endsWith("_") ? -1 : 0 };
}

/** Members of modules, classes and arrays, and what a module has to import; `forbidden` are not offered. */
const members = (forbidden: Set<string>) => (context: CompletionContext): CompletionResult | null => {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const imports = OF_MODULE.exec(before);
  const match = imports ?? MEMBER.exec(before);
  if (!match) return null;
  const [, expression = "", typed = ""] = match;
  const lists = imports ? [expression].filter((path) => path in names) : owners(expression, context.state.doc.toString());
  const entries = lists.flatMap((owner) => (names[owner] ?? []).map((said) => ({ owner, ...entry(owner, said) })));
  const options = entries.filter(({ owner, label }) => !isForbidden(`${owner}.${label}`, forbidden));
  return options.length ? { from: context.pos - typed.length, options } : null;
};

/** What fits what was typed: names that begin so; only where none does, those that have it inside, or that may be meant by it: the same first letter, and not many more than were typed. */
function fitting(options: readonly Completion[], typed: string): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const begin = options.filter(({ label }) => label.toLowerCase().startsWith(wanted));
  const meant = (label: string): boolean => label[0] === wanted[0] && label.length <= 2 * wanted.length;
  return begin.length ? begin : options.filter(({ label }) => label.toLowerCase().includes(wanted) || meant(label.toLowerCase()));
}

/** The entries of several sources as one list, of which each letter leaves what still fits. */
const together = (...parts: CompletionSource[]): CompletionSource => (context) => {
  const results = parts.map((part) => part(context) as CompletionResult | null).filter((result) => result !== null);
  const [first] = results;
  if (!first) return null;
  const options = results.flatMap((result) => result.options);
  const narrowed = (from: number, typed: string): CompletionResult => ({
    from,
    options: fitting(options, typed),
    update: (_, start, end, { state }) => (WORD.test(state.sliceDoc(start, end)) ? narrowed(start, state.sliceDoc(start, end)) : null),
  });
  return narrowed(first.from, context.state.sliceDoc(first.from, context.pos));
};

/** Python's own names and those of the text, when they are asked for or long enough to be meant. */
const bare = (source: CompletionSource): CompletionSource => (context) => {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (OF_MODULE.test(before)) return null;
  const [, word = ""] = /(?:^|[^\w.])([A-Za-z_]\w*)$/.exec(before) ?? [];
  return context.explicit || word.length >= LEAST ? source(context) : null;
};

/** Where entries come from; `forbidden` has names that the rules of the problem forbid. */
export const sources = (forbidden: string[]): CompletionSource[] => [
  ifNotIn(NO_CODE, together(members(new Set(forbidden)))),
  bare(together(localCompletionSource, globalCompletion)),
];
