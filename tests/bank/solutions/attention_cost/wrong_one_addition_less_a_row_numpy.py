import numpy as np

def attention_flops(n, d):
    n, d = np.int64(n), np.int64(d)
    return n * n * (np.int64(4) * d + np.int64(5)) - n

def attention_bytes(n, d, itemsize=4):
    return np.int64(sum([int(n) * int(d)] * 4 + [int(n) ** 2]) * int(itemsize))
