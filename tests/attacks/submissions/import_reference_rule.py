"""Import the reference by name: a rule says no before anything runs.

rows: 26
verdicts: rule_violation
"""
from reference.scaled_dot_product_attention.numpy import scaled_dot_product_attention
