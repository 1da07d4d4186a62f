"""One word at a time leaves the race."""
import torch


def next_token(logits, temperature, top_k, top_p, u):
    left = logits.double().clone()
    order = []
    for _ in range(min(top_k or len(left), len(left))):
        best = int(left.argmax())
        if left[best] == -torch.inf:
            break
        order.append(best)
        left[best] = -torch.inf
    if temperature == 0:
        return order[0]
    p = torch.softmax(logits.double()[order] / temperature, 0).tolist()
    total, n = 0.0, 0
    while n < len(p) and total < top_p and p[n] > 0:
        total, n = total + p[n], n + 1
    at = 0.0
    for i, each in sorted(zip(order[:n], p[:n])):
        at += each / total
        if at > u:
            return i
    return i
