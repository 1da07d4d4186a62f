"""Explorations of hostile submissions; `python -m tests.attacks.explored` looks into all of them."""

import pytest

from grader.sandbox import SandboxPool
from tests.attacks import matrix
from tests.attacks.explored import KINDS, explored
from tests.attacks.test_attacks import rooms  # noqa: F401  (a fixture)

TELLING = (
    "control_numpy control_torch exit_in_call frame_claims_terabytes patch_send"
    " drop_modules gc_scan frame_walk read_bank_files environment network heap_scan always_equal"
    " fork_ignored memory_list output_flood closed_outputs import_loop sleeper recursion_segfault hostile_text"
    " trace_bomb trace_forged_paths trace_reads_frames"
).split()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TELLING)
def test_exploring_an_attack_harms_nobody(name: str, kind: str, rooms: SandboxPool) -> None:  # noqa: F811
    (attack,) = matrix.attacks([name])
    assert explored(attack, kind, rooms).faults == ()
