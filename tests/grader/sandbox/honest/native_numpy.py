"""A function of the C library through ctypes."""

import array
import ctypes


def work():
    libm = ctypes.CDLL(None)
    libm.sqrt.restype, libm.sqrt.argtypes = ctypes.c_double, [ctypes.c_double]
    return libm.sqrt(9.0) == 3.0 and memoryview(array.array("d", [1, 2])).nbytes == 16
