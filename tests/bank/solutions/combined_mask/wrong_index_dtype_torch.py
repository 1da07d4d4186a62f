"""Breaks "Tokens of any integer type": positions are counted in the type of the tokens, and uint8 wraps at 256.
Shows with uint8 tokens of shape (1, 300): query 256 sees only key 0 and key 256."""
import torch


def decoder_mask(tokens, pad_id=0):
    position = torch.arange(tokens.shape[1], device=tokens.device).to(tokens.dtype)
    causal = position[None, :] <= position[:, None]
    return causal[None] & (tokens != pad_id)[:, None, :]
