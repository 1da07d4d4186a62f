# Each query gets its position among the keys, and may see the positions up to it.
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    of_keys = torch.arange(key_len)
    of_queries = torch.arange(key_len - query_len, key_len)  # the last query is the last key
    return of_queries.unsqueeze(1).ge(of_keys)
