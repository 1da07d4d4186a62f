# The axis moves to the end first; after that, every slice is a row.
import torch


def softmax(x, axis=-1):
    return softmax_of_rows(x.movedim(axis, -1)).movedim(-1, axis)


def softmax_of_rows(rows):
    maximum = rows.max(dim=-1, keepdim=True).values
    maximum = maximum.masked_fill(torch.isneginf(maximum), 0)
    exponentials = torch.exp(rows - maximum)
    total = exponentials.sum(dim=-1, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1)  # nothing is available: 0 / 1
