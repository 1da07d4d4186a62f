"""Lists of candidates, sorted by their sums."""
# causes: none

import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    beams = [([], 0.0)]
    finished = []
    cache, unread = None, prompt[None]
    for _ in range(max_new):
        scores, cache = step(unread, cache)
        last = scores[:, -1]
        candidates = []
        for b, (text, total) in enumerate(beams):
            for word in range(last.shape[1]):
                candidates.append((text + [word], total + float(last[b, word]), b))
        candidates.sort(key=lambda c: -c[1])
        beams, rows = [], []
        for text, total, b in candidates[:width]:
            if stop is not None and text[-1] == stop:
                finished.append((text, total))
            else:
                beams.append((text, total))
                rows.append(b)
        if not beams:
            break
        cache = cache[rows]
        unread = torch.tensor([[text[-1]] for text, _ in beams])
    finished.extend(beams)
    best = max(finished, key=lambda f: f[1] / len(f[0]) ** alpha)
    return torch.tensor(best[0]), torch.tensor(best[1] / len(best[0]) ** alpha, dtype=scores.dtype)
