"""Call the C compiler through the shell.

rows: 93, 106
verdicts: runtime_error
"""
import subprocess


def scaled_dot_product_attention(q, k, v, scale=None):
    subprocess.run(["cc", "--version"], check=True)
