// Sending a submission, and watching it until its verdict is there.
import { find } from "./page";
import { say } from "./words";

export interface Sent {
  id: number;
  url: string;
  live: string;
}

export interface Live {
  id: number;
  state: "queued" | "running" | "done";
  framework: string;
  trial: boolean;
  cases: { name: string; verdict: string }[];
  verdict: { verdict: string; cases: { verdict: string; findings?: { line?: number }[] }[] } | null;
  html: string;
  assigned: string;
}

/** Why nothing was accepted, in words for the learner. */
export class Refused extends Error {}

const JSON_ONLY = { Accept: "application/json" };
const WAIT_S = { first: 0.3, queued: 3, running: 20 }; // a verdict is mostly there at once; whoever waits is shown the queue
const PATIENCE_MS = [500, 1000, 2000, 4000];

/** A key under which the same request is taken only once, however often it is sent. */
export const freshKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Send the form. A form that was open for too long gets a new token and is sent again. Raises `Refused`. */
export async function send(form: HTMLFormElement, fields: Record<string, string>): Promise<Sent> {
  const answer = await post(form, fields);
  if (answer.status === 202) return (await answer.json()) as Sent;
  if (answer.status === 409 && !fields.last) {
    if (!confirm(await detail(answer))) throw new Refused(say("Nothing was sent; the attempt is still yours."));
    return send(form, { ...fields, last: "yes" });
  }
  if (answer.status === 400 && (await renewToken(form))) {
    const second = await post(form, fields);
    if (second.status === 202) return (await second.json()) as Sent;
    throw new Refused(await reason(second));
  }
  throw new Refused(await reason(answer));
}

async function post(form: HTMLFormElement, fields: Record<string, string>): Promise<Response> {
  const body = new FormData();
  body.set("csrf_token", find<HTMLInputElement>("input[name=csrf_token]", form)?.value ?? "");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  try {
    return await fetch(form.getAttribute("action") ?? "", { method: "POST", body, headers: JSON_ONLY, redirect: "manual" });
  } catch {
    throw new Refused(say("Nothing was sent: there is no connection. Your text is kept in this browser."));
  }
}

async function renewToken(form: HTMLFormElement): Promise<boolean> {
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const token = find<HTMLInputElement>("form[data-editor] input[name=csrf_token]", page)?.value;
    const mine = find<HTMLInputElement>("input[name=csrf_token]", form);
    if (!token || !mine || token === mine.value) return false;
    mine.value = token;
    return true;
  } catch {
    return false;
  }
}

const detail = async (answer: Response): Promise<string> => ((await answer.json()) as { detail: string }).detail;

async function reason(answer: Response): Promise<string> {
  if (answer.status === 401 || answer.type === "opaqueredirect") return say("You are signed out. Sign in and send it again; your text is kept.");
  try {
    const said = (await answer.json()) as { title?: string; detail?: string };
    return [said.title, said.detail].filter(Boolean).join(": ") || answer.statusText;
  } catch {
    return say("Something broke on our side; nothing was stored halfway.");
  }
}

/** Follow a submission: `show` gets what is known after each change, until the verdict; `trouble` whether the connection is lost. */
export async function watch(live: string, show: (now: Live) => void, trouble: (lost: boolean) => void, ended: AbortSignal): Promise<void> {
  let seen = 0;
  let failures = 0;
  let wait = WAIT_S.first;
  while (!ended.aborted) {
    try {
      const answer = await fetch(`${live}?wait=${wait}&seen=${seen}`, { headers: JSON_ONLY, signal: ended });
      if (answer.status === 404 || answer.status === 401) return;
      if (!answer.ok) throw new Error(answer.statusText);
      const now = (await answer.json()) as Live;
      if (failures) trouble(false);
      failures = 0;
      seen = now.cases.length;
      show(now);
      if (now.state === "done") return;
      wait = WAIT_S[now.state];
      const rest = Number(answer.headers.get("Retry-After") ?? 0); // too many wait already: it was answered at once
      if (rest > 0) await pause(1000 * rest);
    } catch {
      if (ended.aborted) return;
      trouble(true);
      await pause(PATIENCE_MS[Math.min(failures++, PATIENCE_MS.length - 1)] ?? 4000);
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
