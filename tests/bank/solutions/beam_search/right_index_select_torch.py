"""A stable sort, index_select and a list of results."""
import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    alive = torch.empty(1, 0, dtype=torch.long)
    sums, cache, unread, results = None, None, prompt.unsqueeze(0), []
    while alive.shape[1] < max_new:
        scores, cache = step(unread, cache)
        last = scores[:, -1]
        total = last if sums is None else sums.unsqueeze(1) + last
        values, flat = total.reshape(-1).sort(descending=True, stable=True)
        values, flat = values[:width], flat[:width]
        rows = torch.div(flat, total.shape[1], rounding_mode="floor")
        words = flat.remainder(total.shape[1])
        alive = torch.hstack([alive.index_select(0, rows), words.unsqueeze(1)])
        going = torch.ones_like(words, dtype=torch.bool) if stop is None else words.ne(stop)
        for i in range(len(words)):
            if not going[i]:
                results.append((alive[i], values[i]))
        alive, sums, cache = alive[going], values[going], cache.index_select(0, rows)[going]
        if alive.shape[0] == 0:
            break
        unread = alive[:, -1:]
    results += list(zip(alive, sums))
    scores = torch.stack([value / len(text) ** alpha for text, value in results])
    best = int(scores.argmax())
    return results[best][0], scores[best]
