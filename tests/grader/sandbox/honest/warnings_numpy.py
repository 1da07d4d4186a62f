"""Warnings from Python and from NumPy."""

import warnings

import numpy as np


def work():
    warnings.warn("look", stacklevel=2)
    np.array([1.0]) / np.array([0.0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.log(np.array([-1.0]))
    return len(caught) == 1
