"""torch.compile and a second thread are refused politely: an exception, not a death."""

import torch


def work():
    try:
        torch.compile(lambda x: x * 2)(torch.ones(2))
    except Exception as error:
        return bool(str(error))
    return False
