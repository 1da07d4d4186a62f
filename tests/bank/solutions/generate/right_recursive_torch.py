"""One token, and then the rest by a call of itself."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    def rest(unread, cache, left, ended):
        if left == 0 or ended.all():
            return []
        logits, cache = step(unread, cache)
        word = torch.where(ended, torch.tensor(pad_id), torch.argmax(logits[:, -1], dim=1))
        if stop is not None:
            ended = ended.logical_or(word == stop)
        return [word[:, None], *rest(word[:, None], cache, left - 1, ended)]

    empty = prompt[:, :0].long()
    return torch.cat([empty, *rest(prompt, None, max_new, torch.zeros(len(prompt)).bool())], dim=1)
