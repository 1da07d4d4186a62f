"""Overwrite a return address, as a native exploit would.

rows: 7
verdicts: runtime_error
"""
import ctypes


def scaled_dot_product_attention(q, k, v, scale=None):
    array = (ctypes.c_char * 8)()
    ctypes.memset(ctypes.addressof(array) - (1 << 16), 0x41, 1 << 20)
    ctypes.memset(id(scaled_dot_product_attention) - 4096, 0x41, 1 << 20)
    return array
