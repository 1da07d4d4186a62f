"""What a problem may hold beside one edit a mistake: several edits, slight ones, right solutions."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.main import grade
from grader.errors import ProblemError
from grader.model import Framework
from grader.problem import composed
from grader.sandbox import SandboxPool
from grader.verify import verify
from tests.grader import small

EDITS = """
[[mistake]]
name = "both"
hint = "Twice, and without a scale."
numpy = [
    { find = "q @ k.T", replace = "2 * q @ k.T" },
    { find = "2 * q @ k.T * scale", replace = "2 * q @ k.T" },
]
"""
OTHER = """
[[mistake]]
name = "other"
hint = "Another scale."
numpy = { find = "scale=1.0", replace = "scale=2.0" }
"""
VARIANTS = """
[[mistake]]
name = "times three"
hint = "Three times."
numpy = {{ find = "(q @ k.T", replace = "(3 * q @ k.T" }}
variants = {{ find = "{find}", replace = ["4 * q", "5 * q"] }}
"""
# 3e-6 of a score is about one tolerance in most cases; where the scale is 0.5, it is hundreds
SLIGHT = """
[[mistake]]
name = "slightly"
hint = "Nearly right."
slight = true
numpy = { find = "q @ k.T * scale", replace = "q @ k.T * scale * (1 + 3e-6 + 1e-3 * (scale != 1))" }
"""
EINSUM = """
import numpy as np


def scores(q, k, scale=1.0):
    return np.einsum("ld,sd->ls", q, k) * np.float32(scale)
"""


def told(sandbox: SandboxPool, bank: Path, **files: str) -> list[str]:
    """What verify says of the small problem with these files."""
    found = verify(small.problem(bank, **files), sandbox)
    return [f"{f.rule}: {f.where}: {f.text}" for f in found.findings]


def test_a_mistake_of_several_edits(tmp_path: Path) -> None:
    problem = small.problem(tmp_path, mistakes=small.MISTAKES + EDITS)
    (both,) = (m for m in problem.mistakes if m.name == "both")
    assert "return (2 * q @ k.T)" in both.sources[Framework.NUMPY]
    edit, reference = both.edits[Framework.NUMPY], problem.references[Framework.NUMPY]
    assert (
        reference[: edit.start] + edit.text + reference[edit.end :] == both.sources[Framework.NUMPY]
    )


def test_two_mistakes_of_which_one_has_several_edits(tmp_path: Path) -> None:
    problem = small.problem(tmp_path, mistakes=small.MISTAKES + EDITS + OTHER)
    edits = {m.name: m.edits[Framework.NUMPY] for m in problem.mistakes}
    both = composed(problem.references[Framework.NUMPY], edits["both"], edits["other"])
    assert both is not None and "2 * q @ k.T" in both and "def scores(q, k, scale=2.0)" in both


def test_variants_of_a_mistake(tmp_path: Path) -> None:
    problem = small.problem(tmp_path, mistakes=VARIANTS.format(find="3 * q"))
    (mistake,) = problem.mistakes
    source = mistake.sources[Framework.NUMPY]
    assert mistake.variants == {
        Framework.NUMPY: (source.replace("3 * q", "4 * q"), source.replace("3 * q", "5 * q"))
    }


@pytest.mark.parametrize(("find", "count"), [("nowhere", 0), ("scale", 2)])
def test_a_variant_that_is_in_no_place_or_in_several(tmp_path: Path, find: str, count: int) -> None:
    with pytest.raises(ProblemError, match=rf"occurs {count} times in the mistake in numpy"):
        small.problem(tmp_path, mistakes=VARIANTS.format(find=find))


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ("[]", "write a list of edits"),
        ('[{ file = "x.py" }]', "write a list of edits"),
        ('[{ find = "nowhere", replace = "" }]', "edit 1: 'find': 'nowhere' occurs 0 times"),
        (
            '[{ find = " * scale", replace = "" }, { find = " * scale", replace = "" }]',
            "edit 2: 'find': ' * scale' occurs 0 times",
        ),
    ],
)
def test_wrong_lists_of_edits(tmp_path: Path, edits: str, message: str) -> None:
    mistakes = f'[[mistake]]\nname = "m"\nhint = "h"\nnumpy = {edits}\n'
    with pytest.raises(ProblemError) as raised:
        small.problem(tmp_path, mistakes=mistakes)
    assert message in str(raised.value)


def test_a_slight_mistake_needs_one_case_only(sandbox: SandboxPool, tmp_path: Path) -> None:
    assert told(sandbox, tmp_path, mistakes=small.MISTAKES + SLIGHT) == []
    bold = SLIGHT.replace("slight = true\n", "")
    found = told(sandbox, tmp_path, mistakes=small.MISTAKES + bold)
    assert found and all("tolerances away (at least 2)" in text for text in found)


def test_a_mistake_is_far_away_in_one_case_and_never_where_rounding_decides(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    bold = SLIGHT.replace("slight = true\n", "").replace("3e-6", "1.5e-5")
    assert told(sandbox, tmp_path, mistakes=small.MISTAKES + bold) == []
    everywhere = bold.replace(" + 1e-3 * (scale != 1)", "")
    found = told(sandbox, tmp_path, mistakes=small.MISTAKES + everywhere)
    assert any("no hidden case is 10 tolerances away" in text for text in found), found


def test_a_mistake_that_is_slight_everywhere_is_refused(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    everywhere = SLIGHT.replace(" + 1e-3 * (scale != 1)", "")
    found = told(sandbox, tmp_path, mistakes=small.MISTAKES + everywhere)
    assert any("no hidden case is 10 tolerances away" in text for text in found)


def test_other_right_solutions_must_be_accepted(sandbox: SandboxPool, tmp_path: Path) -> None:
    assert told(sandbox, tmp_path, right_einsum_numpy=EINSUM) == []
    found = told(sandbox, tmp_path, right_einsum_numpy=EINSUM.replace(" * np.float32(scale)", ""))
    assert found == [
        "1: right solution 'einsum' in numpy: is a right solution, and fails case 'scaled' with"
        " wrong_answer; correct the case, the reference or the solution"
    ]


def test_a_right_solution_names_its_framework(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"its name must end in one of _numpy\.py"):
        small.problem(tmp_path, right_einsum_jax=EINSUM)


def test_one_mistake_can_be_verified_alone(sandbox: SandboxPool, tmp_path: Path) -> None:
    """`no_scale` fails one case only, so the others kill no mistake: that is not asked for here."""
    problem = small.problem(tmp_path, mistakes=small.MISTAKES + EDITS)
    fitness = verify(problem, sandbox, only=["no_scale"])
    assert [str(f.text) for f in fitness.findings] == []
    assert list(fitness.matrices[0].verdicts) == ["no_scale"]


def verified(bank: Path, *arguments: str) -> Result:
    """What `grade verify scores` prints."""
    line = ["verify", "scores", "--bank", str(bank), *arguments]
    return CliRunner(env={"COLUMNS": "100"}).invoke(grade, line, standalone_mode=False)


def test_a_mistake_that_is_not_there_and_several_seeds(tmp_path: Path) -> None:
    bank = small.write(tmp_path)
    missed = verified(bank, "--mistake", "no_scal")
    assert missed.return_value == 2
    assert "no mistake 'no_scal' (did you mean 'no_scale'?)" in missed.output
    twice = verified(bank, "--seeds", "2", "--brief")
    assert twice.return_value == 0
    assert twice.output.count("1 of 1 problems are fit") == 2
    assert "--seed " not in twice.output


@pytest.mark.slow
def test_seeds_that_are_not_fit_are_named(tmp_path: Path) -> None:
    """A case that depends on the luck of a draw: a scale of 1 shows no forgotten scale."""
    lucky = small.CASES.replace('"scale": 0.5', '"scale": [0.5, 1.0][int(rng.integers(2))]')
    bank = small.write(tmp_path, cases=lucky)
    found = verified(bank, "--seeds", "12", "--brief")
    assert found.return_value == 1
    one_by_one = [verified(bank, "--seed", str(n), "--brief").return_value for n in range(12)]
    unfit = [n for n, status in enumerate(one_by_one) if status]
    assert 0 < len(unfit) < 12
    named = ", ".join(map(str, unfit))
    assert f"not fit with these of the seeds: {named}; one alone: --seed {unfit[0]}" in found.output


def test_one_case_can_be_verified_alone(tmp_path: Path) -> None:
    """It is told which mistakes it kills; that the other cases kill the rest is not asked for."""
    bank = small.write(tmp_path)
    found = verified(bank, "--case", "five by seven")
    assert found.return_value == 0
    words = " ".join(found.output.split())
    assert "✓ nothing wrong in this part" in words and "fit to use" not in words
    assert "1 five by seven" in words and "scaled" not in words
    missed = verified(bank, "--case", "five by six")
    assert missed.return_value == 2
    assert "no case 'five by six'" in missed.output
    assert "(did you mean 'five by seven'?)" in " ".join(missed.output.split())
    line = ["verify", "--bank", str(bank), "--case", "scaled"]
    unnamed = CliRunner().invoke(grade, line, standalone_mode=False)
    assert unnamed.return_value == 2
    assert "--case needs the name of one problem" in unnamed.output
