"""Right: a Python generator yields the best words turn by turn, the texts are Python lists, and padding is
put on at the very end; ties by the smallest index among those equal to the maximum."""
import itertools

import torch


def _turns(step, prompt):
    logits, cache = step(prompt)
    while True:
        last = logits[:, -1]
        places = torch.arange(last.shape[-1]).expand(last.shape)
        is_best = last == last.amax(dim=-1, keepdim=True)
        best = torch.where(is_best, places, torch.full_like(places, last.shape[-1])).amin(dim=-1)
        yield best.tolist()
        logits, cache = step(best.unsqueeze(1), cache)


def generate(step, prompt, max_new, stop=None, pad_id=0):
    texts = [[] for _ in range(prompt.shape[0])]
    open_texts = set(range(len(texts)))
    for words in itertools.islice(_turns(step, prompt.clone()), max_new):
        for b in sorted(open_texts):
            texts[b].append(words[b])
            if stop is not None and words[b] == stop:
                open_texts.discard(b)
        if not open_texts:
            break
    longest = max(map(len, texts), default=0)
    out = torch.full((len(texts), longest), pad_id, dtype=torch.int64)
    for row, text in zip(out, texts):
        row[: len(text)] = torch.tensor(text, dtype=torch.int64)
    return out
