"""Decimals, fractions, big integers, statistics."""

import cmath
import decimal
import fractions
import math
import statistics


def work():
    return (
        decimal.Decimal("0.1") * 3 == decimal.Decimal("0.3")
        and fractions.Fraction(1, 3) * 3 == 1
        and math.factorial(200) % 199 == 0
        and abs(cmath.exp(1j * math.pi) + 1) < 1e-9
        and statistics.fmean([1, 2]) == 1.5
    )
