"""Texts that have ended stay in the beam."""
# causes: ended_texts_compete

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt[None], None)
    beams = [([], 0.0, False)]
    for turn in range(max_new):
        cand = []
        for b, (toks, total, done) in enumerate(beams):
            if done:
                cand.append((toks, total, True, b))
                continue
            for w in range(scores.shape[-1]):
                cand.append(
                    (toks + [w], total + scores[b, -1, w], stop is not None and w == stop, b)
                )
        cand.sort(key=lambda c: -c[1])
        cand = cand[:width]
        beams = [c[:3] for c in cand]
        if all(d for _, _, d in beams) or turn == max_new - 1:
            break
        rows = [c[3] for c in cand]
        scores, cache = step(np.array([[t[-1]] for t, _, _ in beams]), cache[rows])
    best = max(beams, key=lambda b: b[1] / len(b[0]) ** alpha)
    return np.array(best[0], dtype=np.int64), scores.dtype.type(best[1] / len(best[0]) ** alpha)
