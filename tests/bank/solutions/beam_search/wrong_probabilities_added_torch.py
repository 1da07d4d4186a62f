"""Sums up exponentials of the scores."""
import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    texts, sums = [[]], [0.0]
    found = []
    for _ in range(max_new):
        scores, _ = step(torch.tensor([[*prompt.tolist(), *t] for t in texts]))
        new = [
            (texts[r] + [w], sums[r] + float(p))
            for r in range(len(texts))
            for w, p in enumerate(scores[r, -1].exp())
        ]
        new = sorted(new, key=lambda e: -e[1])[:width]
        found += [e for e in new if e[0][-1] == stop]
        new = [e for e in new if e[0][-1] != stop]
        texts, sums = [t for t, _ in new], [v for _, v in new]
        if not texts:
            break
    found += list(zip(texts, sums))
    text, value = max(found, key=lambda e: e[1] / len(e[0]) ** alpha)
    return torch.tensor(text), torch.tensor(value / len(text) ** alpha)
