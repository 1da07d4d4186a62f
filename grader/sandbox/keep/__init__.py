"""Keeps rooms warm between one `grade` and the next: finds the process that does
(`grader/keeper/`), starts it and speaks with it.

It may know the sandbox, and no problem and no answer.

Theory of operation
-------------------

A warm room costs seconds to start and holds nothing of any submission. So a small process of the
same user may keep one: it launches zygotes as `ZygoteClient` does and passes commands on to them.
It reads no source, no case and no result. A client connects to a socket in the installation's
folder, says which version of the judge it is and which framework it wants, and from then on speaks
to the zygote as if it had launched it: a data socket and a pipe for each container go through the
keeper as descriptors, and everything else goes directly from judge to container.

When a client is gone, however it ended, the keeper kills every container that was cloned for it. A
room that nobody has used for a while ends; so does the keeper with its last room, when its socket
is gone, or when a client of another version comes. Whatever fails here costs time only: the client
then starts a room of its own.
"""

from grader.sandbox.keep.client import IDLE_S, Keep, status, stop
from grader.sandbox.keep.room import open_room

__all__ = ["IDLE_S", "Keep", "open_room", "status", "stop"]
