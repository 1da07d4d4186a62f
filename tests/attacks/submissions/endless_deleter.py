"""Return objects that never finish being deleted.

rows: 89
verdicts: time_limit_exceeded, wrong_answer
limits: wall_s=0.5
"""


class Endless:
    def __del__(self):
        while True:
            pass


def scaled_dot_product_attention(q, k, v, scale=None):
    return Endless()
