"""While there is something to do."""
# causes: none

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text = prompt
    ended = torch.zeros(len(prompt), dtype=torch.bool)
    n, cache = prompt.shape[1], None
    unread = prompt
    while text.shape[1] - n < max_new and not ended.all():
        logits, cache = step(unread, cache)
        unread = logits[:, -1:].argmax(dim=-1)
        unread = torch.where(ended[:, None], pad_id, unread)
        if stop is not None:
            ended = ended | (unread == stop).squeeze(1)
        text = torch.cat((text, unread), dim=1)
    return text[:, n:]
