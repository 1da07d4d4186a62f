"""Right: a boolean mask over the vocabulary; stable argsort, log-probabilities, and np.argmax of a comparison to find the word."""
import numpy as np


class Nucleus:
    def __init__(self, logits, temperature):
        self.raw = np.array(logits, dtype=np.float64)
        best = self.raw.max()
        self.scaled = (self.raw - best) / temperature
        self.rank = np.argsort(-self.raw, kind="mergesort")
        self.stays = self.raw != -np.inf

    def shares(self):
        powers = np.where(self.stays, np.exp(self.scaled), 0.0)
        return powers / powers.sum()

    def top_k(self, k):
        if 0 < k < self.raw.size:
            self.stays[self.rank[k:]] = False

    def top_p(self, p):
        if p < 1:
            ranked = self.shares()[self.rank]
            before = np.concatenate(([0.0], np.cumsum(ranked)[:-1]))
            self.stays[self.rank[before >= p]] = False


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    nucleus = Nucleus(logits, temperature)
    nucleus.top_k(top_k)
    nucleus.top_p(top_p)
    shares = nucleus.shares()
    over = np.cumsum(shares) > u
    return int(np.argmax(over)) if over.any() else int(np.flatnonzero(shares)[-1])
