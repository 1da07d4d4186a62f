"""Locks and queues in one thread; a second thread is refused politely."""

import queue
import threading


def work():
    waiting = queue.SimpleQueue()
    waiting.put(3)
    with threading.Lock(), threading.RLock():
        value = waiting.get(timeout=0.01)
    try:
        threading.Thread(target=print).start()
    except RuntimeError as error:
        return value == 3 and "thread" in str(error)
    return False
