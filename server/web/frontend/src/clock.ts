// The time that is left of an assignment with a time limit. The server says how much; the browser only counts down from
// there, so a reload says the same, and a clock that is set wrong does not matter.
import { all, find } from "./page";
import { say } from "./words";

const TICK_MS = 1000;
const ends = new WeakMap<HTMLElement, number>();
const before = new WeakMap<HTMLElement, number>(); // what each showed last

function shown(seconds: number): string {
  const parts = [Math.trunc(seconds / 3600), Math.trunc(seconds / 60) % 60, seconds % 60];
  return (parts[0] ? parts : parts.slice(1)).map((part, i) => (i ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** What a screen reader hears when the clock passes a moment; a tab at rest may skip seconds. */
function aloud(last: number, seconds: number): string {
  const passes = (moment: number): boolean => last > moment && seconds <= moment;
  if (passes(0)) return say("Your time is over");
  if (passes(60)) return say("1 minute left");
  return passes(300) ? say("5 minutes left") : "";
}

function tick(): void {
  for (const clock of all("[data-left]")) {
    const end = ends.get(clock) ?? Date.now() + Number(clock.dataset.left) * 1000;
    ends.set(clock, end);
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    clock.textContent = seconds ? say("%s left").replace("%s", shown(seconds)) : say("Your time is over");
    clock.classList.toggle("soon", seconds <= 300);
    const heard = aloud(before.get(clock) ?? seconds, seconds);
    before.set(clock, seconds);
    const region = find("[data-announce]");
    if (heard && region) region.textContent = heard;
  }
}

/** Counts down wherever the page shows a time that is left, also where it comes later. */
export function startClocks(): void {
  tick();
  setInterval(tick, TICK_MS);
}
