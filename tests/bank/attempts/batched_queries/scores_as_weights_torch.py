"""Returns the scores beside the output."""
# causes: other: the scores are returned as weights

import math

import torch


def batch_attention(queries, keys, values):
    scores = torch.matmul(queries, keys.transpose(0, 1)) / math.sqrt(queries.size(-1))
    output = torch.matmul(torch.softmax(scores, dim=-1), values)
    return output, scores
