"""In log space, in float64: log u < log p - log q, where log 0 = -inf decides the border cases; a zero row stands
in for the draft behind the last guess, so that both cases are one."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K, V = draft_probs.shape
    column = np.asarray(draft_tokens).reshape(K, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_q = np.log(np.take_along_axis(draft_probs, column, axis=1)[:, 0].astype(np.float64))
        log_p = np.log(np.take_along_axis(target_probs[:K], column, axis=1)[:, 0].astype(np.float64))
        log_u = np.log(u.astype(np.float64))
    refused = ~((log_u < log_p - log_q) | ((log_p >= log_q) & (log_p > -np.inf)))
    stops = np.flatnonzero(refused)
    m = int(stops[0]) if stops.size else K
    draft = np.concatenate([draft_probs, np.zeros((1, V), dtype=draft_probs.dtype)])
    rest = np.where(target_probs[m] > draft[m], target_probs[m] - draft[m], 0).astype(target_probs.dtype)
    if m < K:
        rest = rest / rest.sum()
    return column[:m, 0].copy(), rest
