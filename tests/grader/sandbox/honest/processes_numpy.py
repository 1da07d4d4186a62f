"""A process pool, a subprocess and a socket are refused politely: an exception, not a death."""

import multiprocessing
import socket
import subprocess


def work():
    refused = 0
    for way in (
        lambda: subprocess.run(["true"]),
        lambda: multiprocessing.Pool(1),
        lambda: socket.create_connection(("127.0.0.1", 1)),
    ):
        try:
            way()
        except OSError:
            refused += 1
    return refused == 3
