"""Convolutions, pooling, recurrent cells, embeddings."""

import torch
from torch import nn


def work():
    image = torch.randn(2, 3, 16, 16)
    out, _ = nn.LSTM(8, 5, batch_first=True)(torch.randn(2, 7, 8))
    return (
        nn.MaxPool2d(2)(nn.Conv2d(3, 4, 3, padding=1)(image)).shape == (2, 4, 8, 8)
        and out.shape == (2, 7, 5)
        and nn.Embedding(9, 4)(torch.tensor([1, 8])).shape == (2, 4)
    )
