// Lines to put in order: buttons and dragging in the place of a number for each line. The numbers
// stay in the form, so what is sent is the same.
import { all, find, make } from "./page";
import { openEditor } from "./text-field";
import { say } from "./words";

type Move = "in" | "out" | "up" | "down";

interface Lists {
  pool: HTMLElement;
  placed: HTMLElement;
  dots: HTMLElement | null;
  said: HTMLElement | null;
}

/** Bring the form of an item with lines to arrange to life. */
export function openArrange(form: HTMLFormElement): void {
  const [pool, placed] = [find("[data-pool]", form), find("[data-placed]", form)];
  if (!pool || !placed) return;
  const lists = { pool, placed, dots: find("[data-dots]", form), said: find("[data-moved]", form) };
  const how = find("[data-how]", form);
  if (how) how.textContent = say("Move lines into the program with the buttons, or drag them. A line that belongs nowhere stays here.");
  const lines = all("[data-line]", pool);
  for (const line of lines) enliven(line, lists);
  const inOrder = lines.filter((line) => place(line).value).sort((a, b) => Number(place(a).value) - Number(place(b).value));
  placed.append(...inOrder);
  for (const list of [pool, placed]) takeDrops(list, lists);
  number(lists);
}

/** Put the editor in the place of the field for inputs. */
export function openInputs(field: HTMLTextAreaElement): void {
  openEditor(field, () => {}, () => field.form?.requestSubmit());
}

const place = (line: HTMLElement): HTMLSelectElement => find<HTMLSelectElement>("select", line) as HTMLSelectElement;

function enliven(line: HTMLElement, lists: Lists): void {
  const label = place(line).closest("label");
  if (label) label.hidden = true;
  const moves = make("span", "moves");
  const code = find("code", line)?.textContent?.trim() ?? "";
  const buttons: [Move, string, string][] = [
    ["in", "+", say("Add to the program")],
    ["up", "↑", say("Move up")],
    ["down", "↓", say("Move down")],
    ["out", "✕", say("Take out of the program")],
  ];
  for (const [move, sign, name] of buttons) {
    const button = make("button", "", sign);
    button.type = "button";
    button.dataset.move = move;
    button.title = name;
    button.setAttribute("aria-label", `${name}: ${code}`);
    button.addEventListener("click", () => carryOut(line, move, lists));
    moves.append(button);
  }
  line.prepend(moves);
  line.draggable = true;
  line.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData("text/plain", code);
    line.classList.add("dragged");
  });
  line.addEventListener("dragend", () => {
    line.classList.remove("dragged");
    number(lists);
  });
}

function carryOut(line: HTMLElement, move: Move, lists: Lists): void {
  if (move === "in") lists.placed.append(line);
  else if (move === "out") lists.pool.append(line);
  else if (move === "up") line.previousElementSibling?.before(line);
  else line.nextElementSibling?.after(line);
  number(lists);
  focusAfter(line, move);
  if (lists.said) lists.said.textContent = place(line).value ? say("Place {number}").replace("{number}", place(line).value) : say("Taken out");
}

/** The button that was pressed keeps the focus; where it is gone, the nearest one has it. */
function focusAfter(line: HTMLElement, move: Move): void {
  const wanted = move === "in" ? "out" : move === "out" ? "in" : move;
  find<HTMLButtonElement>(`[data-move="${wanted}"]`, line)?.focus();
}

/** What is sent: the place of each line of the program. */
function number(lists: Lists): void {
  const placed = all("[data-line]", lists.placed);
  placed.forEach((line, at) => (place(line).value = String(at + 1)));
  for (const line of all("[data-line]", lists.pool)) place(line).value = "";
  if (lists.dots) lists.dots.hidden = placed.length > 0;
}

function takeDrops(list: HTMLElement, lists: Lists): void {
  // the space around the lines of the program belongs to it, so that the first one can be dropped
  const ground = list === lists.placed ? (list.parentElement ?? list) : list;
  ground.addEventListener("drop", (event) => event.preventDefault());
  ground.addEventListener("dragover", (event) => {
    const line = find(".dragged");
    if (!line?.matches("[data-line]")) return;
    event.preventDefault();
    const after = all("[data-line]:not(.dragged)", list).find((other) => event.clientY < middle(other));
    if (after) after.before(line);
    else list.append(line);
    number(lists);
  });
}

function middle(line: HTMLElement): number {
  const box = line.getBoundingClientRect();
  return box.top + box.height / 2;
}
