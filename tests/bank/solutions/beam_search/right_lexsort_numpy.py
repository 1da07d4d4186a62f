"""lexsort for the order, and a running best instead of a list."""
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    best_text, best = None, None
    texts, sums, cache, unread = [()], [0.0], None, prompt[np.newaxis, :]
    for left in reversed(range(max_new)):
        scores, cache = step(unread, cache)
        V = scores.shape[-1]
        totals = np.asarray(sums, dtype=scores.dtype)[:, None] + scores[:, -1]
        flat = totals.flatten()
        order = np.lexsort((np.arange(flat.size), -flat))[:width]
        keep = []
        for i in order:
            text, value = (*texts[i // V], int(i % V)), flat[i]
            if i % V != stop:
                keep.append((text, value, i // V))
            if i % V == stop:
                score = value / len(text) ** alpha
                if best is None or score > best:
                    best_text, best = text, score
        if not keep:
            break
        texts, sums = [k[0] for k in keep], [k[1] for k in keep]
        cache = cache[[k[2] for k in keep]]
        unread = np.array([[t[-1]] for t in texts])
    else:
        for text, value in zip(texts, sums):
            score = value / len(text) ** alpha
            if best is None or score > best:
                best_text, best = text, score
    return np.array(best_text), best
