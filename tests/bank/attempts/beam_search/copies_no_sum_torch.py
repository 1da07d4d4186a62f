"""width copies of the prompt, and the sum is forgotten."""
# causes: copies_of_the_prompt, last_word_only

import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    seqs = torch.zeros((width, 0), dtype=torch.long)
    logp = torch.zeros(width)
    done_seqs, done_logp = [], []
    x, cache = prompt.repeat(width, 1), None
    for t in range(max_new):
        out, cache = step(x, cache)
        all_scores = out[:, -1, :]
        V = all_scores.shape[1]
        flat = all_scores.reshape(-1)
        top = torch.sort(flat, descending=True, stable=True).indices[:width]
        beam, word = top // V, top % V
        seqs = torch.hstack([seqs[beam], word[:, None]])
        logp = flat[top]
        cache = cache[beam]
        alive = torch.ones(len(word), dtype=torch.bool)
        if stop is not None:
            alive = word != stop
        for i in torch.nonzero(~alive)[:, 0]:
            done_seqs.append(seqs[i])
            done_logp.append(logp[i] / (t + 1) ** alpha)
        seqs, logp, cache = seqs[alive], logp[alive], cache[alive]
        if len(seqs) == 0:
            break
        x = seqs[:, -1:]
    for s, p in zip(seqs, logp):
        done_seqs.append(s)
        done_logp.append(p / len(s) ** alpha)
    i = int(torch.stack(done_logp).argmax())
    return done_seqs[i], done_logp[i]
