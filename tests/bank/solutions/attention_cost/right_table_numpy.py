"""A table of steps, and one of arrays, summed with math.prod; parameters under other names."""

import math


def attention_flops(length, width):
    steps = {"q @ k.T": 2 * width, "softmax": 5, "weights @ v": 2 * width}
    return sum(each * length * length for each in steps.values())


def attention_bytes(length, width, itemsize=4):
    arrays = [(length, width)] * 3 + [(length, length)] + [(length, width)]
    return sum(map(math.prod, arrays)) * itemsize
