"""A heap and plain Python numbers."""
import heapq
import math


def next_token(logits, temperature, top_k, top_p, u):
    z = logits.tolist()
    k = top_k or len(z)
    best = heapq.nsmallest(k, range(len(z)), key=lambda i: (-z[i], i))
    if not temperature:
        return best[0]
    w = [math.exp((z[i] - z[best[0]]) / temperature) for i in best]
    whole, total, stays = math.fsum(w), 0.0, {}
    for i, each in zip(best, w):
        if total < top_p * whole and each > 0:
            stays[i] = each
        total += each
    left = u * math.fsum(stays.values())
    for i in sorted(stays):
        left -= stays[i]
        if left < 0:
            break
    return i
