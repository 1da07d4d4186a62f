// Moments as a reader says them: "5 minutes ago", with the exact one in the title.
import { all } from "./page";

const language = document.documentElement.lang || "en";
const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
const exact = once(() => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }));
const day = once(() => new Intl.DateTimeFormat(language, { dateStyle: "medium" }));
const SKEW_MS = 60_000; // two clocks differ; anything later is really to come
const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [30, "day"],
];

/** Most pages show no moment, and each of these takes milliseconds to make. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function said(at: Date): string {
  if (at.getTime() > Date.now() + SKEW_MS) return day().format(at);
  let amount = (at.getTime() - Date.now()) / 1000;
  for (const [size, unit] of STEPS) {
    if (Math.abs(amount) < size) return relative().format(unit === "second" && Math.abs(amount) < 45 ? 0 : Math.trunc(amount), unit);
    amount /= size;
  }
  return day().format(at);
}

export function sayTimes(inside: ParentNode = document): void {
  for (const time of all<HTMLTimeElement>("time[datetime]", inside)) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.textContent = said(at);
    time.title = exact().format(at);
  }
}
