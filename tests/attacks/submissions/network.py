"""Reach for a cloud's metadata service, for neighbours of a compose file, for a name server and for the loopback of the host.

rows: 37, 38
verdicts: accepted
"""
import socket

import numpy as np

PLACES = [("169.254.169.254", 80), ("127.0.0.1", 5432), ("127.0.0.1", 6379), ("8.8.8.8", 53), ("::1", 80)]


def reach():
    for address in PLACES:
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            try:
                with socket.socket(family, kind) as s:
                    s.settimeout(0.5)
                    s.connect(address)
                    print("BREACH connected to", address)
            except OSError:
                pass
    for name in ("db", "redis", "example.org"):
        try:
            print("BREACH resolved", name, socket.getaddrinfo(name, 80))
        except OSError:
            pass


def scaled_dot_product_attention(q, k, v, scale=None):
    reach()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
