"""Blocks of sixteen queries, in a Python loop: as small as blocks may sensibly be."""
import math
import torch


def batch_attention(queries, keys, values):
    outs, ws = [], []
    for q in queries.split(16):
        w = torch.softmax(q @ keys.T / math.sqrt(q.shape[1]), 1)
        ws.append(w)
        outs.append(w @ values)
    return torch.cat(outs), torch.cat(ws)
