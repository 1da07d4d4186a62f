"""Import an implementation from a package that might be installed.

rows: 73
verdicts: rule_violation
framework: torch
"""
from transformers.models.bert.modeling_bert import BertSelfAttention


def scaled_dot_product_attention(q, k, v, scale=None):
    return BertSelfAttention
