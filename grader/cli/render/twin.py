"""A public case as a Python script that anyone can run: `grade twin PROBLEM CASE`."""

import zlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np

from grader.answers import Answer
from grader.case import Case
from grader.cli.language import _, chosen
from grader.cli.render.expressions import actual, put_together, refillable, refilled, variable
from grader.errors import UsageError
from grader.findings.text import T_
from grader.inside.nested import TEXT
from grader.model import Framework, Kind
from grader.problem import Entry, Problem
from grader.verdict.translate import translator

WRITTEN_OUT = 4096  # entries of all arrays together that are still written as literals


def arrays(answer: Answer) -> dict[str, np.ndarray]:
    """Inputs, parameters, earlier inputs and expected results, under the names that the script
    gives them.
    """
    case = answer.case
    return (
        {variable(name): array for name, array in case.inputs.items()}
        | {f"before_{variable(name)}": array for name, array in case.before.items()}
        | {f"state_{name.replace('.', '_')}": array for name, array in case.state.items()}
        | {
            _expected(name): each.values
            for name, each in answer.expected.items()
            if not name.startswith("after.") and each.dtype != TEXT
        }
    )


def script(
    problem: Problem, framework: Framework, answer: Answer, saved: Path | None = None
) -> str:
    """The case as Python: it imports `solution`, makes the call and compares. Arrays are literals,
    or come from `saved`.

    Raises `UsageError` when they are too large to be literals and no file is named.
    """
    case, tensors = answer.case, arrays(answer)
    if saved is None and sum(array.size for array in tensors.values()) > WRITTEN_OUT:
        largest = max(tensors, key=lambda name: tensors[name].size)
        words = T_(
            "%(problem)s: the arrays of '%(case)s' are too large to print (%(tensor)s has shape"
            " %(shape)s); let --save FILE.npz keep them in a file",
            problem=problem.slug,
            case=case.name,
            tensor=largest,
            shape=str(tensors[largest].shape),
        )
        raise UsageError(words)
    head, body = _head(problem, framework, case, saved), _body(problem, framework, answer)
    return "\n".join([*head, "", *_data(tensors, saved), *body, ""])


def _head(problem: Problem, framework: Framework, case: Case, saved: Path | None) -> Iterator[str]:
    words = translator(problem, chosen())
    title = (
        _("# %(problem)s: sample '%(case)s'. %(note)s")
        if case.sample
        else _("# %(problem)s: public twin of the hidden case '%(case)s'. %(note)s")
    )
    note = words.note(case.name, case.note)
    yield (title % {"problem": problem.slug, "case": case.name, "note": note}).rstrip()
    yield _("# Keep your solution beside this file as solution.py.")
    yield "import numpy as np"
    if framework is Framework.TORCH:
        yield "import torch"
    names = (
        [e.name for e in problem.entries]
        if problem.kind is not Kind.VALUES
        else list(problem.entries[0].returns)
    )
    if problem.driver and _driven(problem, case):
        yield "from types import SimpleNamespace"
        yield _("# The problem's driver calls the solution:")
        yield "\n" + problem.driver.sources[framework].strip() + "\n"
    yield f"from solution import {', '.join(names)}"
    if saved is not None:
        yield f"\ndata = np.load({str(saved)!r})"


def _data(tensors: Mapping[str, np.ndarray], saved: Path | None) -> Iterator[str]:
    for name, array in tensors.items():
        if saved is not None:
            yield f"{name} = data[{name!r}]"
            continue
        text = np.array2string(
            array, separator=", ", threshold=array.size + 1, floatmode="unique", max_line_width=96
        )
        text = text.replace("nan", "np.nan").replace("inf", "np.inf")
        yield (
            f"{name} = np.array(\n{text},\n   "
            f" dtype=np.{array.dtype.name},\n).reshape({array.shape})"
        )


# after each earlier call of a module, as a step of training does it
STEP_BACK = """\
def step_back(returned):
    results = returned if isinstance(returned, tuple) else (returned,)
    if learning := [each.sum() for each in results if each.requires_grad]:
        torch.autograd.backward(learning)""".splitlines()


def _body(problem: Problem, framework: Framework, answer: Answer) -> Iterator[str]:
    case = answer.case
    entry = problem.entry(case.call)
    torch = framework is Framework.TORCH
    if problem.kind is Kind.VALUES:
        yield from _compare(answer)
        return
    for name in case.inputs:
        yield from _layout(case, name)
        if torch:
            grad = ".requires_grad_()" if f"grad.{name}" in answer.expected else ""
            yield f"{variable(name)} = torch.from_numpy({variable(name)}){grad}"
    function = entry.name
    if _driven(problem, case):
        yield from _driver(problem, case)
    elif problem.kind is Kind.MODULE:
        function = "module"
        yield from _module(entry, case)
    if case.before:
        comment = _("# an earlier call, whose result is not judged")
        earlier = "{}"
        if function == "module" and any(name.startswith("grad.") for name in answer.expected):
            yield from STEP_BACK
            earlier = "step_back({})"
        call = f"{function}({_arguments(problem, entry, case, 'before_', torch)})"
        yield f"{earlier.format(call)}  {comment}"
        kept = [] if _driven(problem, case) else refillable(case, torch)
        call = f"{function}({_arguments(problem, entry, case, 'before_', torch, kept)})"
        yield from refilled(kept, earlier.format(call), torch)
    call = f"{function}({_arguments(problem, entry, case, '', torch)})"
    if case.raises:
        raised = _("raised, as it must be")
        yield from (
            "try:",
            f"    {call}",
            f"except {case.raises}:",
            f"    print({raised!r})",
        )
        missed = _("the call must raise %(error)s") % {"error": case.raises}
        yield from ("else:", f"    raise AssertionError({missed!r})")
        return
    if case.draws:
        comment = _("# Judged by statistics over %(count)d such calls: %(names)s.")
        yield comment % {"count": case.draws, "names": ", ".join(answer.expected)}
        yield f"print({call})"
        return
    last = entry
    if case.then:
        call, last = f"{case.then}({call})", problem.entry(case.then)
    yield f"{', '.join(last.returns)} = {call}"
    grads = [name for name in answer.expected if name.startswith("grad.")]
    if grads:
        yield from _gradients(case, last, grads)
    yield from _compare(answer)


def _driven(problem: Problem, case: Case) -> bool:
    """Does the driver run the case? One that names a `call` is called without it."""
    return problem.driver is not None and not case.call


def _layout(case: Case, name: str) -> Iterator[str]:
    layout = case.layout.get(name)
    name = variable(name)
    if layout == "strided":
        yield f"{name} = np.repeat({name}.T[..., None], 2, axis=-1)[..., 0].T"
    elif layout == "transposed":
        yield f"{name} = np.array({name}, order='F')"
    elif layout == "readonly":
        yield f"{name}.flags.writeable = False"


def _driver(problem: Problem, case: Case) -> Iterator[str]:
    """The `solution` that a driver gets, with `make` where there is something to be made."""
    first = problem.entries[0]
    given = [f"{e.name}={e.name}" for e in problem.entries]
    if problem.kind is Kind.MODULE or first.constructed:
        yield "def make():"
        yield "    global module"
        plain = iter([f"module = {first.name}({_init(case)})"])
        made = _module(first, case) if problem.kind is Kind.MODULE else plain
        yield from (f"    {line}" for line in made)
        yield "    return module"
        given = ["make=make", *given]
    yield f"solution = SimpleNamespace({', '.join(given)})"


def _init(case: Case) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in case.init.items())


def _module(entry: Entry, case: Case) -> Iterator[str]:
    yield f"module = {entry.name}({_init(case)})"
    floats = [a for a in (*case.inputs.values(), *case.state.values()) if a.dtype.kind == "f"]
    if floats:
        yield f"module = module.to(torch.{floats[0].dtype.name}).train({case.train})"
    state = ", ".join(
        f"{name!r}: torch.from_numpy(state_{name.replace('.', '_')})" for name in case.state
    )
    yield f"module.load_state_dict({{{state}}})"


def _arguments(
    problem: Problem,
    entry: Entry,
    case: Case,
    prefix: str,
    torch: bool,
    kept: Collection[str] = (),
) -> str:
    """`kept` are those of an earlier call that are the arrays of the later one."""
    given = case.before if prefix else case.inputs
    texts = {
        name: variable(name)
        if name in kept or not prefix
        else f"torch.from_numpy({prefix}{variable(name)})"
        if torch
        else f"{prefix}{variable(name)}"
        for name in given
    }
    names = put_together(case.nested.get("before" if prefix else "inputs", {}), texts)
    names |= {name: repr(value) for name, value in case.options.items()}
    if _driven(problem, case):
        return ", ".join(["solution", *(f"{name}={value}" for name, value in names.items())])
    required = [names[p.name] for p in entry.params if p.required]
    return ", ".join(
        [
            *required,
            *(
                f"{p.name}={names[p.name]}"
                for p in entry.params
                if not p.required and p.name in names
            ),
        ]
    )


def _gradients(case: Case, entry: Entry, grads: list[str]) -> Iterator[str]:
    """As in the room: the gradient of the sum of cotangent * result, each cotangent drawn from the
    case's name.
    """
    wanted = [name for name in case.wants if name in entry.returns] or entry.returns
    yield f"results = [t for t in ({', '.join(wanted)},) if t.requires_grad]"
    yield (
        f"draws = [np.random.default_rng([{zlib.crc32(case.name.encode())}, i]) for i in"
        " range(len(results))]"
    )
    yield (
        "cotangents = [torch.from_numpy(np.asarray(d.standard_normal(tuple(t.shape)))).to(t.dtype)"
    )
    yield "              for d, t in zip(draws, results)]"
    leaves = [
        variable(name[5:]) if name[5:] in case.inputs else f"module.get_parameter({name[5:]!r})"
        for name in grads
    ]
    targets = ", ".join(variable(name) for name in grads)
    yield f"({targets},) = torch.autograd.grad("
    yield (
        f"    sum((c * t).sum() for c, t in zip(cotangents, results)), [{', '.join(leaves)}],"
        " allow_unused=True)"
    )


def _compare(answer: Answer) -> Iterator[str]:
    for name, each in answer.expected.items():
        if name.startswith("after."):
            continue
        value = actual(name)
        if each.dtype == TEXT:
            yield f"assert {value} == {each.values.tobytes().decode('utf-8', 'replace')!r}"
            continue
        if answer.case.options.get("row") is not None:
            value += f"[{answer.case.options['row']!r}]"
        value = f"np.asarray({value}.detach() if hasattr({value}, 'detach') else {value})"
        yield (
            f"np.testing.assert_allclose({value}, {_expected(name)}, rtol=0,"
            f" atol={each.tolerance:.3g})"
        )
    done = _("as expected")
    yield f"print({done!r})"


def _expected(name: str) -> str:
    return f"expected_{variable(name)}"
