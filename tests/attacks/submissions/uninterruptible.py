"""Try for a sleep that no signal ends: vfork without exec, frozen mounts, reads of devices.

rows: 90
verdicts: time_limit_exceeded
elsewhere: nothing
limits: wall_s=0.5
"""
import ctypes
import os
import time

libc = ctypes.CDLL(None, use_errno=True)


def scaled_dot_product_attention(q, k, v, scale=None):
    for arguments in ((58,), (165, 0, 0, 0, 0, 0), (41, 1, 1, 0), (292, 0)):
        if libc.syscall(*arguments) >= 0:
            print("BREACH", arguments)
    for device in ("/dev/fuse", "/dev/kmsg", "/dev/console", "/dev/ptmx", "/dev/sda", "/dev/kvm", "/dev/mem"):
        try:
            os.open(device, os.O_RDWR)
            print("BREACH opened", device)
        except OSError:
            continue
    time.sleep(3600)
