"""Right: page after page with a running maximum and a running sum (as in flash decoding), no gathered copy of the keys."""
import numpy as np


class Running:
    def __init__(self, heads, width, dtype):
        self.top = np.full(heads, -np.inf, dtype=dtype)
        self.total = np.zeros(heads, dtype=dtype)
        self.mixed = np.zeros((heads, width), dtype=dtype)

    def add(self, scores, values):  # (t, H), (t, H, Dv)
        top = np.maximum(self.top, scores.max(axis=0))
        fade = np.exp(self.top - top)
        powers = np.exp(scores - top)
        self.total = self.total * fade + powers.sum(axis=0)
        self.mixed = self.mixed * fade[:, None] + np.einsum("th,thd->hd", powers, values)
        self.top = top


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    output = np.zeros((B, H, value_pages.shape[-1]), dtype=q.dtype)
    for b in range(B):
        left = int(lengths[b])
        state = Running(H, value_pages.shape[-1], q.dtype)
        slot = 0
        while left > 0:
            page, count = int(page_table[b, slot]), min(left, T)
            scores = np.einsum("hd,thd->th", q[b], key_pages[page, :count]) / D**0.5
            state.add(scores, value_pages[page, :count])
            left -= count
            slot += 1
        if slot:
            output[b] = state.mixed / state.total[:, None]
    return output
