"""Dates, timers, a short sleep."""

import datetime
import time
import timeit


def work():
    began = time.perf_counter()
    time.sleep(0.005)
    now = datetime.datetime.now(datetime.UTC)
    return (
        time.perf_counter() - began >= 0.005
        and now.year > 2000
        and timeit.timeit("1 + 1", number=10) >= 0
        and time.process_time() >= 0
    )
