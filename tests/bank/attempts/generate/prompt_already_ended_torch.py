"""Read the prompt, take a word, go on; a text whose last word is the stop token has ended already."""
# causes: stop_at_the_end_of_the_prompt, at_least_one

import torch


def generate(step, prompt, max_new, stop=None, pad_id=0) -> torch.Tensor:
    if stop is None:
        ended = torch.zeros(prompt.size(0), dtype=torch.bool)
    else:
        ended = prompt[:, -1] == stop

    logits, memory = step(prompt, None)
    word = torch.argmax(logits[:, -1, :], dim=-1).masked_fill(ended, pad_id)
    words = [word]
    for _ in range(max_new - 1):
        if stop is not None:
            ended = ended | (word == stop)
        if ended.all():
            break
        logits, memory = step(word.masked_fill(ended, 0)[:, None], memory)
        word = torch.argmax(logits[:, -1, :], dim=-1).masked_fill(ended, pad_id)
        words.append(word)
    return torch.stack(words, dim=1)
