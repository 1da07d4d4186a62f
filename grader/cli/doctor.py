"""What the room needs from this machine: present or missing, with the command that mends it."""

import contextlib
import ctypes.util
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader import storage
from grader.case import Case
from grader.cli.language import _
from grader.cli.terminal import error_told
from grader.errors import GradeError
from grader.frameworks import INSTALL, installed
from grader.model import Ended, Framework, Kind, Limits
from grader.problem import Entry
from grader.sandbox import Job, cgroup, open_sandbox

APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
CLONE = Path("/proc/sys/kernel/unprivileged_userns_clone")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `needed` marks those without which nothing is sealed."""

    name: str
    ok: bool
    state: str
    remedy: str = ""
    needed: bool = True


def examine() -> Iterator[Check]:
    """Look at everything, cheapest first."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check("python", sys.version_info >= (3, 11), version, _("install Python 3.11 or newer"))
    yield Check(
        "linux",
        sys.platform == "linux",
        platform.platform(),
        _("sealed rooms need Linux; elsewhere use --isolation process or docker"),
    )
    for name in ("numpy", "torch", "safetensors", "pyseccomp"):
        there = importlib.util.find_spec(name) is not None
        yield Check(
            name,
            there,
            _("installed") if there else _("missing"),
            _("only for PyTorch: %(command)s") % {"command": INSTALL}
            if name == "torch"
            else "make setup",
            needed=name != "torch",
        )
    seccomp = ctypes.util.find_library("seccomp")
    yield Check("libseccomp", bool(seccomp), seccomp or _("missing"), "apt install libseccomp2")
    bwrap = shutil.which("bwrap")
    yield Check("bubblewrap", bool(bwrap), bwrap or _("missing"), "apt install bubblewrap")
    yield from _user_namespaces()
    yield from _memory_walls()
    yield from _rooms(bool(bwrap))
    yield from _docker()
    yield _secret()


def _user_namespaces() -> Iterator[Check]:
    with contextlib.suppress(OSError):
        if CLONE.exists() and CLONE.read_text().strip() == "0":
            yield Check(
                _("user namespaces"),
                False,
                _("switched off"),
                "sysctl -w kernel.unprivileged_userns_clone=1",
            )
            return
        if APPARMOR.exists() and APPARMOR.read_text().strip() == "1" and os.geteuid() != 0:
            remedy = _(
                "allow them for bwrap with an AppArmor profile, or sysctl -w"
                " kernel.apparmor_restrict_unprivileged_userns=0"
            )
            yield Check(
                _("user namespaces"),
                True,
                _("restricted by AppArmor; the rooms below tell whether that matters"),
                remedy,
                needed=False,
            )
            return
    limit = Path("/proc/sys/user/max_user_namespaces")
    allowed = limit.read_text().strip() if limit.exists() else "unknown"
    yield Check(
        _("user namespaces"),
        allowed != "0",
        _("at most %(limit)s") % {"limit": allowed},
        "sysctl -w user.max_user_namespaces=10000",
    )


def _memory_walls() -> Iterator[Check]:
    yield Check(
        _("memory wall 1"), True, _("address-space limit and system-call filter in every child")
    )
    groups = cgroup.offered()
    state = (
        _("a control group for each room, below %(folder)s") % {"folder": groups["memory"]}
        if groups
        else _("no control group is delegated")
    )
    remedy = _("run under systemd with Delegate=memory pids for a second wall")
    yield Check(_("memory wall 2"), bool(groups), state, remedy, needed=False)


def _rooms(possible: bool) -> Iterator[Check]:
    for framework in installed():
        name = _("sealed room, %(framework)s") % {"framework": framework}
        if not possible:
            yield Check(
                name, False, _("not tried: bubblewrap is missing"), "apt install bubblewrap"
            )
            continue
        yield _try_room(name, "bubblewrap", framework, framework is Framework.NUMPY)


def _try_room(name: str, isolation: str, framework: Framework, needed: bool) -> Check:
    source = "def probe():\n    return True\n"
    job = Job(
        source,
        framework,
        Kind.FUNCTION,
        (Entry("probe", (), ("answer",)),),
        (Case("probe"),),
        Limits(),
    )
    try:
        with open_sandbox(isolation) as sandbox:
            run = next(iter(sandbox.run(job)))
    except GradeError as error:
        return Check(
            name,
            False,
            error_told(error),
            _('see docs/sandbox.md, "When the room does not start"'),
            needed,
        )
    ok = run.ended is Ended.RETURNED
    return Check(
        name,
        ok,
        _("answers") if ok else f"{run.ended} {run.error}",
        _('see docs/sandbox.md, "When the room does not start"'),
        needed,
    )


def _docker() -> Iterator[Check]:
    program = shutil.which("docker")
    answers = False
    if program:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            answers = (
                subprocess.run([program, "version"], capture_output=True, timeout=10).returncode
                == 0
            )
    none = _("no engine answers") if program else _("missing")
    state = _("an engine answers") if answers else none
    yield Check(
        "docker", answers, state, _("only for --isolation docker: start an engine"), needed=False
    )


def _secret() -> Check:
    """Where the secret of the hidden inputs is kept; it is made now when there is none."""
    storage.installation_secret()
    kept = storage.trouble() is None
    return Check(
        _("secret of the hidden inputs"),
        kept,
        str(storage.data_folder() / "secret") if kept else _("not kept"),
        _("let GRADE_HOME name a folder of yours"),
        needed=False,
    )
