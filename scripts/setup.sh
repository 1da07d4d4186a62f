#!/bin/sh
# System packages (through apt where root or sudo is there), then a virtual environment with pinned packages. Safe to run again.
# FRAMEWORKS=numpy leaves PyTorch out; FRAMEWORKS=all, the default, installs both. The choice is kept for the next run.
# PYTHON=/path/to/python3 chooses the interpreter; without it, one that was built with optimizations is preferred.
set -eu

VENV=${VENV:-.venv}
FRAMEWORKS=${FRAMEWORKS:-$(cat "$VENV/frameworks" 2>/dev/null || echo all)}

say() { printf 'setup: %s\n' "$*"; }

ask() { "$1" -c "import sys, sysconfig; $2" >/dev/null 2>&1; }
usable() { ask "$1" 'sys.exit(sys.version_info < (3, 11))'; }
# distributions optimize all, and do not all say so
optimized() { ask "$1" 'sys.exit("--enable-optimizations" not in (sysconfig.get_config_var("CONFIG_ARGS") or "") and sys.base_prefix != "/usr")'; }
has_venv() { [ "$(id -u)" -eq 0 ] || ask "$1" 'import venv, ensurepip'; } # root can install it

# Version managers often build Python without optimizations, and then everything here takes 1.15 times as long.
choose_python() {
    system=/usr/bin/python3
    if usable python3 && ! optimized python3 && usable $system && optimized $system && has_venv $system; then
        echo $system
    else
        echo python3
    fi
}

if [ -z "${PYTHON:-}" ]; then
    PYTHON=$(choose_python)
    [ -x "$VENV/bin/python" ] || [ "$PYTHON" = python3 ] ||
        say "using $PYTHON: $(command -v python3) was built without optimizations; PYTHON=/path/to/python3 chooses another"
fi

need_system() {
    missing=""
    command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
    ldconfig -p 2>/dev/null | grep -q libseccomp.so.2 || [ -n "$(ls /usr/lib/*/libseccomp.so.2 /lib/*/libseccomp.so.2 /usr/lib64/libseccomp.so.2 2>/dev/null)" ] || missing="$missing libseccomp2"
    "$PYTHON" -c 'import venv, ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
    printf '%s' "$missing"
}

install_system() {
    missing=$(need_system)
    [ -z "$missing" ] && return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        say "these system packages are missing:$missing; install them with this system's package manager, then run make again" >&2
        return 1
    fi
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
            as_root="sudo -n"
        else
            say "these system packages are missing; please run: sudo apt-get install$missing" >&2
            return 1
        fi
    fi
    say "installing$missing"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2; exit 1; }
case $FRAMEWORKS in
    all) EXTRAS=torch,server,scale,dev ;;
    numpy) EXTRAS=server,scale,dev ;;
    *) say "FRAMEWORKS is '$FRAMEWORKS'; choose numpy or all" >&2; exit 1 ;;
esac
install_system
[ -x "$VENV/bin/python" ] || { say "making $VENV"; "$PYTHON" -m venv "$VENV"; }
# On x86-64 Linux the default torch brings gigabytes of CUDA; TORCH_INDEX_URL may name an index with CPU builds of the same version.
if [ "$FRAMEWORKS" = all ] && ! "$VENV/bin/python" -c 'import torch' >/dev/null 2>&1; then
    say "installing torch (the largest of all; minutes on a slow line)"
    version=$(sed -n 's/^torch==\([0-9.]*\).*/\1/p' constraints.txt)
    "$VENV/bin/pip" install -q --disable-pip-version-check ${TORCH_INDEX_URL:+--index-url "$TORCH_INDEX_URL"} "torch==$version"
fi
say "installing the project"
"$VENV/bin/pip" install -q --disable-pip-version-check -c constraints.txt -e ".[$EXTRAS]"
# The sealed room never writes bytecode, and some environments keep none: each run would compile all anew, in 60 ms and more.
"$VENV/bin/python" -m compileall -q grader server
echo "$FRAMEWORKS" > "$VENV/frameworks"
say "done"
