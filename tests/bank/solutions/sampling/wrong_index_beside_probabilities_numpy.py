# Index and probability stand side by side in one array, so the index is returned as a float.
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")[: top_k or len(logits)]
    w = np.exp((logits[order] - logits[order[0]]).astype(float) / temperature)
    rows = np.column_stack([order, w / w.sum()])
    before = np.cumsum(rows[:, 1]) - rows[:, 1]
    rows = rows[(before < top_p) & (rows[:, 1] > 0)]
    rows = rows[np.argsort(rows[:, 0])]
    ends = np.cumsum(rows[:, 1]) / rows[:, 1].sum()
    return rows[min(int((ends <= u).sum()), len(rows) - 1), 0]
