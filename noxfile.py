"""The tests on each Python that this project supports, with NumPy alone and with both frameworks.

`nox -l` lists the sessions. What follows `--` goes to pytest: `nox -s numpy-3.13 -- tests/grader`.
Each session has an environment of its own. A Python that is not on this machine is skipped and
named.
"""

import nox

PYTHONS = ["3.11", "3.12", "3.13"]
EXTRAS = "server,scale,dev"
QUICK = (
    "-m",
    "quick",
    "tests/grader",
    "tests/server",
    "tests/test_docs.py",
    "tests/test_imports.py",
)

nox.options.sessions = ["numpy"]
nox.options.reuse_existing_virtualenvs = True
nox.options.stop_on_first_error = False


@nox.session(python=PYTHONS)
def numpy(session: nox.Session) -> None:
    """NumPy alone. Tests that need PyTorch are skipped, and the summary says so."""
    session.install("-c", "constraints.txt", "-e", f".[{EXTRAS}]")
    _test(session)


@nox.session(python=PYTHONS)
def both(session: nox.Session) -> None:
    """NumPy and PyTorch. TORCH_INDEX_URL may name an index with CPU builds."""
    index = session.env.get("TORCH_INDEX_URL")
    session.install(
        *(("--extra-index-url", index) if index else ()),
        "-c",
        "constraints.txt",
        "-e",
        f".[torch,{EXTRAS}]",
    )
    _test(session)


def _test(session: nox.Session) -> None:
    session.run(
        "python",
        "-m",
        "pytest",
        "-n",
        "2",
        *(session.posargs or QUICK),
        env={"GRADE_HOME": session.create_tmp()},
    )
