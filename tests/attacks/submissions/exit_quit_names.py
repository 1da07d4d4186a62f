"""Call quit() and exit(), which an interpreter without site does not have.

rows: 2
verdicts: runtime_error
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    quit()
    exit()
