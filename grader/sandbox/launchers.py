"""Builds the room: a launcher turns a framework into the command that starts its zygote there.

What the room holds is listed here and nowhere else: the interpreter and its standard library, the C
library, the packages of one framework, the folder `inside` and `case.py`. Everything is read-only;
the bank, the references, the answers and the rest of this package are not in it. A container has
the same mounts and an empty image (docs/design/empty-image.md).
"""

import functools
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.errors import RoomError
from grader.findings.text import T_
from grader.frameworks import INSTALL
from grader.model import Framework

PACKAGE = Path(__file__).resolve().parents[1]
MOUNTED = ("__init__.py", "case.py", "inside")  # of this package
ZYGOTE = "grader/inside/zygote.py"
NUMPY = ("numpy", "numpy.libs")
PACKAGES = {
    Framework.NUMPY: NUMPY,
    Framework.TORCH: (
        *NUMPY,
        *"torch torchgen functorch torch.libs typing_extensions.py sympy mpmath networkx jinja2"
        " markupsafe filelock fsspec".split(),
    ),
}
NAMESPACES = "user,pid,mount,net,ipc,uts,cgroup"
UNSHARED = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try"
)
DEVICES = "--tmpfs /dev --dev-bind /dev/null /dev/null --dev-bind /dev/urandom /dev/urandom"
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
ENVIRONMENT = {**ONE_THREAD, "HOME": "/", "LC_ALL": "C.UTF-8", "KMP_AFFINITY": "disabled"}
# an engine makes these writable (one submission could leave notes for the next), or shows the
# machine there
ENGINE_FOLDERS = ("/tmp", "/dev/shm", "/dev/mqueue", "/dev/pts", "/sys")
DOCKER_IMAGE = "attention-judge-room:empty"


@dataclass(frozen=True, slots=True)
class Launch:
    """A command that starts a zygote.

    `socket_path` is set when the zygote must connect, instead of inheriting a descriptor.
    """

    argv: list[str]
    environment: dict[str, str]
    sealed: bool
    socket_path: str = ""
    stop: tuple[str, ...] = ()  # a command that ends it for certain
    # False: the room has its own kernel (gVisor), so this machine's /proc shows no child
    same_kernel: bool = True


def interpreter() -> str:
    """Returns the real path of this Python, which runs in the room."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def _python(zygote: str, framework: Framework, control: str, namespaces: str) -> list[str]:
    return [interpreter(), *"-I -S -B -X utf8".split(), zygote, str(framework), control, namespaces]


def mounts(framework: Framework) -> list[tuple[str, str]]:
    """Returns (path outside, path inside) of everything that the room can read."""
    stdlib = sysconfig.get_path(
        "stdlib", vars={"installed_base": sys.base_prefix, "base": sys.base_prefix}
    )
    dynload = sysconfig.get_config_var("DESTSHARED") or os.path.join(stdlib, "lib-dynload")
    python = [
        interpreter(),
        stdlib,
        dynload if not dynload.startswith(stdlib) else "",
        *_shared_python(),
        *_c_library(),
    ]
    inside = [(path, path) for path in dict.fromkeys(python) if path and os.path.exists(path)]
    inside += [(path, f"/room/lib/{os.path.basename(path)}") for path in _packages(framework)]
    return [*inside, *((str(PACKAGE / name), f"/room/grader/{name}") for name in MOUNTED)]


def _shared_python() -> list[str]:
    folder, name = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("INSTSONAME")
    return (
        [os.path.join(folder, name)]
        if (folder and name and name.endswith(("so", "1.0"))) or ".so" in (name or "")
        else []
    )


def _c_library() -> list[str]:
    triplet = sysconfig.get_config_var("MULTIARCH") or ""
    folders = (
        [f"/usr/lib/{triplet}", f"/lib/{triplet}"]
        if triplet and os.path.isdir(f"/usr/lib/{triplet}")
        else ["/usr/lib64", "/lib64"]
    )
    loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
    return [*folders, *loaders]


def _packages(framework: Framework) -> list[str]:
    spec = importlib.util.find_spec(str(framework))
    if spec is None or not spec.submodule_search_locations:
        words = T_(
            "%(framework)s is not installed for %(python)s; install it with this project: make"
            " setup, or %(command)s",
            framework=str(framework),
            python=sys.executable,
            command=INSTALL,
        )
        raise RoomError(words)
    site = Path(next(iter(spec.submodule_search_locations))).parent
    return [str(site / name) for name in PACKAGES[framework] if (site / name).exists()]


def _hidden(paths: list[tuple[str, str]]) -> list[str]:
    """Returns the folders with other packages inside the mounted ones."""
    return [
        inner
        for _, path in paths
        for inner in (f"{path}/site-packages", f"{path}/dist-packages")
        if os.path.isdir(inner)
    ]


def bubblewrap(framework: Framework, control_fd: int) -> Launch:
    """Builds a room of unprivileged namespaces. Raises `RoomError` without bubblewrap."""
    program = shutil.which("bwrap")
    if program is None:
        words = T_(
            "bubblewrap is not installed, so there is no sealed room; install it (Debian, Ubuntu:"
            " apt install bubblewrap), or judge your own code without isolation:"
            " --isolation process"
        )
        raise RoomError(words)
    paths = mounts(framework)
    argv = [program, *UNSHARED.split()]
    argv += "--die-with-parent --new-session --cap-drop ALL --hostname room --clearenv".split()
    argv += [word for key, value in ENVIRONMENT.items() for word in ("--setenv", key, value)]
    for outside, inside in paths:
        argv += ["--ro-bind", outside, inside]
    for hidden in _hidden(paths):
        argv += ["--tmpfs", hidden, "--remount-ro", hidden]
    argv += [*_proc(program), *DEVICES.split()]
    argv += "--remount-ro /dev --dir /tmp --chdir /tmp --remount-ro / --".split()
    return Launch(
        argv + _python(f"/room/{ZYGOTE}", framework, str(control_fd), NAMESPACES), {}, sealed=True
    )


def _proc(program: str) -> list[str]:
    """Returns the arguments for a new /proc, or for a read-only view where the kernel refuses one.

    It refuses inside most containers.
    """
    return ["--proc", "/proc"] if _new_proc(program) else ["--ro-bind", "/proc", "/proc"]


@functools.cache
def _new_proc(program: str) -> bool:
    if _whole_proc(Path("/proc/self/mountinfo")):
        return True
    options = "--unshare-user --unshare-pid --ro-bind / / --proc /proc -- /bin/true"
    return (
        subprocess.run([program, *options.split()], capture_output=True, timeout=30).returncode == 0
    )


def _whole_proc(mounts: Path) -> bool:
    """Returns whether this machine's /proc is all to be seen, as the table of mounts has it.

    The kernel then allows a new one (fs/namespace.c, `mnt_already_visible`), and to try it first
    would take longer than all else that builds a room. A mount in a directory that is always empty
    hides nothing.
    """
    try:
        rows = [line.split() for line in mounts.read_text().splitlines()]
    except OSError:
        return False
    mounted = {row[4]: (row[3], row[5].split(",")) for row in rows}
    root, options = mounted.get("/proc", ("", []))
    hidden = any(p.startswith("/proc/") and p != "/proc/sys/fs/binfmt_misc" for p in mounted)
    return root == "/" and {"rw", "relatime"} <= set(options) and not hidden


def docker(framework: Framework, runtime: str = "") -> Launch:
    """Builds a room in a container of an engine on this machine that the `docker` command reaches.

    The image is empty: the files of the room are mounted read-only, as for bubblewrap, so nothing
    is pulled or built. Raises `RoomError` when no engine answers.
    """
    program = shutil.which("docker")
    if program is None:
        words = T_(
            "the docker command is not installed; install an engine, or use --isolation bubblewrap"
        )
        raise RoomError(words)
    _docker_image(program)
    read = mounts(framework)  # may raise; nothing is made before
    folder = tempfile.mkdtemp(prefix="grade-room-")
    os.chmod(folder, 0o755)
    name = os.path.basename(folder)
    argv = [program, "run", "--rm", "--name", name]
    argv += "--network none --read-only --cap-drop ALL --user 1000:1000".split()
    # Every child installs a filter stricter than the engine's, which would refuse its namespaces.
    for option in ("no-new-privileges", "seccomp=unconfined", "apparmor=unconfined"):
        argv += ["--security-opt", option]
    argv += "--pids-limit 256 --hostname room --workdir / --log-driver none".split()
    argv += ["--runtime", runtime] * bool(runtime)
    paths = [*read, (folder, "/room/io")]
    for outside, inside in paths:
        argv += ["--volume", f"{outside}:{inside}:ro"]
    for hidden in (*_hidden(paths), *ENGINE_FOLDERS):
        argv += ["--tmpfs", f"{hidden}:ro,size=4k,mode=555"]
    for key, value in ENVIRONMENT.items():
        argv += ["--env", f"{key}={value}"]
    namespaces = "-" if runtime == "runsc" else NAMESPACES
    argv += [DOCKER_IMAGE, *_python(f"/room/{ZYGOTE}", framework, "/room/io/control", namespaces)]
    return Launch(
        argv,
        dict(os.environ),
        True,
        f"{folder}/control",
        (program, "rm", "--force", name),
        same_kernel=runtime != "runsc",
    )


def listen(listener: socket.socket, path: str) -> None:
    """Lets a zygote in a container connect. Raises `RoomError`, as where the path is too long."""
    try:
        listener.bind(path)
    except OSError as error:
        words = T_(
            "cannot make the socket %(path)s: %(error)s; set TMPDIR to a folder with a short path",
            path=path,
            error=str(error),
        )
        raise RoomError(words) from None
    os.chmod(path, 0o666)
    listener.listen(1)


def _docker_image(program: str) -> None:
    try:
        if (
            subprocess.run(
                [program, "image", "inspect", DOCKER_IMAGE], capture_output=True, timeout=30
            ).returncode
            == 0
        ):
            return
        empty = subprocess.run(
            ["tar", "-c", "-T", "/dev/null"], capture_output=True, check=True
        ).stdout
        made = subprocess.run(
            [program, "import", "-", DOCKER_IMAGE], input=empty, capture_output=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError) as error:
        words = T_(
            "no container engine answers: %(error)s; start one, or use --isolation bubblewrap",
            error=str(error),
        )
        raise RoomError(words) from None
    if made.returncode != 0:
        text = made.stderr.decode(errors="replace").strip().splitlines()[-1:]
        words = T_(
            "no container engine answers (%(error)s); start one, or use --isolation bubblewrap",
            error=" ".join(text),
        )
        raise RoomError(words)


def process(framework: Framework, control_fd: int) -> Launch:
    """Starts a plain process under this user, for one's own code: nothing isolates it.

    Time and memory are still limited. Raises `RoomError` on a system without fork.
    """
    if os.name != "posix":
        words = T_("--isolation process needs fork (Linux, macOS); on Windows run this in WSL 2")
        raise RoomError(words)
    argv = _python(str(PACKAGE.parent / ZYGOTE), framework, str(control_fd), "-")
    argv[0] = sys.executable
    argv.remove("-S")
    return Launch(argv, {**ENVIRONMENT, "HOME": os.environ.get("HOME", "/")}, sealed=False)
