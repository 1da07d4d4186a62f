"""Unit tests, doctests and NumPy's own assertions inside the file."""

import io
import unittest

import numpy as np


class Shapes(unittest.TestCase):
    def test_sum(self):
        np.testing.assert_allclose(np.ones(3).sum(), 3.0)
        with self.assertRaises(ValueError):
            np.ones(3) @ np.ones(2)


def work():
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Shapes)
    return unittest.TextTestRunner(stream=io.StringIO()).run(suite).wasSuccessful()
