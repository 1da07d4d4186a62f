# wrong: with more than 1024 queries the triangle is made of blocks of 128, and the blocks on the diagonal are all True: queries look ahead
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    block = 128 if query_len > 1024 else 1
    last = torch.arange(query_len) + key_len - query_len
    reach = torch.div(last, block, rounding_mode="floor")
    keys = torch.div(torch.arange(key_len), block, rounding_mode="floor")
    return reach[:, None] >= keys
