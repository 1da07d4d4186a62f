"""The maximum of the first block keeps the numbers small."""
# causes: maximum_of_the_first_block, nan_after_a_hidden_block

import torch


def online_softmax(blocks):
    m = blocks[0].max()
    l = sum(torch.exp(x - m).sum() for x in blocks)
    return torch.cat([torch.exp(x - m) for x in blocks]) / l
