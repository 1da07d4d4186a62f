"""Print, raise and name things with terminal escapes, markup, formulas, bidirectional marks and lone surrogates.

rows: 113, 114
verdicts: runtime_error
"""
import os
import sys

NASTY = (
    "\x1b[2J\x1b[31mgreen\x07\x08\r\x9b31m <script>alert(1)</script> {{7*7}} =HYPERLINK(1) "
    "\u202e\u2066\u200f\u200b\ufeff\u2028\udc80\ud800 \U000e0041 \uffff ]]> &amp; \x00 %s %n ${x}"
)


class Nasty(Exception):
    pass


Nasty.__name__ = Nasty.__qualname__ = "".join(c for c in NASTY if c not in "\x00\udc80\ud800")


def scaled_dot_product_attention(q, k, v, scale=None):
    print(NASTY, flush=True)
    print(NASTY, file=sys.stderr)
    os.write(1, bytes(range(256)))
    raise Nasty(NASTY)
