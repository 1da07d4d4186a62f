# wrong: the beams are set up from the prompt's scores without looking for the stop token; a text whose first word is `stop` goes on as if it had not ended
import torch


def best(total, width):
    value, flat = total.flatten().sort(descending=True, stable=True)
    return value[:width], flat[:width] // total.shape[1], flat[:width] % total.shape[1]


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    scores, cache = step(prompt[None])
    sums, rows, words = best(scores[:, -1], width)
    texts, results = words[:, None], []
    for k in range(2, max_new + 1):
        scores, cache = step(texts[:, -1:], cache[rows])
        sums, rows, words = best(sums[:, None] + scores[:, -1], width)
        texts = torch.cat((texts[rows], words[:, None]), 1)
        if stop is not None:
            end = words == stop
            results += [(t, s / k**alpha) for t, s in zip(texts[end], sums[end])]
            texts, sums, rows = texts[~end], sums[~end], rows[~end]
        if not len(texts):
            break
    results += [(t, s / t.numel() ** alpha) for t, s in zip(texts, sums)]
    pick = int(torch.stack([s for _, s in results]).argmax())
    return results[pick]
