// What a learner writes is kept in the browser: one draft a person, problem and framework. A browser that keeps nothing is no error.
const account = document.querySelector(".site-me .me")?.textContent?.trim() ?? "";

const key = (person: string, problem: string, framework: string): string => `draft:${person}:${problem}:${framework}`;

function tried<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** The draft, if there is one. What was written before signing in passes to whoever signs in. */
export function readDraft(problem: string, framework: string): string | null {
  const own = tried(() => localStorage.getItem(key(account, problem, framework)));
  if (own !== null || !account) return own;
  const before = tried(() => localStorage.getItem(key("", problem, framework)));
  if (before !== null) {
    keepDraft(problem, framework, before);
    tried(() => localStorage.removeItem(key("", problem, framework)));
  }
  return before;
}

/** Whether the browser kept it. */
export const keepDraft = (problem: string, framework: string, text: string): boolean =>
  tried(() => (localStorage.setItem(key(account, problem, framework), text), true)) ?? false;

export const forgetDraft = (problem: string, framework: string): void => {
  tried(() => localStorage.removeItem(key(account, problem, framework)));
};

const verdictKey = (problem: string): string => `verdict:${account}:${problem}`;

/** The address of the verdict that this tab shows, so that a reload shows it again. */
export const keepVerdict = (problem: string, live: string): void => {
  tried(() => sessionStorage.setItem(verdictKey(problem), live));
};

export const readVerdict = (problem: string): string | null => tried(() => sessionStorage.getItem(verdictKey(problem)));

export const forgetVerdict = (problem: string): void => {
  tried(() => sessionStorage.removeItem(verdictKey(problem)));
};

const choiceKey = (kind: string): string => `editor:${kind}`;

/** How the editor looks, for everybody at this browser. */
export const keepChoice = (kind: string, choice: string): void => {
  tried(() => localStorage.setItem(choiceKey(kind), choice));
};

export const readChoice = (kind: string): string | null => tried(() => localStorage.getItem(choiceKey(kind)));
