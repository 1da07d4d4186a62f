"""The cache goes from call to call as it comes, and if some text has ended only the ended ones are compared."""
# causes: cache_stays_in_its_row, open_texts_dropped

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    live = [((), 0.0)]
    ended = []
    feed = np.asarray(prompt)[None]
    cache = None
    dtype = None
    for turn in range(max_new):
        scores, cache = step(feed, cache)
        dtype = scores.dtype
        last = scores[:, -1]
        options = []
        for b, (text, total) in enumerate(live):
            for word in range(last.shape[1]):
                options.append((dtype.type(total) + last[b, word], text + (word,), b))
        options.sort(key=lambda option: option[0], reverse=True)
        kept = options[:width]
        ended += [(text, s) for s, text, _ in kept if stop is not None and text[-1] == stop]
        going = [(s, text, b) for s, text, b in kept if stop is None or text[-1] != stop]
        live = [(text, s) for s, text, _ in going]
        if not live:
            break
        feed = np.array([[text[-1]] for text, _ in live], dtype=np.int64)
        rows = min(len(cache), len(live))
        cache = cache[np.minimum(np.arange(len(live)), rows - 1)]
    results = ended if ended else live
    best, best_score = None, None
    for text, total in results:
        score = total / len(text) ** alpha
        if best is None or score > best_score:
            best, best_score = text, score
    return np.array(best, dtype=np.int64), dtype.type(best_score)
