"""A text that has ended competes for a place in every later turn."""
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    beams = [((), 0.0, False)]
    for _ in range(max_new):
        new = []
        for text, total, over in beams:
            if over:
                new.append((text, total, True))
                continue
            scores, _ = step(np.array([[*prompt, *text]]))
            new += [((*text, w), total + s, w == stop) for w, s in enumerate(scores[0, -1].tolist())]
        beams = sorted(new, key=lambda e: -e[1] / len(e[0]) ** alpha)[:width]
    text, total, _ = max(beams, key=lambda e: e[1] / len(e[0]) ** alpha)
    return np.array(text), np.float32(total / len(text) ** alpha)
