"""A text has ended when its last token is the stop token, and so has such a prompt."""
from collections.abc import Callable

import torch


def beam_search(
    step: Callable,
    prompt: torch.Tensor,
    width: int,
    max_new: int,
    stop: int | None = None,
    alpha: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    start = len(prompt)
    scores, cache = step(prompt[None], None)
    # (tokens with the prompt, sum, row of the cache)
    beam = [(prompt.tolist(), torch.zeros((), dtype=scores.dtype), 0)]
    ended = []
    for turn in range(max_new):
        ended += [text for text in beam if text[0][-1] == stop]
        going = [text for text in beam if text[0][-1] != stop]
        if not going:
            beam = []
            break
        if turn > 0:
            tokens = torch.tensor([[text[0][-1]] for text in going])
            scores, cache = step(tokens, cache[[text[2] for text in going]])
        sums = torch.stack([text[1] for text in going])[:, None] + scores[:, -1]
        flat = sums.reshape(-1)
        order = torch.sort(flat, descending=True, stable=True).indices[:width]
        beam = []
        for place in order.tolist():
            row, word = divmod(place, sums.shape[1])
            beam.append((going[row][0] + [word], flat[place], row))
    ended += [text for text in beam if text[0][-1] == stop]
    ended += [text for text in beam if text[0][-1] != stop]

    marks = [total / max(1, len(tokens) - start) ** alpha for tokens, total, _ in ended]
    best = max(range(len(marks)), key=lambda number: marks[number].item())
    return torch.tensor(ended[best][0][start:], dtype=torch.int64), marks[best]
