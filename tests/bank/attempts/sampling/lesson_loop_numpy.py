"""Plain Python."""
# causes: none

import math


def next_token(logits, temperature, top_k, top_p, u):
    z = [float(x) for x in logits]
    order = sorted(range(len(z)), key=lambda i: (-z[i], i))
    if temperature == 0:
        return order[0]
    if top_k > 0:
        order = order[:top_k]
    w = {i: math.exp((z[i] - z[order[0]]) / temperature) for i in order}
    total = sum(w.values())
    stays, summed = [], 0.0
    for i in order:
        if summed >= top_p or w[i] == 0:
            break
        stays.append(i)
        summed += w[i] / total
    total = sum(w[i] for i in stays)
    summed = 0.0
    for i in sorted(stays):
        summed += w[i] / total
        if summed > u:
            return i
    return max(stays)
