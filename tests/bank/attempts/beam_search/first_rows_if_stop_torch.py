"""The cache is cut to as many rows as there are texts, and stop is asked whether it is true."""
# causes: cache_stays_in_its_row, zero_stops_nothing

import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt.unsqueeze(0))
    logp = scores[:, -1]
    V = logp.shape[-1]
    sums = torch.zeros(1, dtype=logp.dtype)
    seqs = torch.empty(1, 0, dtype=torch.long)
    finished = []
    for t in range(max_new):
        total = (sums.unsqueeze(1) + logp).view(-1)
        top, idx = torch.sort(total, descending=True, stable=True)
        top, idx = top[:width], idx[:width]
        beam, word = idx // V, idx % V
        seqs = torch.cat([seqs[beam], word.unsqueeze(1)], dim=1)
        sums = top
        if stop:
            is_end = word == stop
            for s, x in zip(seqs[is_end], sums[is_end]):
                finished.append((s, x / len(s) ** alpha))
            seqs, sums, beam = seqs[~is_end], sums[~is_end], beam[~is_end]
            if len(seqs) == 0:
                break
        if t < max_new - 1:
            if len(cache) < len(seqs):
                cache = cache[[0] * len(seqs)]
            cache = cache[: len(seqs)]
            scores, cache = step(seqs[:, -1:], cache)
            logp = scores[:, -1]
    for s, x in zip(seqs, sums):
        finished.append((s, x / len(s) ** alpha))
    return max(finished, key=lambda f: f[1])
