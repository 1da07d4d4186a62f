"""Lists and tuples, one cache row for each text, sorted by a key."""
import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    going, results, zero = [([], None, None)], [], None
    for turn in range(max_new):
        if turn == 0:
            scores, cache = step(prompt.reshape(1, -1))
            going = [([], scores.dtype.type(0), 0)]
        else:
            unread = np.array([[text[-1]] for text, _, _ in going])
            scores, cache = step(unread, cache[[row for _, _, row in going]])
        new = []
        for row, (text, total, _) in enumerate(going):
            for word, score in enumerate(scores[row, -1]):
                new.append((text + [word], total + score, row))
        new = sorted(new, key=lambda entry: entry[1], reverse=True)[:width]
        results += [(t, s) for t, s, _ in new if t[-1] == stop]
        going = [entry for entry in new if entry[0][-1] != stop]
        if not going:
            break
    results += [(t, s) for t, s, _ in going]
    best = results[0]
    for text, total in results:
        if total / len(text) ** alpha > best[1] / len(best[0]) ** alpha:
            best = text, total
    return np.array(best[0]), best[1] / len(best[0]) ** alpha
