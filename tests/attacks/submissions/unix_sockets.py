"""Reach the host or a neighbour through Unix sockets, abstract and named; pass descriptors over the data socket.

rows: 100, 109
verdicts: accepted
"""
import array
import os
import socket

import numpy as np


def reach():
    for address in ("\0attack", "/var/run/docker.sock", "/run/docker.sock", "/run/dbus/system_bus_socket", "/room/io/control", "\0/tmp/.X11-unix/X0"):
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.connect(address)
                print("BREACH connected to", repr(address))
        except OSError:
            continue
    try:
        data = socket.socket(fileno=3)
    except OSError:
        return
    for way in (
        lambda: data.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]),
        lambda: data.send(b"x"),
        lambda: data.recv(1),
        lambda: data.getpeername() and print("named"),
        lambda: data.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24),
        lambda: data.shutdown(socket.SHUT_RDWR),
    ):
        try:
            way()
            print("BREACH used the data socket as a socket")
        except OSError:
            continue
    data.detach()


def scaled_dot_product_attention(q, k, v, scale=None):
    reach()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
