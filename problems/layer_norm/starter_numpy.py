import numpy as np


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> np.ndarray:
    """Give every token mean 0 and variance 1, then stretch and shift it.

    x           (..., E)
    gain, bias  (E,)
    returns y   (..., E)
    """
    raise NotImplementedError


def layer_norm_backward(
    grad: np.ndarray, x: np.ndarray, gain: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Carry the gradient of y back to x, gain and bias.

    grad, x     (..., E)
    gain        (E,)
    returns     dx (..., E), dgain (E,), dbias (E,)
    """
    raise NotImplementedError
