"""A second wall where the machine offers one: a control group of our own for a room, with limits on
memory and on processes.

The first wall (limits and filter in each child) does not need it. This one bounds a whole room,
whatever it does, so that the kernel ends the room and not its neighbours. Version 2 must have been
delegated (`memory` and `pids` in `cgroup.subtree_control` of the group that this process is in);
version 1 must be writable. Groups are made below the current one only, and removed when the room is
closed.
"""

import contextlib
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
PREFIX = "attention-judge-"
PROCESSES = 256  # of a room: the zygote and one process for each submission under way
MEMORY_SHARE = 0.75  # of the machine's memory
FILES = {"memory": ("memory.max", "memory.limit_in_bytes"), "pids": ("pids.max",)}


@dataclass(frozen=True, slots=True)
class Group:
    """The folders of one group; one for each controller in version 1."""

    folders: tuple[Path, ...]

    def close(self) -> None:
        """Remove it. Its processes have been killed; the kernel takes a moment to forget them."""
        for folder in self.folders:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    folder.rmdir()
                if not folder.exists():
                    break
                time.sleep(0.01)


def offered() -> dict[str, Path]:
    """The folder in which a group can be made, by controller; empty where there is no second wall."""
    found: dict[str, Path] = {}
    with contextlib.suppress(OSError):
        for line in OWN.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            found |= (
                _version_2(path) if not controllers else _version_1(controllers.split(","), path)
            )
    return found if set(FILES) <= set(found) else {}


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
    """A process and all below it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                found += [
                    int(child)
                    for child in Path(f"/proc/{parent}/task/{task}/children").read_text().split()
                ]
    return found


def enclose(pids: Iterable[int], name: str) -> Group | None:
    """Put processes, and all that they will start, into a new group.

    None where the machine offers none or refuses.
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
        for folder in made:
            for pid in pids:
                (folder / "cgroup.procs").write_text(str(pid))
    except (OSError, StopIteration):
        Group(tuple(made)).close()
        return None
    return Group(tuple(made)) if made else None


def _limit(controller: str) -> int:
    if controller == "pids":
        return PROCESSES
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MEMORY_SHARE)


def _sweep(parent: Path) -> None:
    """Remove groups of judges that were killed before they could; the kernel keeps those that are
    in use.
    """
    for folder in parent.glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
