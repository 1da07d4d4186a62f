"""Building the room: a launcher turns a framework into the command that starts its zygote there.

What the room holds is listed here and nowhere else: the interpreter and its standard library, the C
library, the packages of one framework, the folder `inside` and `case.py`. Everything is read-only;
the bank, the references, the answers and the rest of this package are not in it.
"""

import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.errors import RoomError
from grader.model import Framework

PACKAGE = Path(__file__).resolve().parents[1]
MOUNTED = ("__init__.py", "case.py", "inside")  # of this package
ZYGOTE = "grader/inside/zygote.py"
NUMPY = ("numpy", "numpy.libs", "safetensors")
PACKAGES = {
    Framework.NUMPY: NUMPY,
    Framework.TORCH: (
        *NUMPY,
        *"torch torchgen functorch torch.libs typing_extensions.py sympy mpmath networkx jinja2"
        " markupsafe filelock fsspec".split(),
    ),
}
NAMESPACES = "user,pid,mount,net,ipc,uts,cgroup"
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
ENVIRONMENT = {**ONE_THREAD, "HOME": "/", "LC_ALL": "C.UTF-8", "KMP_AFFINITY": "disabled"}
# an engine makes them writable (one submission's notes were read by the next), or tells of the
# machine there
ENGINE_FOLDERS = (
    "/tmp",
    "/dev/shm",
    "/dev/mqueue",
    "/dev/pts",
    "/sys",
)
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
    # False: a kernel of its own (gVisor) stands between, and this machine's /proc tells nothing of
    # a child
    same_kernel: bool = True


def interpreter() -> str:
    """The real path of the Python that runs in the room: this one, outside any virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def _python(zygote: str, framework: Framework, control: str, namespaces: str) -> list[str]:
    return [
        interpreter(),
        "-I",
        "-S",
        "-B",
        "-X",
        "utf8",
        zygote,
        str(framework),
        control,
        namespaces,
    ]


def mounts(framework: Framework) -> list[tuple[str, str]]:
    """(path outside, path inside) of everything that the room can read."""
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
        raise RoomError(
            f"{framework} is not installed for {sys.executable}; install this project's"
            " dependencies (make setup)"
        )
    site = Path(next(iter(spec.submodule_search_locations))).parent
    return [str(site / name) for name in PACKAGES[framework] if (site / name).exists()]


def _hidden(paths: list[tuple[str, str]]) -> list[str]:
    """Folders inside a mounted one that hold other people's packages."""
    return [
        inner
        for _, path in paths
        for inner in (f"{path}/site-packages", f"{path}/dist-packages")
        if os.path.isdir(inner)
    ]


def bubblewrap(framework: Framework, control_fd: int) -> Launch:
    """A room of unprivileged namespaces. Raises `RoomError` when bubblewrap is missing."""
    program = shutil.which("bwrap")
    if program is None:
        raise RoomError(
            "bubblewrap is not installed, so there is no sealed room; install it (Debian, Ubuntu:"
            " apt install bubblewrap), or judge your own code without a wall: --isolation process"
        )
    paths = mounts(framework)
    argv = [
        program,
        "--unshare-user",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    argv += [
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--hostname",
        "room",
        "--clearenv",
    ]
    argv += [word for key, value in ENVIRONMENT.items() for word in ("--setenv", key, value)]
    for outside, inside in paths:
        argv += ["--ro-bind", outside, inside]
    for hidden in _hidden(paths):
        argv += ["--tmpfs", hidden, "--remount-ro", hidden]
    argv += [
        *_proc(program),
        "--tmpfs",
        "/dev",
        "--dev-bind",
        "/dev/null",
        "/dev/null",
        "--dev-bind",
        "/dev/urandom",
        "/dev/urandom",
    ]
    argv += ["--remount-ro", "/dev", "--dir", "/tmp", "--chdir", "/tmp", "--remount-ro", "/", "--"]
    return Launch(
        argv + _python(f"/room/{ZYGOTE}", framework, str(control_fd), NAMESPACES), {}, sealed=True
    )


def _proc(program: str) -> list[str]:
    """A new /proc for the zygote; inside a container, where the kernel refuses that, a read-only
    view of the container's.
    """
    return ["--proc", "/proc"] if _new_proc(program) else ["--ro-bind", "/proc", "/proc"]


@functools.cache
def _new_proc(program: str) -> bool:
    probe = [
        program,
        "--unshare-user",
        "--unshare-pid",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--",
        "/bin/true",
    ]
    return subprocess.run(probe, capture_output=True, timeout=30).returncode == 0


def docker(framework: Framework, runtime: str = "") -> Launch:
    """A room in a container of any engine that the `docker` command reaches, on this machine.
    Raises `RoomError` when none answers.

    The image is empty: the room's files are mounted from here, read-only, just as for bubblewrap,
    so nothing is pulled or built.
    """
    program = shutil.which("docker")
    if program is None:
        raise RoomError(
            "the docker command is not installed; install an engine, or use --isolation bubblewrap"
        )
    _docker_image(program)
    folder = tempfile.mkdtemp(prefix="grade-room-")
    os.chmod(folder, 0o755)
    name = os.path.basename(folder)
    argv = [
        program,
        "run",
        "--rm",
        "--name",
        name,
        "--network",
        "none",
        "--read-only",
        "--cap-drop",
        "ALL",
        "--user",
        "1000:1000",
    ]
    # Our own filter, stricter than the engine's, is installed by every child; the engine's would
    # refuse the children's namespaces.
    argv += [
        "--security-opt",
        "no-new-privileges",
        "--security-opt",
        "seccomp=unconfined",
        "--security-opt",
        "apparmor=unconfined",
    ]
    argv += ["--pids-limit", "256", "--hostname", "room", "--workdir", "/", "--log-driver", "none"]
    argv += ["--runtime", runtime] * bool(runtime)
    paths = [*mounts(framework), (folder, "/room/io")]
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
        raise RoomError(
            f"no container engine answers: {error}; start one, or use --isolation bubblewrap"
        ) from None
    if made.returncode != 0:
        text = made.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise RoomError(
            f"no container engine answers ({' '.join(text)}); start one, or use --isolation"
            " bubblewrap"
        )


def process(framework: Framework, control_fd: int) -> Launch:
    """No wall at all: a plain process under this user, for one's own code.

    Time and memory are still limited.
    """
    if os.name != "posix":
        raise RoomError(
            "--isolation process needs fork (Linux, macOS); on Windows run this in WSL 2"
        )
    argv = _python(str(PACKAGE.parent / ZYGOTE), framework, str(control_fd), "-")
    argv[0] = sys.executable
    argv.remove("-S")
    return Launch(argv, {**ENVIRONMENT, "HOME": os.environ.get("HOME", "/")}, sealed=False)
