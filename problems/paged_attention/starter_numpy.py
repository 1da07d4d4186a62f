import numpy as np


def paged_attention(
    q: np.ndarray,
    key_pages: np.ndarray,
    value_pages: np.ndarray,
    page_table: np.ndarray,
    lengths: np.ndarray,
) -> np.ndarray:
    """Let the newest token of each text attend to its own text, which lies on pages.

    q            (B, H, D)
    key_pages    (P, T, H, D), pages of T tokens, for all texts together
    value_pages  (P, T, H, Dv)
    page_table   (B, M), integers: the pages of each text, in order
    lengths      (B,), integers: how many tokens each text has
    returns      (B, H, Dv)
    """
    raise NotImplementedError
