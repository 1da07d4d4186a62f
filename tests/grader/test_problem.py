"""A folder on disk -> Problem: strict keys, did you mean, wrong types; every text names file, key
and remedy.
"""

import dataclasses
import re
from pathlib import Path

import pytest

from grader.errors import ProblemError, UsageError
from grader.model import Framework, Kind, Limits, Outcome
from grader.problem import (
    Entry,
    Parameter,
    Words,
    bank_root,
    default_bank,
    did_you_mean,
    load,
    load_bank,
    slugs,
    track_order,
)
from grader.problem.files import contents, judging_digest
from grader.problem.rules import read_rules
from grader.problem.standard import NAMES_ZH, NOTES_ZH
from tests.conftest import ROOT
from tests.grader import small


def changed(find: str, replace: str, text: str = small.TOML) -> str:
    """The text with one edit, which must apply."""
    assert text.count(find) == 1, find
    return text.replace(find, replace)


def test_everything_that_a_folder_says(tmp_path: Path) -> None:
    toml = """
title = "Scores"
title_zh = "分数"
track = "masks"
order = 6
difficulty = "hard"
frameworks = ["torch", "numpy"]
kind = "function"
source = "Nobody 2020"
requires = ["causal_mask"]
tolerance = 0.005

[entry.scores]
params = ["q", "k", "scale=1.0"]
returns = ["scores"]

[entry.weights]
returns = ["weights", "scores"]

[shapes]
q = "L D"
weights = ["L S", "B 1 L S"]

[limits]
wall_s = 3
memory_mib = 64

[rules]
forbid = ["torch.softmax"]
imports = false
"""
    found = small.problem(tmp_path, toml=toml, torch="def scores(q, k): ...  # @", mistakes="")
    assert (
        found.slug,
        found.title,
        found.title_zh,
        found.track,
        found.order,
        found.difficulty,
    ) == (
        "scores",
        "Scores",
        "分数",
        "masks",
        6,
        "hard",
    )
    assert found.declared == (Framework.TORCH, Framework.NUMPY)
    assert (found.kind, found.source, found.requires, found.tolerance) == (
        Kind.FUNCTION,
        "Nobody 2020",
        ("causal_mask",),
        0.005,
    )
    params = (Parameter("q", True), Parameter("k", True), Parameter("scale", False))
    assert found.entries == (
        Entry("scores", params, ("scores",)),
        Entry("weights", (), ("weights", "scores")),
    )
    assert found.shapes == {"q": ("L D",), "weights": ("L S", "B 1 L S")}
    assert found.limits == Limits(wall_s=3.0, memory_mib=64)
    assert (found.rules.forbid, found.rules.imports) == (("torch.softmax",), False)
    assert set(found.statements) == {"en"} and set(found.starters) == set(found.references) == {
        Framework.NUMPY,
        Framework.TORCH,
    }


def test_what_may_be_left_out(tmp_path: Path) -> None:
    found = small.problem(tmp_path)
    assert (found.title_zh, found.order, found.kind, found.requires, found.tolerance) == (
        "",
        99,
        Kind.FUNCTION,
        (),
        None,
    )
    assert (found.limits, found.rules.forbid, found.rules.imports) == (Limits(), (), True)


@pytest.mark.parametrize(
    ("lines", "total_s"),
    [
        ("", 60.0),
        ("wall_s = 20", 60.0),
        ("wall_s = 90", 90.0),
        ("wall_s = 90\ntotal_s = 30", 30.0),
        ("total_s = 5", 5.0),
    ],
    ids=["default", "shorter-call", "longer-call", "given-with-call", "given"],
)
def test_the_whole_submission_has_a_limit(tmp_path: Path, lines: str, total_s: float) -> None:
    assert (
        small.problem(tmp_path, toml=f"{small.TOML}\n[limits]\n{lines}\n").limits.total_s == total_s
    )


def test_a_chinese_statement_is_found(tmp_path: Path) -> None:
    small.write(tmp_path)
    (tmp_path / "problems" / "scores" / "statement.zh.md").write_text("# 分数\n", encoding="utf-8")
    assert load(tmp_path, "scores").statements["zh"] == "# 分数\n"


CHINESE = """
[mistakes]
doubled = "分数都太大了。"

[cases]
"two by three" = { name = "二乘三", note = "很小。" }
"""


def chinese(folder: Path, text: str) -> Path:
    small.write(folder)
    path = folder / "problems" / "scores" / "hints.zh.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_hints_names_and_notes_in_chinese(tmp_path: Path) -> None:
    assert small.problem(tmp_path).words == {}
    chinese(tmp_path, CHINESE)
    assert load(tmp_path, "scores").words == {
        "zh": Words(
            {"doubled": "分数都太大了。"},
            NAMES_ZH | {"two by three": "二乘三"},
            NOTES_ZH | {"two by three": "很小。"},
        )
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            CHINESE.replace("doubled", "doubeld"),
            "[mistakes]: 'doubeld': mistakes.toml has no such mistake (did you mean 'doubled'?)",
        ),
        (
            CHINESE.replace('"分数都太大了。"', "3"),
            "[mistakes]: 'doubled' is 3; it must be a string",
        ),
        (
            f'{CHINESE}[right]\nother = "另一种。"\n',
            "[right]: 'other': right/ has no such solution",
        ),
        (
            CHINESE.replace(', note = "很小。"', ""),
            "[cases] [two by three]: 'note' is missing; see docs/problem-format.md",
        ),
        (
            CHINESE.replace("note =", 'why = "", note ='),
            "[cases] [two by three]: unknown key 'why'",
        ),
        (CHINESE + "\n[hints]\n", "unknown key 'hints'"),
        ("mistakes =", "not valid TOML: "),
    ],
    ids=[
        "unknown mistake",
        "no text",
        "unknown solution",
        "no note",
        "unknown key of a case",
        "unknown table",
        "no TOML",
    ],
)
def test_hints_in_chinese_are_read_strictly(tmp_path: Path, text: str, words: str) -> None:
    path = chinese(tmp_path, text)
    with pytest.raises(ProblemError) as error:
        load(tmp_path, "scores")
    assert str(error.value).startswith(f"{path}: ") and words in str(error.value)


def test_a_module_has_constructor_arguments_and_values_have_no_parameters(tmp_path: Path) -> None:
    module = changed(
        '[entry.scores]\nparams = ["q", "k", "scale=1.0"]',
        '[entry.scores]\ninit = ["d_model", "n=2"]\nparams = ["x"]',
    )
    module = changed('q = "L D"\nk = "S D"', 'x = "L D"\n"W_q.weight" = "D D"', module)
    found = small.problem(
        tmp_path, toml=changed("frameworks", 'kind = "module"\nframeworks', module), mistakes=""
    )
    assert found.shapes["W_q.weight"] == ("D D",)
    assert found.entry().init == (Parameter("d_model", True), Parameter("n", False))
    values = changed(
        'params = ["q", "k", "scale=1.0"]\n', "", changed('q = "L D"\nk = "S D"\n', "")
    )
    values = changed("frameworks", 'kind = "values"\nframeworks', values)
    assert small.problem(tmp_path, toml=values, mistakes="").entry().params == ()


# --------------------------------------------------------------------------------------------------
# problem.toml, refused

TOML_ERRORS = {
    "a shape of nothing": (
        changed('scores = "L S"', 'scorse = "L S"'),
        (
            "[shapes]: 'scorse' is neither passed nor returned by an entry point (did you mean"
            " 'scores'?); there are q, k, scale, scores"
        ),
    ),
    "no TOML": ("title =", "not valid TOML: Invalid value"),
    "unknown key": (
        changed('difficulty = "easy"', 'dificulty = "easy"'),
        "'difficulty' is missing; correct 'dificulty'",
    ),
    "unknown key beside a known one": (
        changed('difficulty = "easy"', 'difficulty = "easy"\ntolerence = 0.1'),
        "unknown key 'tolerence' (did you mean 'tolerance'?)",
    ),
    "unknown key like no other": (
        changed('difficulty = "easy"', 'difficulty = "easy"\nzzz = 1'),
        "unknown key 'zzz'; docs/problem-format.md has them all",
    ),
    "unknown key in an entry": (
        changed('returns = ["scores"]', 'returns = ["scores"]\nparms = []'),
        "[entry] [scores]: unknown key 'parms' (did you mean 'params'?)",
    ),
    "constructor arguments of a function": (
        changed('returns = ["scores"]', 'returns = ["scores"]\ninit = ["n"]'),
        (
            "[entry] [scores]: 'init' is for a class, and kind is \"function\"; write kind ="
            ' "class" or kind = "module", or leave \'init\' out'
        ),
    ),
    "unknown key in limits": (
        small.TOML + "\n[limits]\nmemory_mb = 5",
        "[limits]: unknown key 'memory_mb' (did you mean 'memory_mib'?)",
    ),
    "unknown key in rules": (
        small.TOML + "\n[rules]\nforbidden = []",
        "[rules]: unknown key 'forbidden' (did you mean 'forbid'?)",
    ),
    "a title missing": (
        changed('title = "Scores"', ""),
        "'title' is missing; see docs/problem-format.md",
    ),
    "a title that is a number": (changed('"Scores"', "5"), "'title' is 5; it must be a string"),
    "an order that is a text": (
        changed('difficulty = "easy"', 'difficulty = "easy"\norder = "6"'),
        "'order' is '6'; it must be an integer",
    ),
    "an order that is a truth value": (
        changed('difficulty = "easy"', 'difficulty = "easy"\norder = true'),
        "'order' is True; it must be an integer",
    ),
    "a track that is no name": (
        changed('"foundations"', '"Long context"'),
        "'track' is 'Long context'; use lower-case letters, digits and underscores, such as",
    ),
    "an unknown difficulty": (
        changed('"easy"', '"trivial"'),
        "'difficulty' is 'trivial'; choose from easy, medium, hard",
    ),
    "an unknown kind": (
        changed("frameworks", 'kind = "modul"\nframeworks'),
        "'kind' is 'modul' (did you mean 'module'?); choose from function, module, class, values",
    ),
    "an unknown framework": (
        changed('["numpy"]', '["nunpy"]'),
        "'frameworks' has 'nunpy' (did you mean 'numpy'?); choose from numpy, torch",
    ),
    "no framework": (
        changed('["numpy"]', "[]"),
        "'frameworks' is empty; list numpy, torch or both",
    ),
    "one framework, not in a list": (
        changed('["numpy"]', '"numpy"'),
        "'frameworks' must be a list of strings",
    ),
    "a list of numbers": (changed('["numpy"]', "[1]"), "'frameworks' must be a list of strings"),
    "no entry": (
        "\n".join(small.TOML.split("\n")[:7]),
        "'entry' is missing; see docs/problem-format.md",
    ),
    "an empty entry": (
        changed(
            '[entry.scores]\nparams = ["q", "k", "scale=1.0"]\nreturns = ["scores"]', "[entry]"
        ),
        "no entry point; add a table [entry.NAME] with params and returns",
    ),
    "an entry that is no table": (
        changed(
            '[entry.scores]\nparams = ["q", "k", "scale=1.0"]\nreturns = ["scores"]',
            "[entry]\nscores = 1",
        ),
        "[entry]: 'scores' is 1; it must be a table",
    ),
    "nothing returned": (
        changed('returns = ["scores"]', "returns = []"),
        "[entry] [scores]: 'returns' is empty; name what is returned",
    ),
    "parameters that are none": (
        changed('"scale=1.0"', '"scale=="'),
        (
            "[entry] [scores]: 'params': ['q', 'k', 'scale=='] are not parameters; write them as in"
            " a def, e.g. 'mask=None'"
        ),
    ),
    "parameters that close the def": (
        changed('"scale=1.0"', '"k=1): pass\\nimport os\\ndef g("'),
        "are not parameters; write them as in a def",
    ),
    "a star among the parameters": (
        changed('"scale=1.0"', '"*", "scale=1.0"'),
        "are not parameters; write them as in a def",
    ),
    "any number of parameters": (
        changed('"scale=1.0"', '"*args"'),
        "are not parameters; write them as in a def",
    ),
    "two parameters of one name": (
        changed('"scale=1.0"', '"k"'),
        "are not parameters; write them as in a def",
    ),
    "a required parameter after an optional one": (
        changed('"scale=1.0"', '"scale=1.0", "mask"'),
        "are not parameters; write them as in a def",
    ),
    "a shape that is a number": (
        changed('q = "L D"', "q = 3"),
        "[shapes]: 'q': write a shape as 'B L D', or a list of such forms",
    ),
    "a shape that is a list of numbers": (
        changed('q = "L D"', "q = [3]"),
        "[shapes]: 'q': write a shape as 'B L D', or a list of such forms",
    ),
    "a limit of zero": (
        small.TOML + "\n[limits]\nwall_s = 0",
        "[limits]: 'wall_s' must be above 0",
    ),
    "a limit that is no number": (
        small.TOML + "\n[limits]\nwall_s = nan",
        "[limits]: 'wall_s' is nan; it must be a finite number",
    ),
    "a limit that no clock holds": (
        small.TOML + "\n[limits]\nwall_s = 1e300",
        "[limits]: 'wall_s' must be at most 1000000",
    ),
    "a limit of four hundred digits": (
        small.TOML + f"\n[limits]\nmemory_mib = 1{'0' * 400}",
        "[limits]: 'memory_mib' must be at most 1000000",
    ),
    "a tolerance below zero": (
        changed('difficulty = "easy"', 'difficulty = "easy"\ntolerance = -1'),
        "'tolerance' must be 0 or more",
    ),
    "a tolerance without end": (
        changed('difficulty = "easy"', 'difficulty = "easy"\ntolerance = inf'),
        "'tolerance' is inf; it must be a finite number",
    ),
    "a limit that is a text": (
        small.TOML + '\n[limits]\nwall_s = "5"',
        "[limits]: 'wall_s' is '5'; it must be a number",
    ),
    "a limit that is a truth value": (
        small.TOML + "\n[limits]\nwall_s = true",
        "[limits]: 'wall_s' is True; it must be a number",
    ),
    "imports that are no truth value": (
        small.TOML + '\n[rules]\nimports = "no"',
        "[rules]: 'imports' is 'no'; it must be true or false",
    ),
    "a tolerance that is a text": (
        changed('difficulty = "easy"', 'difficulty = "easy"\ntolerance = "small"'),
        "'tolerance' is 'small'; it must be a number",
    ),
}


@pytest.mark.parametrize(("toml", "words"), TOML_ERRORS.values(), ids=TOML_ERRORS.keys())
def test_a_wrong_problem_toml(tmp_path: Path, toml: str, words: str) -> None:
    with pytest.raises(ProblemError) as error:
        small.problem(tmp_path, toml=toml)
    assert str(error.value).startswith(f"{tmp_path / 'problems' / 'scores' / 'problem.toml'}: ")
    assert words in str(error.value)


# --------------------------------------------------------------------------------------------------
# mistakes.toml, refused

ROW = '[[mistake]]\nname = "a"\nhint = "h"\n'
MISTAKE_ERRORS = {
    "not a list of tables": ('mistake = "none"', "write each mistake as a table [[mistake]]"),
    "an unknown table": (
        "[[mistakes]]\nname = 'a'",
        "unknown key 'mistakes' (did you mean 'mistake'?)",
    ),
    "no name": ('[[mistake]]\nhint = "h"', "mistake 1: 'name' is missing"),
    "an unknown key": (
        ROW + 'verdct = "runtime_error"\nnumpy = { find = "q @ k.T", replace = "" }',
        "mistake 'a': unknown key 'verdct' (did you mean 'verdict'?)",
    ),
    "a framework that the problem has not": (
        ROW + 'torch = { find = "a", replace = "" }',
        "mistake 'a' has no source; add numpy =",
    ),
    "no source": (
        ROW,
        "mistake 'a' has no source; add numpy = { find = …, replace = … } or torch = …",
    ),
    "found nowhere": (
        ROW + 'numpy = { find = "softmax", replace = "" }',
        (
            "mistake 'a' [numpy]: 'find': 'softmax' occurs 0 times in the reference; it must occur"
            " exactly once"
        ),
    ),
    "found twice": (
        ROW + 'numpy = { find = "q", replace = "" }',
        (
            "mistake 'a' [numpy]: 'find': 'q' occurs 3 times in the reference; it must occur"
            " exactly once"
        ),
    ),
    "empty find": (
        ROW + 'numpy = { find = "", replace = "x" }',
        "'find': '' occurs 0 times in the reference",
    ),
    "no replacement": (
        ROW + 'numpy = { find = "q @ k.T" }',
        "mistake 'a' [numpy]: 'replace' is missing",
    ),
    "a key too many": (
        ROW + 'numpy = { find = "q @ k.T", replace = "", flags = "x" }',
        "mistake 'a' [numpy]: unknown key 'flags'",
    ),
    "an edit that is a text": (
        ROW + 'numpy = "q"',
        "mistake 'a': 'numpy' is 'q'; it must be a table",
    ),
    "an unknown verdict": (
        ROW + 'verdict = "memory_limit"\nnumpy = { find = "q @ k.T", replace = "" }',
        "mistake 'a': 'verdict' is 'memory_limit' (did you mean 'memory_limit_exceeded'?)",
    ),
    "a mistake that is accepted": (
        ROW + 'verdict = "accepted"\nnumpy = { find = "q @ k.T", replace = "" }',
        "mistake 'a': 'verdict' is 'accepted'",
    ),
    "two of one name": (
        (ROW + 'numpy = { find = "q @ k.T", replace = "q" }\n') * 2,
        "two mistakes are called 'a'; rename one",
    ),
    "a file elsewhere": (
        ROW + 'numpy = { file = "../../reference/scores/numpy.py" }',
        (
            "mistake 'a' [numpy]: 'file': '../../reference/scores/numpy.py' must be the plain name"
            " of a file in mistakes/"
        ),
    ),
}


@pytest.mark.parametrize(("mistakes", "words"), MISTAKE_ERRORS.values(), ids=MISTAKE_ERRORS.keys())
def test_a_wrong_mistakes_toml(tmp_path: Path, mistakes: str, words: str) -> None:
    with pytest.raises(ProblemError) as error:
        small.problem(tmp_path, mistakes=mistakes)
    assert str(error.value).startswith(f"{tmp_path / 'problems' / 'scores' / 'mistakes.toml'}: ")
    assert words in str(error.value)


def test_a_mistake_that_is_a_whole_file(tmp_path: Path) -> None:
    text = ROW + 'verdict = "memory_limit_exceeded"\nnumpy = { file = "dense_numpy.py" }'
    small.write(tmp_path, mistakes=text)
    with pytest.raises(
        ProblemError, match=r"dense_numpy.py: this file is missing; a mistake names it$"
    ):
        load(tmp_path, "scores")
    (tmp_path / "problems" / "scores" / "mistakes").mkdir()
    (tmp_path / "problems" / "scores" / "mistakes" / "dense_numpy.py").write_text(
        "def scores(): ..."
    )
    (mistake,) = load(tmp_path, "scores").mistakes
    assert (mistake.verdict, mistake.sources) == (
        Outcome.MEMORY_LIMIT,
        {Framework.NUMPY: "def scores(): ..."},
    )


def test_an_edit_is_applied_to_the_reference(tmp_path: Path) -> None:
    doubled, _ = small.problem(tmp_path).mistakes
    assert doubled.sources[Framework.NUMPY] == small.REFERENCE.replace("q @ k.T", "2 * q @ k.T")


# --------------------------------------------------------------------------------------------------
# other files

FILES = {
    "problems/scores/cases.py": "def cases(rng) yields the test cases",
    "problems/scores/statement.md": "the learner reads it",
    "problems/scores/starter_numpy.py": "every declared framework needs a starter",
    "problems/scores/mistakes.toml": "see docs/problem-format.md",
    "reference/scores/numpy.py": "every declared framework needs a reference",
}


@pytest.mark.parametrize(("file", "why"), FILES.items(), ids=FILES.keys())
def test_a_missing_file(tmp_path: Path, file: str, why: str) -> None:
    small.write(tmp_path)
    (tmp_path / file).unlink()
    with pytest.raises(ProblemError) as error:
        load(tmp_path, "scores")
    assert str(error.value) == f"{tmp_path / file}: this file is missing; {why}"


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_no_text(tmp_path: Path, file: str) -> None:
    small.write(tmp_path)
    (tmp_path / file).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(
        ProblemError, match=re.escape(f"{tmp_path / file}: cannot be read as UTF-8 text: ")
    ):
        load(tmp_path, "scores")


# --------------------------------------------------------------------------------------------------
# banks and digests


def test_a_bank_in_teaching_order(tmp_path: Path) -> None:
    for slug, track, order in (
        ("a", "heads", 1),
        ("b", "foundations", 2),
        ("c", "foundations", 1),
        ("d", "foundations", 1),
    ):
        small.write(
            tmp_path,
            slug,
            toml=changed('track = "foundations"', f'track = "{track}"\norder = {order}'),
        )
    (tmp_path / "problems" / "notes").mkdir()
    assert slugs(tmp_path) == ["a", "b", "c", "d"]
    assert [p.slug for p in load_bank(tmp_path)] == ["c", "d", "b", "a"]


def test_a_bank_lists_its_own_tracks(tmp_path: Path) -> None:
    """In the order of its file; what is not listed comes last, by name."""
    for slug, track in (("a", "heads"), ("b", "zoo"), ("c", "long_context"), ("d", "all_else")):
        small.write(tmp_path, slug, toml=changed('track = "foundations"', f'track = "{track}"'))
    assert track_order(tmp_path) == track_order(ROOT)
    assert [p.slug for p in load_bank(tmp_path)] == ["a", "d", "c", "b"]
    tracks = tmp_path / "problems" / "tracks.toml"
    tracks.write_text('tracks = ["long_context", "heads"]\n', encoding="utf-8")
    assert [p.slug for p in load_bank(tmp_path)] == ["c", "a", "d", "b"]
    assert slugs(tmp_path) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tracks = 5", "'tracks' must be a list of strings"),
        ('tracks = ["heads", "heads"]', "'tracks' lists 'heads' twice; remove one"),
        ('tracks = ["Long context"]', "'Long context' is not the name of a track; use lower-case"),
        ('tracks = []\norder = ["heads"]', "unknown key 'order'"),
    ],
)
def test_a_malformed_list_of_tracks(tmp_path: Path, text: str, fault: str) -> None:
    small.write(tmp_path)
    (tmp_path / "problems" / "tracks.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError, match=re.escape(fault)):
        load_bank(tmp_path)


UNKNOWN = {
    "scors": " (did you mean 'scores'?)",
    "transformer": "",
    "../scores": " (did you mean 'scores'?)",
    "": "",
    ".hidden": "",
}


@pytest.mark.parametrize(("slug", "hint"), UNKNOWN.items(), ids=[s or "empty" for s in UNKNOWN])
def test_an_unknown_problem(tmp_path: Path, slug: str, hint: str) -> None:
    small.write(tmp_path)
    with pytest.raises(UsageError) as error:
        load(tmp_path, slug)
    assert (
        str(error.value)
        == f"no problem '{slug}' in {tmp_path / 'problems'}{hint}; `grade list` shows them all"
    )


def test_a_folder_that_is_no_bank(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError,
        match=r"no problem bank here; a bank is a folder with problems/ and reference/ in it "
        r"\(--bank DIR, GRADE_BANK or, for the service, JUDGE_BANK\)",
    ):
        load_bank(tmp_path)


def test_a_bank_may_be_named_by_its_problems(tmp_path: Path) -> None:
    assert bank_root(small.write(tmp_path) / "problems") == tmp_path


def test_which_bank_is_used_when_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.write(tmp_path / "mine")
    (tmp_path / "mine" / "deeper").mkdir()
    monkeypatch.chdir(tmp_path)
    assert default_bank() == ROOT
    monkeypatch.chdir(tmp_path / "mine" / "deeper")
    assert default_bank() == tmp_path / "mine"
    monkeypatch.setenv("GRADE_BANK", "/elsewhere")
    assert default_bank() == Path("/elsewhere")


CHANGES = [
    "problems/scores/problem.toml",
    "problems/scores/cases.py",
    "problems/scores/mistakes.toml",
    "reference/scores/numpy.py",
]


@pytest.mark.parametrize("file", CHANGES)
def test_the_digest_sees_every_change(tmp_path: Path, file: str) -> None:
    before = small.problem(tmp_path).digest
    with (tmp_path / file).open("a") as text:
        text.write("\n# another line\n")
    assert load(tmp_path, "scores").digest != before


@pytest.mark.parametrize(
    ("file", "text", "sees"),
    [
        ("problems/scores/cases.py", "# another line", True),
        ("reference/scores/numpy.py", "# another line", True),
        ("problems/scores/driver_numpy.py", "def run(): ...", True),
        ("problems/scores/problem.toml", "[limits]\ncpu_s = 9", True),
        ("problems/scores/problem.toml", "# another line", False),
        ("problems/scores/mistakes.toml", "# another line", False),
        ("problems/scores/statement.md", "Another line.", False),
        ("problems/scores/hints.zh.toml", "# another line", False),
        ("problems/scores/starter_numpy.py", "# another line", False),
        ("problems/scores/mistakes/driver_numpy.py", "x = 1", False),
        ("problems/scores/right/cases.py", "x = 1", False),
    ],
)
def test_the_judging_digest_sees_what_decides_acceptance(
    tmp_path: Path, file: str, text: str, sees: bool
) -> None:
    small.write(tmp_path)
    folders = tmp_path / "problems/scores", tmp_path / "reference/scores"
    before = judging_digest(contents(*folders))
    (tmp_path / file).parent.mkdir(exist_ok=True)
    with (tmp_path / file).open("a") as page:
        page.write(f"\n{text}\n")
    assert (judging_digest(contents(*folders)) != before) is sees


def test_the_judging_digest_does_not_see_titles(tmp_path: Path) -> None:
    before = small.problem(tmp_path).judging_digest
    toml = tmp_path / "problems/scores/problem.toml"
    toml.write_text('title_zh = "x"\norder = 3\n' + toml.read_text(encoding="utf-8"), "utf-8")
    assert load(tmp_path, "scores").judging_digest == before


def test_the_digest_does_not_see_caches_or_the_place(tmp_path: Path) -> None:
    before = small.problem(tmp_path / "one").digest
    elsewhere = small.write(tmp_path / "two")
    (elsewhere / "problems" / "scores" / "__pycache__").mkdir()
    (elsewhere / "problems" / "scores" / "__pycache__" / "cases.py").write_text("x")
    (elsewhere / "problems" / "scores" / "notes.txt").write_text("x")
    assert load(elsewhere, "scores").digest == before


def test_did_you_mean() -> None:
    assert (
        str(did_you_mean("causal_musk", ["causal_mask", "softmax"]))
        == " (did you mean 'causal_mask'?)"
    )
    assert did_you_mean("xyz", ["causal_mask"]) == ""


def test_an_entry_is_found_by_name(tmp_path: Path) -> None:
    found = small.problem(tmp_path)
    assert found.entry() is found.entry("scores")
    with pytest.raises(KeyError):
        found.entry("weights")


def test_a_problem_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        small.problem(tmp_path).title = "Other"  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------------------------
# the rules that a statement lists

RULES = {
    "no heading": ("# Scores\n\n- **Large scores.** Any.\n", ()),
    "another heading": ("## Rules\n\n- **Large scores.** Any.\n", ()),
    "a heading of another level": ("### The rules\n\n- **Large scores.** Any.\n", ()),
    "an empty list": ("## The rules\n\nNone.\n", ()),
    "in order, without the punctuation at the end": (
        "## The rules\n\n- **Large scores.** Any.\n- **Any size may be one**: all.\n- **Why?** So.\n",
        ("Large scores", "Any size may be one", "Why?"),
    ),
    "a name over two lines": (
        "## The rules\n\n- **A query that sees\n  nothing gets zeros.** Never NaN.\n",
        ("A query that sees nothing gets zeros",),
    ),
    "bold inside an item is no name": (
        "## The rules\n\n- **Large scores.** **Any** of them.\n- No **name** here.\n",
        ("Large scores",),
    ),
    "an item below an item is no rule": (
        "## The rules\n\n- **Costs little.** It has\n  - **512 MiB**, and\n  - five times.\n",
        ("Costs little",),
    ),
    "only the section's own list": (
        "## Hints\n\n- **Not this.** No.\n\n## The rules\n\n- **This.** Yes.\n\n## Examples\n\n"
        "- **Nor this.** No.\n",
        ("This",),
    ),
}


@pytest.mark.parametrize(("statement", "rules"), RULES.values(), ids=RULES.keys())
def test_the_rules_of_a_statement(statement: str, rules: tuple[str, ...]) -> None:
    assert read_rules({"en": statement}) == {"en": rules}


def test_each_language_has_its_own_heading() -> None:
    english = "## The rules\n\n- **Large scores.** Any.\n"
    chinese = "## 规则\n\n- **很大的分数。** 任意。\n- **梯度畅通**：都要。\n"
    assert read_rules({"en": english, "zh": chinese, "fr": english}) == {
        "en": ("Large scores",),
        "zh": ("很大的分数", "梯度畅通"),
    }
    assert read_rules({"en": chinese, "zh": english}) == {"en": (), "zh": ()}


def test_a_problem_knows_its_rules(tmp_path: Path) -> None:
    statement = small.STATEMENT + "\n## The rules\n\n- **The scale counts.** Any number.\n"
    assert small.problem(tmp_path, statement=statement).statement_rules == {
        "en": ("The scale counts",)
    }
    assert small.problem(tmp_path).statement_rules == {"en": ()}
