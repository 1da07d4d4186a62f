"""Measures the service over HTTP: `python -m benchmarks.load` prints a table, `--json` one object.
`make bench` runs it.

A server of its own (temporary SQLite, the real room) answers: first one client submits to an idle
server, then many at once while pages are read. Clients use keep-alive connections and bearer
tokens, as `grade submit` does. docs/design/libraries.md says why this is not locust.

The judge alone, in this process, is measured in turns with the service: the same source, as many
verdicts at once. What the service adds is a ratio of the two, which holds on a busy machine too;
the ratio of their processor times depends least on what else runs.
"""

import argparse
import json
import sys
import threading
import time
from dataclasses import asdict, dataclass, field

from benchmarks.client import SLUG, Client, served
from benchmarks.processes import tree_cpu_ms
from benchmarks.verdicts import at_once
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, default_bank, load
from grader.sandbox import SandboxPool, open_sandbox

PAUSE_S = 0.03  # between two verdicts: the next container is cloned meanwhile
TURNS = 4  # of the judge alone and the crowd
ALONE_S = 2.0
PAGES = ("/", f"/problems/{SLUG}", "/leaderboard")
VERDICTS_A_PAGE = 4


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds, except where the name says otherwise."""

    judge_p50: float
    idle_p50: float
    idle_p95: float
    idle_to_judge: float
    account_p50: float
    clients: int
    submissions: int
    lost: int
    judge_a_second: float
    verdicts_a_second: float
    share_of_judge: float
    judge_cpu: float
    service_cpu: float
    cpu_to_judge: float
    busy_p50: float
    busy_p95: float
    pages: int
    page_p50: float
    page_p95: float


LIMITS = {"idle_p50": 60.0, "idle_p95": 120.0, "lost": 0, "page_p95": 50.0, "idle_to_judge": 2.0}
LEAST = {"verdicts_a_second": 40.0, "share_of_judge": 0.65}


@dataclass(slots=True)
class Crowd:
    """What clients saw, and the seconds and milliseconds of processor time that it took."""

    took: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    seconds: float = 0.0
    cpu_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Bench:
    """The server, and the judge beside it."""

    port: int
    tokens: list[str]
    server: int
    problem: Problem
    framework: Framework
    sandbox: SandboxPool

    @property
    def source(self) -> str:
        """The reference."""
        return self.problem.references[self.framework]


def part(values: list[float], share: float) -> float:
    """Returns the value below which this share of the values lies."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1)


def measure(clients: int = 20, each: int = 20, idle: int = 60) -> Figures:
    """Makes all measurements against one server, and beside it."""
    problem, framework = load(default_bank(), SLUG), Framework.TORCH
    with open_sandbox("bubblewrap") as sandbox, served(clients) as (port, tokens, server):
        bench = Bench(port, tokens, server, problem, framework, sandbox)
        _alone(bench, 5)  # the first computes the answers, which are then in the cache
        direct, over_http, account = _alone(bench, idle)
        own, crowd = _in_turns(bench, each)
    sent, judged, own_rate = clients * each, len(crowd.took), own[0] / own[1]
    rate, cpu, own_cpu = judged / crowd.seconds, crowd.cpu_ms / judged, own[2] / own[0]
    return Figures(
        judge_p50=part(direct, 0.5),
        idle_p50=part(over_http, 0.5),
        idle_p95=part(over_http, 0.95),
        idle_to_judge=round(part(over_http, 0.5) / part(direct, 0.5), 2),
        account_p50=part(account, 0.5),
        clients=clients,
        submissions=sent,
        lost=sent - judged + len(crowd.wrong),
        judge_a_second=round(own_rate, 1),
        verdicts_a_second=round(rate, 1),
        share_of_judge=round(rate / own_rate, 2),
        judge_cpu=round(own_cpu, 1),
        service_cpu=round(cpu, 1),
        cpu_to_judge=round(cpu / own_cpu, 2),
        busy_p50=part(crowd.took, 0.5),
        busy_p95=part(crowd.took, 0.95),
        pages=len(crowd.pages),
        page_p50=part(crowd.pages, 0.5),
        page_p95=part(crowd.pages, 0.95),
    )


def _alone(bench: Bench, times: int) -> tuple[list[float], list[float], list[float]]:
    """Asks the judge, the service, and the service for the account, in turns.

    Returns the milliseconds of each.
    """
    client = Client(bench.port, bench.tokens[0])
    took: tuple[list[float], list[float], list[float]] = ([], [], [])
    for i in range(times):
        source = f"{bench.source}# {times} {i}\n"
        began = time.perf_counter()
        verdict = judge(bench.problem, Submission(bench.framework, source), bench.sandbox)
        took[0].append((time.perf_counter() - began) * 1000)
        assert verdict.verdict is Outcome.ACCEPTED, verdict.message
        time.sleep(PAUSE_S)
        took[1].append(client.judged(source, bench.framework)[0])
        time.sleep(PAUSE_S)
        began = time.perf_counter()
        client.call("GET", "/api/v1/me")
        took[2].append((time.perf_counter() - began) * 1000)
    return took


def _in_turns(bench: Bench, each: int) -> tuple[tuple[int, float, float], Crowd]:
    """Lets the judge work alone and the crowd submit, in turns, `each` times a client in all.

    Returns what the judge did: verdicts, seconds, milliseconds of processor time; and the crowd.
    """
    count, seconds, cpu, crowd = 0, 0.0, 0.0, Crowd()
    for turn in range(TURNS):
        more = at_once(bench.problem, bench.framework, bench.sandbox, ALONE_S)
        count, seconds, cpu = count + more[0], seconds + more[1], cpu + more[2]
        _submit_all(bench, range(turn * each // TURNS, (turn + 1) * each // TURNS), crowd)
    return (count, seconds, cpu), crowd


def _submit_all(bench: Bench, numbers: range, crowd: Crowd) -> None:
    """Lets every client submit so many times, one after the other, while pages are read."""
    ended = threading.Event()

    def submit(token: str) -> None:
        client = Client(bench.port, token)
        for i in numbers:
            ms, verdict = client.judged(f"{bench.source}# {token[-6:]} {i}\n", bench.framework)
            crowd.took.append(ms)
            if verdict != "accepted":
                crowd.wrong.append(verdict)

    threads = [threading.Thread(target=submit, args=(token,)) for token in bench.tokens]
    reader = threading.Thread(target=_read_pages, args=(bench.port, ended, crowd))
    cpu, began = tree_cpu_ms(bench.server), time.perf_counter()
    for thread in (reader, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    crowd.seconds += time.perf_counter() - began
    crowd.cpu_ms += tree_cpu_ms(bench.server) - cpu
    ended.set()
    reader.join()


def _read_pages(port: int, ended: threading.Event, crowd: Crowd) -> None:
    """Reads a page for so many verdicts, so that a slow machine has no more of them."""
    client = Client(port, "")
    while not ended.wait(0.01):
        if len(crowd.pages) * VERDICTS_A_PAGE < len(crowd.took):
            began = time.perf_counter()
            client.call("GET", PAGES[len(crowd.pages) % len(PAGES)])
            crowd.pages.append((time.perf_counter() - began) * 1000)


def missed(figures: Figures) -> list[str]:
    """Returns a sentence for each figure that is outside its bound."""
    values = asdict(figures)
    over = [
        f"{name} is {values[name]}; at most {most}"
        for name, most in LIMITS.items()
        if values[name] > most
    ]
    return over + [
        f"{name} is {values[name]}; at least {least}"
        for name, least in LEAST.items()
        if values[name] < least
    ]


def main() -> None:
    """Prints the figures; exits with status 1 when one is outside its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--each", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.clients, options.each)
    if options.json:
        print(json.dumps(asdict(figures)))
    else:
        for name, value in asdict(figures).items():
            print(f"{name.replace('_', ' '):20} {value}")
    for line in missed(figures):
        print(line, file=sys.stderr)
    sys.exit(1 if missed(figures) else 0)


if __name__ == "__main__":
    main()
