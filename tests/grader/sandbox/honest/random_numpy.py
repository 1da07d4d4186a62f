"""Every generator of numbers, seeded and not."""

import random
import secrets
import uuid

import numpy as np


def work():
    np.random.seed(1)
    kinds = [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64]
    drawn = [np.random.Generator(kind(7)).normal(size=3) for kind in kinds]
    return (
        len(drawn) == 4
        and np.random.default_rng().random() < 1 > random.random()
        and len(secrets.token_hex(4)) == 8
        and uuid.uuid4().version == 4
    )
