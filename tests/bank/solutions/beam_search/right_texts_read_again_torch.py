"""No cache at all: every turn reads the texts from their beginning."""
import torch


def beam_search(step, prompt, width, max_new, stop=None, alpha=0.0):
    n, texts, sums, found = prompt.numel(), prompt[None], torch.zeros(1), []
    for turn in range(max_new):
        scores, _ = step(texts)
        total = (sums[:, None] + scores[:, -1]).tolist()
        ranked = sorted(
            ((-t, row, word) for row, line in enumerate(total) for word, t in enumerate(line))
        )[:width]
        rows = [row for _, row, _ in ranked]
        words = torch.tensor([word for *_, word in ranked])
        texts = torch.cat([texts[rows], words[:, None]], 1)
        sums = torch.tensor([-t for t, *_ in ranked], dtype=scores.dtype)
        if stop is not None:
            over = words == stop
            found += list(zip(texts[over], sums[over]))
            texts, sums = texts[~over], sums[~over]
        if not len(texts):
            break
    found += list(zip(texts, sums))
    return max(
        ((text[n:], value / (len(text) - n) ** alpha) for text, value in found), key=lambda r: r[1]
    )
