import torch


def online_softmax(blocks):
    return torch.cat(blocks).softmax(0).nan_to_num(0.0)
