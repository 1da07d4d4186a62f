"""Over when as many have ended as there are beams, and the stop token has no length."""
# causes: over_at_width_ends, length_without_the_stop_token

import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt[None])
    live = [(torch.tensor([], dtype=torch.long), torch.zeros((), dtype=scores.dtype))]
    done = []
    for _ in range(max_new):
        logp = scores[:, -1]
        total = torch.stack([s for _, s in live])[:, None] + logp
        flat = total.reshape(-1)
        k = min(width, flat.numel())
        vals, idx = flat.sort(descending=True, stable=True)
        new, rows = [], []
        for v, i in zip(vals[:k], idx[:k]):
            b, w = int(i) // logp.shape[1], int(i) % logp.shape[1]
            toks = torch.cat([live[b][0], torch.tensor([w])])
            if stop is not None and w == stop:
                done.append((toks, v / (len(toks) - 1 or 1) ** alpha))
            else:
                new.append((toks, v))
                rows.append(b)
        live = new
        if len(done) >= width or not live:
            break
        scores, cache = step(torch.stack([t[-1:] for t, _ in live]), cache[rows])
    done += [(t, v / len(t) ** alpha) for t, v in live]
    return max(done, key=lambda d: d[1])
