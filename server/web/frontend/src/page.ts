// Finding and making elements.
export const find = <T extends Element = HTMLElement>(selector: string, inside: ParentNode = document): T | null => inside.querySelector<T>(selector);

export const all = <T extends Element = HTMLElement>(selector: string, inside: ParentNode = document): T[] => [
  ...inside.querySelectorAll<T>(selector),
];

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, classes = "", text = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (text) element.textContent = text;
  return element;
}
