"""Writes what the editor completes: the public names of NumPy and PyTorch with their signatures.

`python scripts/completions.py` reads the installed libraries and writes
`server/web/frontend/src/completion/names.json`; `--check` changes nothing, and fails when the file
differs. Run it after a change of the versions in `constraints.txt`.

In the file, a module or a class has the list of its names, each with its signature where it can be
called, such as `softmax(input, dim=None)`.
"""

import argparse
import importlib
import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "server" / "web" / "frontend" / "src" / "completion" / "names.json"

MODULES = (
    "numpy",
    "numpy.lib.stride_tricks",
    "numpy.linalg",
    "numpy.random",
    "torch",
    "torch.autograd",
    "torch.func",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
)
CLASSES = ("numpy.ndarray", "torch.Tensor", "torch.nn.Module")
LONGEST = 120  # characters of a signature
# how a class is called whose code does not say it
CALLS = {
    "torch.Generator": "(device='cpu')",
    "torch.Size": "(sizes)",
    "torch.Tensor": "",
    "torch.device": "(type, index=None)",
    "torch.dtype": "",
    "torch.finfo": "(type)",
    "torch.iinfo": "(type)",
}
# what a library's module has only because it imports it, and what is for those who build it
FOREIGN = ("builtins", "collections", "functools", "typing", "typing_extensions", "warnings")
# what needs files, a compiler, other processes or a graphics processor: the room has none of them
OUTSIDE = re.compile(
    r"numpy\.(load|loadtxt|genfromtxt|fromfile|fromregex|memmap|save|savez|savez_compressed|savetxt)"
    r"|numpy\.ndarray\.(dump|tofile)"
    r"|torch\.(load|save|from_file|compile|prepare_multiprocessing_environment|profiler_\w+)"
    r"|torch\.(Tensor|nn\.Module)\.(compile|cuda|share_memory_?)"
)
INTERNAL = re.compile(r"test|_get_\w+|(assert_int_or|has_torch_function|handle_torch)\w*")


def main() -> int:
    """Writes or compares the file; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail when it differs")
    arguments = parser.parse_args()
    text = json.dumps(collected(), indent=1, ensure_ascii=False) + "\n"
    if not arguments.check:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(text)
        return 0
    if FILE.read_text() == text:
        return 0
    print(f"{FILE.relative_to(ROOT)} is not what the installed libraries have:", file=sys.stderr)
    print("run python scripts/completions.py", file=sys.stderr)
    return 1


def collected() -> dict[str, Any]:
    """Returns the versions of the libraries, and the lines of each module and class."""
    owners = {path: importlib.import_module(path) for path in MODULES}
    versions = {name: importlib.import_module(name).__version__ for name in ("numpy", "torch")}
    for path in CLASSES:
        module, _, name = path.rpartition(".")
        owners[path] = getattr(importlib.import_module(module), name)
    return {
        "versions": {name: version.partition("+")[0] for name, version in versions.items()},
        "names": {path: lines(path, owner) for path, owner in owners.items()},
    }


def lines(path: str, owner: Any) -> list[str]:
    """The public names of a module or a class with their signatures, in alphabetical order."""
    said = {
        name: signature(path, name, value)
        for name, value in members(path, owner).items()
        if not OUTSIDE.fullmatch(f"{path}.{name}")
    }
    return [name + call for name, call in sorted(said.items()) if call is not None]


def members(path: str, owner: Any) -> dict[str, Any]:
    """What is public in a module or a class and belongs to its library."""
    names = [n for n in dir(owner) if not n.startswith("_") and not INTERNAL.fullmatch(n)]
    if inspect.isclass(owner):
        return {name: inspect.getattr_static(owner, name) for name in names}
    values = {name: getattr(owner, name) for name in names}
    return {name: v for name, v in values.items() if is_own(f"{path}.{name}", v)}


def is_own(path: str, value: Any) -> bool:
    """Whether a name of a module is one to compute with: a listed module, a function or a class of
    the library, or a number or a dtype.
    """
    if inspect.ismodule(value):
        return path in MODULES
    if path.startswith("torch.") and path.count(".") == 1 and re.match("[A-Z]", path[6:]):
        return path in CALLS  # the others are of the compiler
    if callable(value):
        origin = str(getattr(value, "__module__", ""))
        return path in CALLS or origin.partition(".")[0] not in FOREIGN
    return not path.startswith("torch.") or type(value).__name__ in ("dtype", "float", "NoneType")


def signature(path: str, name: str, value: Any) -> str | None:
    """How a function, method or class is called, in brackets; nothing for what is not called, and
    None for what nobody says how to call.
    """
    if f"{path}.{name}" in CALLS:
        return CALLS[f"{path}.{name}"]
    if isinstance(value, property) or not callable(value) or inspect.isdatadescriptor(value):
        return ""
    text = from_code(value) or from_docstring(name, value)
    text = re.sub(r"^\((self|cls)(, /)?(, |(?=\)))", "(", text.replace("<no value>", "…"))
    if not text and path in CLASSES:
        return "(…)"
    if "arg0" in text:  # parameters without names: a compiled function for the library itself
        return None
    return shortened(text) or ("()" if inspect.isclass(value) and inspect.getdoc(value) else None)


def shortened(call: str) -> str:
    """A signature that fits into a list: without its last parameters, where it is long."""
    return call if len(call) <= LONGEST else call[: LONGEST - 2].rpartition(",")[0] + ", …)"


def from_code(value: Any) -> str:
    """The public parameters with their defaults, without types; nothing where Python knows none."""
    try:
        signed = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = signed.parameters.values()
    kept = [p.replace(annotation=p.empty) for p in parameters if not p.name.startswith("_")]
    if [p.kind for p in kept] == [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return ""
    plain = str(inspect.Signature(kept)).replace("<no value>", "…")
    return re.sub(r"<(?:class '|built-in function )?([\w.]+)[^<>]*>", r"\1", plain)


def from_docstring(name: str, value: Any) -> str:
    """The beginning of a docstring, where a compiled function writes its signature."""
    start = rf"(?:[\w.]+\.)?(?:{re.escape(name)}|__init__)"
    match = re.match(start + r"(\((?:[^()]|\([^()]*\))*\))", inspect.getdoc(value) or "")
    if not match or match[1] == "(...)":
        return ""
    flat = re.sub(r",(?=\S)", ", ", re.sub(r"\s+", " ", match[1].replace("\\*", "*")))
    untyped = re.sub(r": ?(?:[A-Z]\w*\[[^=]*\]|Tensor|Any|int|float|bool|str)(?= ?[,)=])", "", flat)
    plain = re.sub(r"\b(?:bool|int|Tensor) (?=\w+=)", "", untyped).replace(" = ", "=")
    return re.sub(r", _\w+(=[^,()]*)?(?=[,)])", "", plain)


if __name__ == "__main__":
    sys.exit(main())
