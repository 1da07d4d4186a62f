"""A control group for a room, where the machine offers one: limits on memory and on processes.

It is a second wall: the limits and the filter of each child do not need it. It bounds a whole room,
whatever it does, so that the kernel ends the room and not other programs. Version 2 must have been
delegated (`memory` and `pids` in `cgroup.subtree_control` of the group that this process is in);
version 1 must be writable. Groups are made below the current one only, and removed when the room is
closed.
"""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
PREFIX = "attention-judge-"
PROCESSES = 256  # of a room: the zygote and one process for each submission under way
MEMORY_SHARE = 0.75  # of the machine's memory
ROUNDS = 5  # a launcher starts two processes, one after the other
FILES = {"memory": ("memory.max", "memory.limit_in_bytes"), "pids": ("pids.max",)}


@dataclass(frozen=True, slots=True)
class Group:
    """The folders of one group; one for each controller in version 1."""

    folders: tuple[Path, ...]

    def take(self, pid: int) -> None:
        """Puts a process and all below it into the group, those too that start meanwhile.

        To move the first one takes the kernel some 10 ms, in which it is idle.
        """
        for _ in range(ROUNDS):
            missing = set(tree(pid)) - self.pids()
            if not missing:
                break
            for folder in self.folders:
                for each in missing:
                    with contextlib.suppress(ProcessLookupError):
                        (folder / "cgroup.procs").write_text(str(each))

    def pids(self) -> set[int]:
        """The processes that are in all of its folders."""
        return set.intersection(
            *(set(map(int, (f / "cgroup.procs").read_text().split())) for f in self.folders)
        )

    def close(self) -> None:
        """Removes it. Its processes have been killed; the kernel takes a moment to remove them."""
        for folder in self.folders:
            for _ in range(1000):
                with contextlib.suppress(OSError):
                    folder.rmdir()
                if not folder.exists():
                    break
                time.sleep(0.001)


def offered() -> dict[str, Path]:
    """Returns where a group can be made, by controller; empty where the machine offers none."""
    folders: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in OWN.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            folders |= (
                _version_2(path) if not controllers else _version_1(controllers.split(","), path)
            )
    return folders if set(FILES) <= set(folders) else {}


def _version_2(path: str) -> dict[str, Path]:
    folder = ROOT / path.lstrip("/")
    control = folder / "cgroup.subtree_control"
    if not control.exists() or not os.access(folder, os.W_OK):
        return {}
    enabled = control.read_text().split()
    return {name: folder for name in FILES if name in enabled}


def _version_1(controllers: list[str], path: str) -> dict[str, Path]:
    folders = {name: ROOT / name / path.lstrip("/") for name in controllers if name in FILES}
    return {
        name: folder
        for name, folder in folders.items()
        if (folder / "cgroup.procs").exists() and os.access(folder, os.W_OK)
    }


def tree(pid: int) -> list[int]:
    """Returns the process ids of a process and of all below it."""
    pids = [pid]
    for parent in pids:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                pids += [
                    int(child)
                    for child in Path(f"/proc/{parent}/task/{task}/children").read_text().split()
                ]
    return pids


def enclose(pid: int, name: str) -> Group | None:
    """Puts a process, all below it and all that they will start, into a new group.

    Returns None where the machine offers none or refuses.
    """
    made: list[Path] = []
    try:
        for controller, parent in offered().items():
            _sweep(parent)
            folder = parent / f"{PREFIX}{os.getpid()}-{name}"
            if folder not in made:
                folder.mkdir(exist_ok=True)
                made.append(folder)
            file = next(folder / file for file in FILES[controller] if (folder / file).exists())
            file.write_text(str(_limit(controller)))
        group = Group(tuple(made))
        if made:
            group.take(pid)
    except (OSError, StopIteration):
        Group(tuple(made)).close()
        return None
    return group if made else None


def _limit(controller: str) -> int:
    if controller == "pids":
        return PROCESSES
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MEMORY_SHARE)


def _sweep(parent: Path) -> None:
    """Removes the groups of judges that were killed; the kernel keeps those in use."""
    for folder in parent.glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
