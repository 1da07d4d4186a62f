// A file's bytes as text, as Python reads them: in the encoding that one of the first two lines declares (PEP 263), else UTF-8.
const DECLARATION = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const NO_CODE = /^[ \t\f]*(#.*)?$/;
const MARK = "\u00ef\u00bb\u00bf"; // UTF-8's byte order mark, byte by byte

/** Raises `TypeError` for what is no text in its encoding, and `RangeError` for one that this browser does not know. */
export function decode(data: ArrayBuffer): string {
  const decoder = new TextDecoder(label(data), { fatal: true });
  if (decoder.encoding.startsWith("utf-16")) throw new RangeError("no line of this file could say so");
  return decoder.decode(data);
}

/** The encoding by a name that browsers know: Python writes `latin-1` where they have `l1`. */
function label(data: ArrayBuffer): string {
  const bytes = new TextDecoder("l1").decode(data);
  const name = declared(bytes.replace(MARK, "")).toLowerCase().replaceAll("_", "-");
  if (/^(utf-?8|u8|(us-)?ascii)\b/.test(name)) return "utf-8"; // a browser's `ascii` takes any byte
  if (bytes.startsWith(MARK)) throw new RangeError("a byte order mark of UTF-8 in a file that declares another encoding");
  return name.replace(/^(iso-)?latin-?(?=\d)/, "l");
}

function declared(text: string): string {
  const [first = "", second = ""] = text.split(/\r\n|\r|\n/, 2);
  return DECLARATION.exec(first)?.[1] ?? (NO_CODE.test(first) ? DECLARATION.exec(second)?.[1] : undefined) ?? "utf-8";
}
