import numpy as np


def attention_backward(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, grad_output: np.ndarray, causal: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of scaled dot-product attention.

    q            (..., L, D)
    k            (..., S, D)
    v            (..., S, Dv)
    grad_output  (..., L, Dv)
    returns      dq, dk, dv, each shaped as its input
    """
    raise NotImplementedError
