"""Probabilities of the guesses by a one-hot product; refusals counted by a running sum."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    K, V = draft_probs.shape
    chosen = np.eye(V, dtype=draft_probs.dtype)[draft_tokens]
    q = np.einsum("kv,kv->k", draft_probs, chosen)
    p = np.einsum("kv,kv->k", target_probs[:K], chosen)
    alive = np.cumsum(p <= u * q) == 0
    tokens = draft_tokens[alive]
    if alive[-1]:
        return tokens, target_probs[-1] + 0
    place = len(tokens)
    gain = np.fmax(0, target_probs[place] - draft_probs[place])
    return tokens, gain / np.add.reduce(gain)
