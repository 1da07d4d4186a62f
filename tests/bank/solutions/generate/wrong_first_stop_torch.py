"""Wrong: 'Where all texts have ended, the model is not asked again'. This is looked at only from the second
word on. Shown by a text (B = 1) whose first new word is stop: read is [n, 1] instead of [n]."""
import torch


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    if max_new < 1:
        return torch.zeros((B, 0), dtype=torch.int64)
    logits, cache = step(prompt)
    word = logits[:, -1].argmax(dim=-1)
    words = [word]
    ended = torch.zeros(B, dtype=torch.bool) if stop is None else word == stop
    for _ in range(max_new - 1):
        logits, cache = step(word[:, None], cache)
        word = logits[:, -1].argmax(dim=-1)
        if ended.all():
            break
        words.append(word.masked_fill(ended, pad_id))
        if stop is not None:
            ended = ended | (word == stop)
            if ended.all():
                break
    return torch.stack(words, dim=1)
