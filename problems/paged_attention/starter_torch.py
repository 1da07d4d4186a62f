import torch


def paged_attention(
    q: torch.Tensor,
    key_pages: torch.Tensor,
    value_pages: torch.Tensor,
    page_table: torch.Tensor,
    lengths: torch.Tensor,
) -> torch.Tensor:
    """Let the newest token of each text attend to its own text, which lies on pages.

    q            (B, H, D)
    key_pages    (P, T, H, D), pages of T tokens, for all texts together
    value_pages  (P, T, H, Dv)
    page_table   (B, M), integers: the pages of each text, in order
    lengths      (B,), integers: how many tokens each text has
    returns      (B, H, Dv)
    """
    raise NotImplementedError
