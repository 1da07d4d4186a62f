// What the script itself says, in the language of the page. `make messages` makes catalogue.json
// from server/locale; English stands in the code.
import catalogue from "./catalogue.json";

/** A text that the catalogues have: a new one needs `make messages`. */
export type Words = keyof (typeof catalogue)["zh"];

const languages: Record<string, Record<Words, string>> = catalogue;
const words = languages[document.documentElement.lang.split("-")[0] ?? "en"];

export const say = (text: Words): string => words?.[text] ?? text;
