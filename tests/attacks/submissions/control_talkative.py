"""An honest solution that prints, warns, logs, catches its own exceptions and reads files of the standard library.

rows: none
verdicts: accepted
"""
import json
import logging
import sys
import warnings

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    print("shapes", q.shape, k.shape, v.shape)
    print(json.dumps({"verdict": "thinking"}), file=sys.stderr)
    warnings.warn("only a warning", stacklevel=1)
    logging.warning("and a line of log")
    try:
        raise ValueError("caught")
    except ValueError:
        pass
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
