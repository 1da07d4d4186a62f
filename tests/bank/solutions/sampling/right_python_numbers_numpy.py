"""Plain Python, and only words that can come."""

import math

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    words = [(-float(x), i) for i, x in enumerate(logits) if x > -math.inf]
    words.sort()
    if temperature == 0:
        return words[0][1]
    if top_k:
        words = words[:top_k]
    best = words[0][0]
    widths = {i: math.exp((best - x) / temperature) for x, i in words}
    whole, stays, had = sum(widths.values()), [], 0.0
    for _, i in words:
        stays.append(i)
        had += widths[i] / whole
        if had >= top_p:
            break
    mark = u * sum(widths[i] for i in stays)
    chosen = None
    for i in sorted(stays):
        if widths[i] == 0:
            continue
        chosen = i
        mark -= widths[i]
        if mark < 0:
            break
    return chosen
