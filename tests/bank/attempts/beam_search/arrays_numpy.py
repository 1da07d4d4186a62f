"""All texts in one array."""
# causes: none

import numpy as np


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    seqs = np.zeros((1, 0), dtype=np.int64)
    logp = np.zeros(1, dtype=np.float32)
    done_seqs, done_logp = [], []
    x, cache = prompt[np.newaxis], None
    for t in range(max_new):
        out, cache = step(x, cache)
        all_scores = logp[:, np.newaxis] + out[:, -1, :]
        V = all_scores.shape[1]
        flat = all_scores.reshape(-1)
        top = np.argsort(-flat, kind="stable")[:width]
        beam, word = top // V, top % V
        seqs = np.hstack([seqs[beam], word[:, np.newaxis]])
        logp = flat[top]
        cache = cache[beam]
        alive = np.ones(len(word), dtype=bool)
        if stop is not None:
            alive = word != stop
        for i in np.flatnonzero(~alive):
            done_seqs.append(seqs[i])
            done_logp.append(logp[i] / (t + 1) ** alpha)
        seqs, logp, cache = seqs[alive], logp[alive], cache[alive]
        if len(seqs) == 0:
            break
        x = seqs[:, -1:]
    for s, p in zip(seqs, logp):
        done_seqs.append(s)
        done_logp.append(p / len(s) ** alpha)
    i = int(np.argmax(done_logp))
    return done_seqs[i], done_logp[i]
