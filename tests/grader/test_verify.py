"""verify() refuses: one fit problem, and each way to spoil it.

Everything runs in the sealed room, as for an instructor.
"""

import dataclasses
import io
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from grader.answers import STATISTIC_MARGIN, answers_for
from grader.case import Case
from grader.cli import new
from grader.cli.render import matrix
from grader.cli.verify import check_references, in_turn, verify_all, verify_seeds
from grader.errors import UsageError
from grader.model import Ended, Framework, Kind, Limits, Outcome, Run
from grader.problem import Problem, load, slugs
from grader.problem.files import read_toml
from grader.problem.loading import read
from grader.sandbox import Job, SandboxPool, open_sandbox
from grader.verify import Fitness, verify, verify_cases
from grader.verify.texts.settings import UNNAMED, check_settings
from tests.conftest import ROOT
from tests.grader import small
from tests.grader.small import FakeRoom, returned

BOTH = small.TOML.replace('["numpy"]', '["numpy", "torch"]')
TORCH = "import torch\n\n\ndef scores(q, k, scale=1.0):\n    return q @ k.T * scale\n"
TORCH_MISTAKES = small.MISTAKES.replace(
    'replace = "2 * q @ k.T" }',
    'replace = "2 * q @ k.T" }\ntorch = { find = "q @ k.T", replace = "2 * q @ k.T" }',
).replace('replace = "" }', 'replace = "" }\ntorch = { find = " * scale", replace = "" }')


def found(sandbox: SandboxPool, tmp_path: Path, **files: str) -> Fitness:
    """What verify says of the small problem with these files replaced."""
    return verify(small.problem(tmp_path, **files), sandbox, known=slugs(ROOT))


def changed(text: str, find: str, replace: str) -> str:
    assert text.count(find) == 1, find
    return text.replace(find, replace)


def told(fitness: Fitness) -> list[str]:
    return [f"rule {f.rule}: {f.where}: {f.text}" for f in fitness.findings]


def test_the_small_problem_is_fit(sandbox: SandboxPool, tmp_path: Path) -> None:
    fitness = found(sandbox, tmp_path)
    assert (told(fitness), fitness.fit) == ([], True)
    (only,) = fitness.matrices
    assert {name: [str(v) for v in row.values()] for name, row in only.verdicts.items()} == {
        "doubled": ["wrong_answer", "wrong_answer", "wrong_answer"],
        "no_scale": ["accepted", "accepted", "wrong_answer"],
    }
    facts = only.facts["five by seven"]
    assert 0 < facts.noise < facts.tolerance < 1e-3
    assert facts.nearest is not None and facts.nearest > 1000 and facts.nearest_name == "doubled"


CHINESE = """
[mistakes]
doubled = "分数都太大了。"
no_scale = "scale 有什么用？"

[cases]
"two by three" = { name = "二乘三", note = "很小。" }
"five by seven" = { name = "五乘七", note = "任意大小。" }
"scaled" = { name = "缩放", note = "可选参数。" }
"""


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (CHINESE, []),
        (
            CHINESE.replace('no_scale = "scale 有什么用？"', ""),
            ["has no hint for mistake 'no_scale'; add it under [mistakes]"],
        ),
        (
            CHINESE.replace('"scaled"', '"scald"'),
            [
                "has no name and note for case 'scaled'; add them under [cases]",
                (
                    "speaks of case 'scald', which cases.py does not yield (did you mean"
                    " 'scaled'?); rename or remove it"
                ),
            ],
        ),
        (
            CHINESE.replace('"可选参数。"', '" "'),
            ["has no name and note for case 'scaled'; add them under [cases]"],
        ),
    ],
    ids=["whole", "no hint", "another name", "an empty note"],
)
def test_words_in_another_language_are_whole(
    sandbox: SandboxPool, tmp_path: Path, text: str, findings: list[str]
) -> None:
    small.write(tmp_path)
    (tmp_path / "problems" / "scores" / "hints.zh.toml").write_text(text, encoding="utf-8")
    assert told(verify(load(tmp_path, "scores"), sandbox)) == [
        f"rule 9: hints.zh.toml: {line}" for line in findings
    ]


def test_right_solutions_say_in_another_language_what_they_do(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    small.write(tmp_path)
    folder = tmp_path / "problems" / "scores"
    (folder / "hints.zh.toml").write_text(CHINESE, encoding="utf-8")
    (folder / "right").mkdir()
    (folder / "right" / "silent_numpy.py").write_text(small.REFERENCE)
    (folder / "right" / "spoken_numpy.py").write_text(f"# Says so.\n{small.REFERENCE}")
    assert told(verify(load(tmp_path, "scores"), sandbox)) == [
        "rule 9: hints.zh.toml: does not say what right solution 'spoken' does; add it under"
        " [right]"
    ]
    text = f'{CHINESE}\n[right]\nspoken = "是这样。"\n'
    (folder / "hints.zh.toml").write_text(text, encoding="utf-8")
    assert told(verify(load(tmp_path, "scores"), sandbox)) == []


@pytest.mark.parametrize(
    ("items", "findings"),
    [
        ("- **缩放有作用。** 任何数。\n", []),
        ("", ["lists 0 rules, the English one 1; make them equal"]),
        (
            "- **缩放有作用。** 任何数。\n- **还有一条。** 多余。\n",
            ["lists 2 rules, the English one 1; make them equal"],
        ),
    ],
    ids=["equally many", "none", "one more"],
)
def test_statements_list_equally_many_rules(
    sandbox: SandboxPool, tmp_path: Path, items: str, findings: list[str]
) -> None:
    small.write(tmp_path, statement=RULED, cases=SCALED)
    (tmp_path / "problems" / "scores" / "statement.zh.md").write_text(
        f"# 分数\n\n[[sample: two by three]]\n\n## 规则\n\n{items}", encoding="utf-8"
    )
    assert told(verify(load(tmp_path, "scores"), sandbox)) == [
        f"rule 10: statement.zh.md: {line}" for line in findings
    ]


def test_it_is_fit_in_both_frameworks(sandbox: SandboxPool, tmp_path: Path) -> None:
    fitness = found(sandbox, tmp_path, toml=BOTH, torch=TORCH, mistakes=TORCH_MISTAKES)
    assert told(fitness) == []
    assert [m.framework for m in fitness.matrices] == [Framework.NUMPY, Framework.TORCH]


# -------------------------------------------------------------------------------------------------------------
# what is refused, by rule

HARMLESS = (
    '\n[[mistake]]\nname = "harmless"\nhint = "It is right."\nnumpy = { find = "q.dtype", replace ='
    ' "k.dtype" }\n'
)
TWIN = (
    '\n[[mistake]]\nname = "twice"\nhint = "It is doubled."\nnumpy = { find = "* scale", replace ='
    ' "* scale * 2" }\n'
)
EXTRA = (
    '    yield Case("{0}", inputs={{"q": draw(rng, 4, 3), "k": draw(rng, 6, 3)}}{1}, note="{2}")\n'
)
NO_SCALE_ONLY = small.MISTAKES[small.MISTAKES.index('[[mistake]]\nname = "no_scale"') :]
SAMPLES = small.CASES.replace("points=2, ", "sample=True, ").replace("points=3, ", "sample=True, ")

RULED = small.STATEMENT + "\n## The rules\n\n- **The scale counts.** Any number.\n"
SCALED = small.CASES.replace("points=3,", 'points=3, rule="The scale counts",')


def tagged(name: str, rule: str = "The scale counts") -> str:
    """The small problem's mistakes, of which one says that it breaks a rule."""
    return changed(small.MISTAKES, f'name = "{name}"', f'name = "{name}"\nrule = "{rule}"')


REFUSED: dict[str, tuple[dict[str, str], str]] = {
    # 1: references
    "references of different shapes": (
        {
            "toml": BOTH,
            "torch": TORCH.replace("k.T * scale", "k.T[:, :2] * scale"),
            "mistakes": TORCH_MISTAKES,
        },
        (
            "rule 1: case 'five by seven': the references in numpy and torch disagree on scores;"
            " one of them is wrong"
        ),
    ),
    "references that disagree": (
        {
            "toml": BOTH,
            "torch": TORCH.replace("* scale", "* scale * 1.00001"),
            "mistakes": TORCH_MISTAKES,
        },
        (
            "rule 1: case 'five by seven': the references in numpy and torch disagree on scores;"
            " one of them is wrong"
        ),
    ),
    "a reference that raises": (
        {"numpy": small.REFERENCE.replace("return (", "raise ValueError('no')\n    return (")},
        (
            "rule 1: numpy: reference/scores/numpy.py: case 'two by three' in float64: it"
            " raised ValueError: no (line 5)"
        ),
    ),
    "a reference without the entry": (
        {"numpy": small.REFERENCE.replace("def scores", "def score"), "mistakes": ""},
        "in float64: it does not load: the file defines no function 'scores'; it defines score",
    ),
    "a reference that returns a list": (
        {
            "numpy": small.REFERENCE.replace("return (", "return [*(").replace(
                "(q.dtype)", "(q.dtype)]"
            )
        },
        (
            "case 'two by three': scores is a list; join it to one tensor, or say in problem.toml"
            " that it holds several: nested = [\"scores\"], beside 'returns'"
        ),
    ),
    "a reference that is not exact enough for the tolerance given": (
        {
            "toml": changed(
                small.TOML, 'difficulty = "easy"', 'difficulty = "easy"\ntolerance = 1e-9'
            )
        },
        "rule 1: reference/scores/numpy.py: case 'five by seven': wrong_answer: scores: ",
    ),
    "a reference that breaks the problem's own rules": (
        {"toml": small.TOML + "\n[rules]\nimports = false"},
        (
            "rule 1: reference/scores/numpy.py: case 'two by three': rule_violation: line 1: this"
            " exercise is solved without imports"
        ),
    ),
    "cases that fail": (
        {"cases": small.CASES.replace("def cases(rng):", "def cases(rng):\n    1 / 0")},
        "cases.py: ZeroDivisionError: division by zero (line 12)",
    ),
    # 2: starters
    "a starter that is the solution": (
        {"starter_numpy": small.REFERENCE},
        "rule 2: starter_numpy.py: is accepted as it is; it must leave the work to the learner",
    ),
    "a starter that does not parse": (
        {"starter_numpy": "def scores(q, k:\n"},
        "rule 2: starter_numpy.py: does not load: compile_error: line 1: SyntaxError: '(' was never closed",
    ),
    "a starter without the entry": (
        {"starter_numpy": "x = 1\n"},
        "rule 2: starter_numpy.py: does not load: compile_error: the file defines no function 'scores'; it defines x",
    ),
    # 3: mistakes
    "a mistake that nothing kills": (
        {"mistakes": small.MISTAKES + HARMLESS},
        (
            "rule 3: mistake 'harmless' in numpy: survives: no hidden case kills it; add a case"
            " that does"
        ),
    ),
    "a mistake that only samples kill": (
        {"cases": SAMPLES},
        (
            "rule 3: mistake 'doubled' in numpy: survives: no hidden case kills it; add a case that"
            " does"
        ),
    ),
    "a mistake that is killed for another reason": (
        {
            "mistakes": small.MISTAKES.replace(
                'name = "doubled"', 'name = "doubled"\nverdict = "runtime_error"'
            )
        },
        (
            "rule 3: mistake 'doubled' in numpy: is killed as wrong_answer, not as runtime_error;"
            " change its edit, or name the verdict that it gets in mistakes.toml: verdict ="
            ' "wrong_answer"'
        ),
    ),
    "a mistake that is told another's hint": (
        {"mistakes": small.MISTAKES + TWIN},
        (
            "rule 3: mistake 'twice' in numpy: is told doubled instead of its own hint; add a case"
            " that tells the two apart"
        ),
    ),
    "no mistake at all": (
        {"mistakes": ""},
        (
            "rule 3: mistakes.toml: holds no mistake, so nothing shows that the cases can tell"
            " right from wrong"
        ),
    ),
    "a tolerance too loose": (
        {
            "toml": changed(
                small.TOML, 'difficulty = "easy"', 'difficulty = "easy"\ntolerance = 0.8'
            )
        },
        "tolerances away (at least 2): too noisy a case, or too slight a mistake",
    ),
    "a case too noisy": (
        {
            "cases": small.CASES.replace('{"q": draw(rng, 5, 6)', '{"q": 1000 + draw(rng, 5, 6)'),
            "numpy": small.REFERENCE.replace("q @ k.T", "(q - 1000) ** 2 @ k.T ** 2"),
            "mistakes": (
                '[[mistake]]\nname = "slight"\nhint = "h"\nnumpy = { find = "(q - 1000)", replace ='
                ' "(q - 1000.004)" }\n'
            ),
        },
        "rule 3: case 'five by seven' in numpy: mistake 'slight' is only",
    ),
    "a shortcut that is accepted": (
        {
            "numpy": (
                "import numpy as np\n\n\ndef scores(q, k, scale=1.0):\n    return np.zeros((len(q),"
                " len(k)), q.dtype)\n"
            ),
            "mistakes": (
                '[[mistake]]\nname = "ones"\nhint = "h"\nnumpy = { find = "zeros", replace ='
                ' "ones" }\n'
            ),
        },
        (
            "rule 3: shortcut 'zeros' in numpy: is accepted by every hidden case; add one that it"
            " fails"
        ),
    ),
    # 4: cases
    "a case that kills nothing": (
        {"mistakes": NO_SCALE_ONLY},
        (
            "rule 4: case 'five by seven': kills no mistake; add the mistake that it is there for,"
            " or drop the case"
        ),
    ),
    "no hidden case": ({"cases": SAMPLES}, "rule 4: cases.py: has no hidden case"),
    "a case that stands there twice": (
        {
            "cases": small.CASES
            + "    q, k = draw(rng, 2, 3), draw(rng, 5, 3)\n"
            + '    yield Case("one", inputs={"q": q, "k": k}, note="n")\n'
            + '    yield Case("two", inputs={"q": q, "k": k}, note="n")\n'
        },
        (
            "rule 4: case 'two': passes the same as case 'one', or nearly the same; draw other"
            " values, or drop one of them"
        ),
    ),
    "a case that nearly stands there twice": (
        {
            "cases": small.CASES
            + "    q, k = draw(rng, 2, 3), draw(rng, 5, 3)\n"
            + '    yield Case("one", inputs={"q": q, "k": k}, note="n")\n'
            + '    yield Case("two", inputs={"q": q * np.float32(1.0001), "k": k}, note="n")\n'
        },
        "rule 4: case 'two': passes the same as case 'one', or nearly the same",
    ),
    # 5: twins
    "twin mistakes": (
        {"mistakes": small.MISTAKES + TWIN},
        (
            "rule 5: mistakes 'doubled' and 'twice': are alike in every case; merge them or add a"
            " case that tells them apart"
        ),
    ),
    "mistakes that fail alike": (
        {
            "mistakes": (
                '[[mistake]]\nname = "a"\nhint = "h"\nnumpy = { find = "q @ k.T", replace = "q @ k"'
                ' }\n[[mistake]]\nname = "b"\nhint = "h"\nnumpy = { find = "k.T", replace ='
                ' "k.T.T" }\n'
            )
        },
        "rule 5: mistakes 'a' and 'b': are alike in every case",
    ),
    # 6: repeatable
    "a reference that draws": (
        {
            "numpy": small.REFERENCE.replace(
                "return (",
                "import os\n    q = q + int.from_bytes(os.urandom(4)) / 2**32\n    return (",
            )
        },
        "rule 6: case 'five by seven': two runs of the numpy reference differ; seed what is random",
    ),
    "cases that are others in each run": (
        {"cases": changed(small.CASES, "return rng.", "return np.random.default_rng().")},
        (
            "rule 6: cases.py: case 'two by three' is another one when the file runs again with"
            " the same seed; draw from `rng` alone"
        ),
    ),
    # 7: limits
    "a reference over half of its memory": (
        {
            "toml": small.TOML + "\n[limits]\nmemory_mib = 100",
            "numpy": small.REFERENCE.replace("return (", "np.ones(80 << 17)\n    return ("),
        },
        "80 of 100 MiB and ",
    ),
    "a reference over half of its time": (
        {
            "toml": small.TOML + "\n[limits]\nwall_s = 1.5",
            "numpy": small.REFERENCE.replace(
                "return (", "import time\n    time.sleep(1.0 * (len(q) == 5))\n    return ("
            ),
        },
        "rule 7: reference/scores/numpy.py: case 'five by seven': ",
    ),
    # 8: sizes
    "equal sizes": (
        {"cases": small.CASES + EXTRA.format("square", "", "x").replace("6, 3", "4, 3")},
        "rule 8: case 'square': L = S = 4; make them differ, or say why not with same=",
    ),
    "a shape that is not the declared one": (
        {
            "cases": small.CASES.replace(
                '{"q": draw(rng, 5, 6), "k": draw(rng, 7, 6)}',
                '{"q": draw(rng, 2, 5, 6), "k": draw(rng, 7, 6)}',
            )
        },
        (
            "rule 8: case 'five by seven': q has shape (2, 5, 6), which is not L D; make them"
            " differ, or say why not with same="
        ),
    ),
    "a result of another shape": (
        {"toml": changed(small.TOML, 'scores = "L S"', 'scores = "S L"')},
        (
            "rule 8: case 'five by seven': scores has shape (5, 7), which is not S L (L = 5, D ="
            " 6, S = 7); correct [shapes] in problem.toml, or the reference"
        ),
    ),
    # 9: words
    "no hint": (
        {"mistakes": small.MISTAKES.replace('hint = "What is the scale for?"', 'hint = " "')},
        "rule 9: mistake 'no_scale': has no hint; say what is wrong and what to look at",
    ),
    "a hint left out": (
        {"mistakes": small.MISTAKES.replace('hint = "What is the scale for?"\n', "")},
        "rule 9: mistake 'no_scale': has no hint; say what is wrong and what to look at",
    ),
    "no note": (
        {"cases": small.CASES.replace('note="The option."', 'note=""')},
        "rule 9: case 'scaled': has no note; say why it exists",
    ),
    # 10: rules
    "a rule without a case": (
        {"statement": RULED},
        "rule 10: rule 'The scale counts': no hidden case checks it; add one with rule= that name",
    ),
    "a rule that only a sample checks": (
        {
            "statement": RULED,
            "cases": changed(small.CASES, "sample=True", 'sample=True, rule="The scale counts"'),
        },
        "rule 10: rule 'The scale counts': no hidden case checks it; add one with rule= that name",
    ),
    "a case with a rule that is not listed": (
        {"statement": RULED, "cases": SCALED.replace("scale counts", "scale count")},
        (
            "rule 10: case 'scaled': carries the rule 'The scale count', which statement.md does"
            " not list (did you mean 'The scale counts'?)"
        ),
    ),
    "a case with a rule where none is listed": (
        {"cases": SCALED},
        "rule 10: case 'scaled': carries the rule 'The scale counts', which statement.md does",
    ),
    "a mistake with a rule that is not listed": (
        {
            "statement": RULED,
            "cases": SCALED,
            "mistakes": tagged("no_scale", "The scale matters"),
        },
        (
            "rule 10: mistake 'no_scale' in numpy: breaks the rule 'The scale matters', which"
            " statement.md does not list"
        ),
    ),
    "a mistake that fails cases of no rule of its own": (
        {"statement": RULED, "cases": SCALED, "mistakes": tagged("doubled")},
        (
            "rule 10: mistake 'doubled' in numpy: breaks the rule 'The scale counts' and fails"
            " other cases: 'two by three', 'five by seven'; let each case check one rule"
        ),
    ),
    # 12: the statement
    "a sample that no case has": (
        {"statement": changed(small.STATEMENT, "two by three", "two by tree")},
        (
            "rule 12: statement.md: [[sample: two by tree]] names no case of cases.py (did you mean"
            " 'two by three'?); the samples are 'two by three'"
        ),
    ),
    "a sample that is hidden": (
        {"statement": small.STATEMENT + "\n[[sample: scaled]]\n"},
        (
            "rule 12: statement.md: [[sample: scaled]] names a hidden case; give that case"
            " sample=True, or name another one"
        ),
    ),
    "no sample": (
        {
            "statement": small.STATEMENT.partition("[[sample")[0],
            "cases": changed(small.CASES, "sample=True, ", ""),
        },
        "rule 12: cases.py: has no sample; let one small case have sample=True",
    ),
    "a command that TeX does not have": (
        {"statement": small.STATEMENT + "\n$$\\softmax(Q)$$\n"},
        (
            "rule 12: statement.md: '\\softmax' in the formula '\\softmax(Q)' is not TeX that can be"
            " shown; for the name of a function write \\operatorname{softmax}"
        ),
    ),
    "an environment that is not drawn": (
        {"statement": small.STATEMENT + "\n$$\\begin{gathered}Q\\end{gathered}$$\n"},
        "rule 12: statement.md: '\\begin{gathered}' cannot be shown; there are matrix, pmatrix",
    ),
    "a brace that is not closed": (
        {"statement": small.STATEMENT + "\n$\\frac{Q}{2$\n"},
        "rule 12: statement.md: the braces of the formula '\\frac{Q}{2' do not match",
    ),
    # 13: problem.toml
    "a problem that requires itself": (
        {"toml": changed(small.TOML, "[entry", 'requires = ["scores"]\n\n[entry')},
        "rule 13: problem.toml: 'requires' names the problem itself; remove 'scores'",
    ),
    "a requirement that nobody knows": (
        {"toml": changed(small.TOML, "[entry", 'requires = ["stabel_softmax"]\n\n[entry')},
        (
            "rule 13: problem.toml: 'requires' names 'stabel_softmax', which is not a problem of this"
            " bank (did you mean 'stable_softmax'?)"
        ),
    ),
    "no source": (
        {"toml": changed(small.TOML, "Nobody 2020", " ")},
        "rule 13: problem.toml: 'source' is empty; name the paper",
    ),
    "a limit out of all proportion": (
        {"toml": small.TOML + "\n[limits]\nmemory_mib = 1_000_000"},
        ("rule 13: problem.toml: 'limits.memory_mib' is 1e+06; choose a number from 16 to 4096"),
    ),
    "less time for all calls than for one": (
        {"toml": small.TOML + "\n[limits]\nwall_s = 20\ntotal_s = 15"},
        "rule 13: problem.toml: 'limits.total_s' is less than 'limits.wall_s'",
    ),
    "a limit of a case that noise decides": (
        {"cases": changed(small.CASES, "points=3, ", "points=3, cpu_factor=1.01, ")},
        "rule 13: case 'scaled': 'cpu_factor' is 1.01; choose a number from 1.5 to 1000",
    ),
}


def test_a_chinese_statement_shows_the_samples_of_the_english_one(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    problem = small.problem(tmp_path)
    more = small.CASES.replace("points=2, ", "sample=True, ")
    for samples, findings in (
        ("[[sample: two by three]]", []),
        (
            "",
            [
                "rule 12: statement.zh.md: does not show the sample 'two by three', which"
                " statement.md shows; add the line [[sample: two by three]]"
            ],
        ),
        (
            "[[sample: two by three]]\n\n[[sample: five by seven]]",
            [
                "rule 12: statement.zh.md: shows the sample 'five by seven', which statement.md"
                " does not show; remove it here or add it there"
            ],
        ),
    ):
        problem = small.problem(tmp_path, cases=more)
        (problem.folder / "statement.zh.md").write_text(f"# 分数\n\n{samples}\n", encoding="utf-8")
        fitness = verify(load(tmp_path, "scores"), sandbox)
        assert [line for line in told(fitness) if line.startswith("rule 12")] == findings


def test_one_reference_alone_is_advised_against(sandbox: SandboxPool, tmp_path: Path) -> None:
    alone = found(sandbox, tmp_path)
    (advice,) = alone.warnings
    assert alone.fit
    assert (str(advice.where), str(advice.text)) == (
        "reference/scores/numpy.py",
        "is the only evaluation, so a fault in it is the answer; add another right solution as"
        " right/NAME_numpy.py",
    )
    right = small.REFERENCE.replace("q @ k.T", "np.dot(q, k.T)")
    assert found(sandbox, tmp_path, right_dot_numpy=right).warnings == []


def test_a_source_as_grade_new_writes_it_is_advised_against(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    templates = Path(new.__file__).parent / "template"
    sources = {read_toml(path)["source"] for path in templates.rglob("problem.toml")}
    assert sources == {UNNAMED}
    toml = changed(small.TOML, "Nobody 2020", UNNAMED)
    fitness = found(sandbox, tmp_path, toml=toml)
    assert fitness.fit
    assert "problem.toml: 'source' is still what `grade new` wrote" in "\n".join(
        f"{w.where}: {w.text}" for w in fitness.warnings
    )


def test_a_track_that_is_nearly_another_is_advised_against(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    right = small.REFERENCE.replace("q @ k.T", "np.dot(q, k.T)")
    for track, advice in (
        ("long_context", []),
        (
            "fundations",
            [
                "'track' is 'fundations', which tracks.toml does not list (did you mean"
                " 'foundations'?), so it comes after all that are listed"
            ],
        ),
    ):
        toml = changed(small.TOML, '"foundations"', f'"{track}"')
        fitness = found(sandbox, tmp_path, toml=toml, right_dot_numpy=right)
        assert fitness.fit and [str(w.text) for w in fitness.warnings] == advice


@pytest.mark.parametrize(
    ("limits", "case_mib", "advice"),
    [
        ("wall_s = 60\ncpu_s = 120\nmemory_mib = 2048\ntotal_s = 300", 2048, []),
        (
            "wall_s = 90\ntotal_s = 400",
            2049,
            [
                "problem.toml: 'limits.wall_s' is 90; a server gives at most 60",
                "problem.toml: 'limits.total_s' is 400; a server gives at most 300",
                "case 'large': 'memory_mib' is 2049; a server gives at most 2048",
            ],
        ),
    ],
    ids=["what_a_server_gives", "more"],
)
def test_more_than_a_server_gives_is_advised_against(
    tmp_path: Path, limits: str, case_mib: int, advice: list[str]
) -> None:
    fitness = Fitness(small.problem(tmp_path, toml=f"{small.TOML}\n[limits]\n{limits}\n"))
    check_settings(fitness.problem, [Case("large", memory_mib=case_mib)], None, fitness)
    said = [f"{w.where}: {w.text}" for w in fitness.warnings]
    assert fitness.fit and said == [f"{words} and refuses the problem" for words in advice]


def test_a_problem_is_verified_outside_a_bank(sandbox: SandboxPool, tmp_path: Path) -> None:
    """A draft on a server lies in a folder of its own."""
    bank = small.write(tmp_path / "bank")
    folder = (bank / "problems" / "scores").rename(tmp_path / "scores")
    fitness = verify(read("scores", folder, bank / "reference" / "scores"), sandbox)
    assert (told(fitness), fitness.fit) == ([], True)


def test_some_cases_alone(sandbox: SandboxPool, tmp_path: Path) -> None:
    problem = small.problem(tmp_path, mistakes=small.MISTAKES + HARMLESS)
    fitness = verify_cases(problem, ["five by seven", "two by three"], sandbox)
    (only,) = fitness.matrices
    assert [a.case.name for a in only.cases] == ["two by three", "five by seven"]
    assert {name: [str(v) for v in row.values()] for name, row in only.verdicts.items()} == {
        "doubled": ["wrong_answer", "wrong_answer"],
        "no_scale": ["accepted", "accepted"],  # another case is there for it
        "harmless": ["accepted", "accepted"],
    }
    assert told(fitness) == []
    useless = small.problem(tmp_path, mistakes=NO_SCALE_ONLY)
    assert told(verify_cases(useless, ["five by seven"], sandbox)) == [
        "rule 4: case 'five by seven': kills no mistake; add the mistake that it is there for, or"
        " drop the case"
    ]
    with pytest.raises(UsageError, match=r"no case 'scale' in .*cases\.py \(did you mean 'scaled'"):
        verify_cases(problem, ["scale"], sandbox)


@pytest.mark.parametrize(
    ("files", "finding"),
    [
        pytest.param(*row, id=name, marks=[pytest.mark.torch] if "torch" in row[0] else [])
        for name, row in REFUSED.items()
    ],
)
def test_refused(sandbox: SandboxPool, tmp_path: Path, files: dict[str, str], finding: str) -> None:
    fitness = found(sandbox, tmp_path, **files)
    assert not fitness.fit
    assert any(finding in line for line in told(fitness)), told(fitness)


def test_every_rule_is_in_the_table() -> None:
    rules = {
        finding.partition(":")[0] for _, finding in REFUSED.values() if finding.startswith("rule ")
    }
    assert rules == {f"rule {n}" for n in (*range(1, 11), 12, 13)}  # 11 needs a domain


ALLOWED = {
    "a rule with its case and its mistake": {
        "statement": RULED,
        "cases": SCALED,
        "mistakes": tagged("no_scale"),
    },
    "a rule that no mistake is tagged with": {"statement": RULED, "cases": SCALED},
    "equal sizes with a reason": {
        "cases": (
            small.CASES
            + EXTRA.format("square", ', same="as many queries as keys"', "x").replace(
                "6, 3", "4, 3"
            )
        )
    },
    "any leading sizes": {
        "toml": small.TOML.replace('q = "L D"', 'q = "... L D"').replace('"L S"', '"... L S"'),
        "cases": small.CASES.replace('"q": draw(rng, 5, 6)', '"q": draw(rng, 2, 5, 6)'),
        "numpy": small.REFERENCE.replace("q @ k.T", "q @ np.swapaxes(k, -1, -2)"),
        "mistakes": (
            small.MISTAKES.replace("q @ k.T", "q @ np.swapaxes(k, -1, -2)").replace(
                "2 * q @ k.T", "2 * q @ k.T"
            )
        ),
    },
    "a mistake that raises, said so": {
        "mistakes": (
            small.MISTAKES
            + '\n[[mistake]]\nname = "raises"\nverdict = "runtime_error"\nhint = "h"\nnumpy = {'
            ' find = "k.T", replace = "k.x" }\n'
        )
    },
}


@pytest.mark.parametrize("files", ALLOWED.values(), ids=ALLOWED.keys())
def test_allowed(sandbox: SandboxPool, tmp_path: Path, files: dict[str, str]) -> None:
    assert told(found(sandbox, tmp_path, **files)) == []


def test_one_broken_rule_does_not_hide_the_others(sandbox: SandboxPool, tmp_path: Path) -> None:
    fitness = found(
        sandbox,
        tmp_path,
        starter_numpy=small.REFERENCE,
        mistakes=small.MISTAKES.replace('hint = "What is the scale for?"', 'hint = ""') + HARMLESS,
        cases=small.CASES.replace('note="Any size."', 'note=""'),
    )
    assert sorted({f.rule for f in fitness.findings}) == [2, 3, 9]


def test_a_statistic_needs_less_room(tmp_path: Path) -> None:
    """A mean over random draws is not repeatable to ten digits; two tolerances between answer and
    mistake are asked there.
    """
    case = Case(
        "drawn",
        inputs={"q": np.ones((1, 2), np.float32), "k": np.ones((3, 2), np.float32)},
        draws=8,
        note="n",
        same="x",
    )
    problem = dataclasses.replace(small.problem(tmp_path), digest=uuid.uuid4().hex)
    draws = iter(range(10**6))

    def reference(case: Case) -> Run:
        shift = 0.01 * (next(draws) % 2)
        return returned(
            case.name,
            **{"mean.scores": np.full((1, 3), 1 + shift), "spread.scores": np.ones((1, 3))},
        )

    def far(tolerances: float) -> object:
        mean = np.full((1, 3), 1 + STATISTIC_MARGIN * 0.01 * tolerances)
        return lambda case: returned(
            case.name, **{"mean.scores": mean, "spread.scores": np.ones((1, 3))}
        )

    one, two = (m.sources[Framework.NUMPY] for m in problem.mistakes)
    programs = {
        problem.references[Framework.NUMPY]: reference,
        one: far(1.5),
        two: far(5),
        problem.starters[Framework.NUMPY]: far(50),
    }
    lines = told(verify(problem, FakeRoom([case], programs)))  # type: ignore[arg-type]
    assert any(
        "mistake 'doubled' is only 1.5 tolerances away (at least 2)" in line for line in lines
    ), lines
    assert not any("no_scale" in line and "away" in line for line in lines)


def test_a_result_of_another_dtype_may_be_near(sandbox: SandboxPool, tmp_path: Path) -> None:
    """Its values are one tolerance away, and its dtype refuses it in every draw."""
    near = (
        small.MISTAKES
        + '\n[[mistake]]\nname = "rounded"\nhint = "h"\nnumpy = { find ='
        + ' "scale).astype(q.dtype)", replace = "scale * (1 + 2e-6)).astype(np.float32)" }\n'
    )
    wide = small.CASES.replace("np.float32", "np.float64")
    assert told(found(sandbox, tmp_path, mistakes=near, cases=wide)) == []
    same = near.replace("(1 + 2e-6)).astype(np.float32)", "(1 + 2e-6)).astype(q.dtype)")
    lines = told(found(sandbox, tmp_path, mistakes=same, cases=wide))
    assert any("mistake 'rounded' is only 1.0 tolerances away" in line for line in lines), lines


def test_a_mistake_about_cost_must_meet_its_limit(sandbox: SandboxPool, tmp_path: Path) -> None:
    cost = (
        small.MISTAKES
        + '\n[[mistake]]\nname = "dense"\nverdict = "memory_limit_exceeded"\nhint = "h"\n'
        + 'numpy = { find = "return (q", replace = "np.ones((len(q) * 4000, len(q) * 4000))\\n   '
        ' return (q" }\n'
    )
    big = (
        small.CASES
        + '    yield Case("many", {"q": draw(rng, 40, 2), "k": draw(rng, 3, 2)}, memory_mib=64,'
        ' note="Cost.")\n'
    )
    fitness = found(sandbox, tmp_path, mistakes=cost, cases=big)
    assert told(fitness) == []
    row = fitness.matrices[0].verdicts["dense"]
    assert row["many"] is Outcome.MEMORY_LIMIT
    # the others do not run where only cost is judged
    assert "many" not in fitness.matrices[0].verdicts["doubled"]
    assert fitness.matrices[0].of("many") == [Outcome.MEMORY_LIMIT]


def test_what_only_a_case_about_cost_kills_is_killed(sandbox: SandboxPool, tmp_path: Path) -> None:
    """A mistake that every other case accepts runs in the cases about cost, too."""
    long = (
        small.MISTAKES
        + '\n[[mistake]]\nname = "long"\nhint = "What does a long input do?"\n'
        + 'numpy = { find = "return (q", replace = "q = q + (len(q) > 30)\\n    return (q" }\n'
    )
    big = (
        small.CASES
        + '    yield Case("many", {"q": draw(rng, 40, 2), "k": draw(rng, 3, 2)}, memory_mib=64,'
        ' note="Cost.")\n'
    )
    matrix = found(sandbox, tmp_path, mistakes=long, cases=big).matrices[0]
    assert matrix.verdicts["long"]["many"] is Outcome.WRONG_ANSWER
    assert matrix.survivors() == []


def test_a_slow_case_is_run_until_it_kills_a_mistake(sandbox: SandboxPool, tmp_path: Path) -> None:
    """`no_scale` shows in other cases, and is not run in this one."""
    slow = (
        small.CASES
        + '    yield Case("many", {"q": draw(rng, 40, 2), "k": draw(rng, 3, 2)}, slow=True,'
        ' note="Long.")\n'
    )
    fitness = found(sandbox, tmp_path, cases=slow)
    assert told(fitness) == []
    verdicts = fitness.matrices[0].verdicts
    assert verdicts["doubled"]["many"] is Outcome.WRONG_ANSWER
    assert "many" not in verdicts["no_scale"]
    useless = small.MISTAKES.replace("2 * q @ k.T", "q @ k.T * (2 if len(q) < 30 else 1)")
    other = found(sandbox, tmp_path, cases=slow, mistakes=useless)
    assert any("kills no mistake" in line for line in told(other))


CASE = "five by seven"


@pytest.mark.parametrize(
    ("seed", "cases", "draws"),
    [
        (0, (), {"public": 1}),
        (1, (), {"public": 1, "hidden": 1}),
        (0, (CASE,), {"public": 1}),
        (1, (CASE,), {"hidden": 1}),
    ],
    ids=["all", "all, another seed", "one case", "one case, another seed"],
)
def test_a_mistake_runs_once_in_each_draw(
    sandbox: SandboxPool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    cases: tuple[str, ...],
    draws: dict[str, int],
) -> None:
    """In the public one, where its hint is told; with another seed in the hidden one."""
    fresh = small.MISTAKES + f"# {uuid.uuid4()}\n"  # nothing of it is kept from another test
    problem, ran = small.problem(tmp_path, mistakes=fresh), list[tuple[str, bytes]]()
    survey = sandbox.survey

    def watched(jobs: Iterable[Job]) -> Iterator[list[Run]]:
        for runs, job in zip(survey(again := list(jobs)), again, strict=True):
            inputs = next(case.inputs for case in job.cases if case.name == CASE)
            ran.append((job.source, inputs["q"].tobytes()))
            yield runs

    monkeypatch.setattr(sandbox, "survey", watched)
    found = verify_cases(problem, cases, sandbox, seed) if cases else verify(problem, sandbox, seed)
    assert told(found) == []
    answers = answers_for(problem, Framework.NUMPY, sandbox, seed)
    own = next(answer for answer in answers.cases if answer.case.name == CASE)
    drawn = {"public": answers.twins[CASE], "hidden": own}
    names = {answer.case.inputs["q"].tobytes(): name for name, answer in drawn.items()}
    mistake = problem.mistakes[0].sources[Framework.NUMPY]
    assert Counter(names[q] for source, q in ran if source == mistake) == draws


# -----------------------------------------------------------------------------------------------------------------------
# the report


def shown(fitness: Fitness, width: int = 100) -> str:
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    matrix.show(fitness, console)
    console.file.close()
    return console.export_text()


def test_the_kill_matrix(sandbox: SandboxPool, tmp_path: Path) -> None:
    text = shown(found(sandbox, tmp_path))
    assert "scores, numpy: which case kills" in text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert (rows["mistake"], rows["doubled"], rows["no_scale"]) == (
        ["s1", "2", "3"],
        ["✕", "✕", "✕"],
        ["·", "·", "✕"],
    )
    words = " ".join(text.split())
    assert "s sample, · accepted, ✕ wrong answer. nearest: the nearest mistake" in words
    assert rows["case"] == ["noise", "tolerance", "nearest"]
    assert text.rstrip().endswith("scores: ✓ fit to use")


def test_a_narrow_terminal_has_the_cases_in_blocks(sandbox: SandboxPool, tmp_path: Path) -> None:
    more = "".join(
        f'    yield Case("case {i}", {{"q": draw(rng, 2, 3), "k": draw(rng, 2, 3)}},'
        ' note="More of it.")\n'
        for i in range(20)
    )
    text = shown(found(sandbox, tmp_path, cases=small.CASES + more), 60)
    lines = [line.split() for line in text.splitlines()]
    heads = [line[1:] for line in lines if line[:1] == ["mistake"]]
    assert [head for line in heads for head in line] == ["s1", *map(str, range(2, 24))]
    assert list(map(len, heads)) == [11, 12] and "…" not in text
    assert [len(line) for line in lines if line[:1] == ["doubled"]] == [len(h) + 1 for h in heads]


def test_what_is_broken_is_listed_below_the_matrix(sandbox: SandboxPool, tmp_path: Path) -> None:
    text = shown(found(sandbox, tmp_path, mistakes=small.MISTAKES + HARMLESS))
    assert (
        "  rule 3: mistake 'harmless' in numpy: survives: no hidden case kills it; add a case that"
        " does" in text
    )
    assert text.rstrip().endswith("scores: ✕ not fit: 1 finding")


def test_the_page_of_the_bank(sandbox: SandboxPool, tmp_path: Path) -> None:
    small.write(tmp_path)
    small.write(tmp_path, "spoiled", mistakes=small.MISTAKES + HARMLESS)
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    problems: list[Problem] = [load(tmp_path, "scores"), load(tmp_path, "spoiled")]
    assert verify_all(problems, in_turn(sandbox), 0, tmp_path / "bank.md", True, console) == 1
    console.file.close()
    page = (tmp_path / "bank.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| scores | numpy |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert (cells[2:5], cells[8]) == (["3 (1)", "2", "2"], "yes")
    assert (
        next(line for line in page.splitlines() if line.startswith("| spoiled"))
        .rstrip("| ")
        .endswith("no")
    )
    assert "| no_scale | · | · | ✕ |" in page
    assert "- rule 3: mistake 'harmless' in numpy: survives" in page
    text = console.export_text()
    assert "✓ scores: 3 cases, 2 mistakes, all killed" in text
    assert "1 of 2 problems are fit to use" in text


def test_brief_lines_of_several_seeds_name_the_seed(sandbox: SandboxPool, tmp_path: Path) -> None:
    problems = [small.problem(tmp_path), small.problem(tmp_path, "spoiled", mistakes="")]
    for seeds, words in {
        (3,): ["✓ scores: 3 cases"],
        (3, 4): ["✓ seed 3: scores: 3 cases", "✕ seed 3: spoiled", "✓ seed 4: scores: 3 cases"],
    }.items():
        console = Console(width=100, record=True, file=io.StringIO())
        assert verify_seeds(problems, in_turn(sandbox), seeds, None, True, console) == 1
        text = console.export_text()
        assert [each for each in words if each not in text] == []
        assert ("seed" in text) is (len(seeds) > 1)


def test_references_are_judged_as_submissions(sandbox: SandboxPool, tmp_path: Path) -> None:
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    assert check_references([small.problem(tmp_path)], sandbox, 0, console) == 0
    broken = small.problem(
        tmp_path,
        toml=changed(small.TOML, 'difficulty = "easy"', 'difficulty = "easy"\ntolerance = 1e-9'),
    )
    assert check_references([broken], sandbox, 0, console) == 1
    console.file.close()
    lines = console.export_text().splitlines()
    assert lines[0] == "✓ scores, numpy: 3 of 3 cases passed"
    assert lines[1].startswith("1 of 1 references accepted") and any(
        line.startswith("0 of 1 references accepted") for line in lines
    )


def test_a_judge_that_fails_is_not_the_problems_fault(tmp_path: Path) -> None:
    problem = dataclasses.replace(small.problem(tmp_path), digest=uuid.uuid4().hex, limits=Limits())
    lost = FakeRoom([Case("a", inputs={"q": np.ones((1, 2)), "k": np.ones((3, 2))})], {})
    lost.programs[problem.references[Framework.NUMPY]] = lambda case: Run(case.name, Ended.LOST)
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    assert check_references([problem], lost, 0, console) == 3
    console.file.close()
    assert (
        "judge error: the room was lost while running reference/scores/numpy.py"
        in console.export_text()
    )


def test_a_closed_sandbox_is_not_the_problems_fault(tmp_path: Path) -> None:
    from grader.errors import RoomError

    closed = open_sandbox("process")
    closed.close()
    with pytest.raises(RoomError, match="closed"):
        verify(dataclasses.replace(small.problem(tmp_path), digest=uuid.uuid4().hex), closed)


def test_values_need_no_hidden_case(sandbox: SandboxPool, tmp_path: Path) -> None:
    toml = small.TOML.replace('params = ["q", "k", "scale=1.0"]\n', "").replace(
        "frameworks", 'kind = "values"\ntolerance = 0.005\nframeworks'
    )
    fitness = found(
        sandbox,
        tmp_path,
        toml=toml.partition("[shapes]")[0],
        statement="# Scores\n\nBy hand.\n",
        numpy="scores = [[0.5, 0.25], [0.1, 0.7]]\n",
        starter_numpy="scores = None\n",
        cases=(
            'from grader.case import Case\n\n\ndef cases(rng):\n    yield Case("by hand",'
            ' note="Three words.")\n'
        ),
        mistakes=(
            '[[mistake]]\nname = "rounded"\nhint = "h"\nnumpy = { find = "0.25", replace ='
            ' "0.35" }\n'
        ),
    )
    assert fitness.problem.kind is Kind.VALUES
    assert told(fitness) == []
