"""What a learner and an operator see of the service in containers: called by scripts/e2e.sh when
everything is up.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.scaled.chaos import REST
from tests.scaled.services import until
from tests.scaled.stack import REPOSITORY, SLUG

SITE, TOKEN, WORKERS = (
    os.environ["E2E_SITE"],
    os.environ["E2E_TOKEN"],
    os.environ["DOCKER_WORKERS"].split(),
)
KEPT = Path(os.environ["E2E_FOLDER"]) / "kept.json"
RIGHT = (REPOSITORY / "reference" / SLUG / "numpy.py").read_text()
WRONG = "def scaled_dot_product_attention(q, k, v, scale=None):\n    return v, v\n"


def call(path: str, body: Any = None) -> Any:
    """A request as the learner."""
    request = urllib.request.Request(SITE + path, json.dumps(body).encode() if body else None)
    request.add_header("Authorization", f"Bearer {TOKEN}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=45) as answer:
        return json.load(answer)


def submit(source: str, framework: str = "numpy") -> int:
    """Send; the number."""
    return int(
        call("/api/v1/submissions", {"problem": SLUG, "framework": framework, "source": source})[
            "id"
        ]
    )


def verdict(number: int, seconds: float = 90) -> Any:
    """Wait for it."""
    found: dict[str, Any] = {}

    def seen() -> bool:
        found.update(call(f"/api/v1/submissions/{number}?wait=20"))
        return bool(found["state"] == "done")

    until(seen, seconds, f"submission {number} has no verdict: {found}")
    return found["verdict"]


def docker(*words: str) -> str:
    """The engine's command."""
    return subprocess.run(["docker", *words], check=True, capture_output=True, text=True).stdout


def check(what: str, holds: bool, seen: object = "") -> None:
    """Say it, and stop when it is not so."""
    print(f"e2e: {'ok    ' if holds else 'NOT SO'} {what}  {seen}".rstrip(), flush=True)
    if not holds:
        raise SystemExit(1)


def container(service: str) -> str:
    """The first of a service."""
    return docker("ps", "-q", "--filter", f"label=com.docker.compose.service={service}").split()[0]


def owners() -> str:
    """Who holds leases, from the database."""
    query = "select lease_owner from submissions where state = 'running'"
    psql = (
        "PGPASSWORD=$(cat /run/secrets/postgres_password) psql -h 127.0.0.1 -U judge -Atc"
        f' "{query}"'
    )
    return docker("exec", container("postgres"), "sh", "-c", psql)


def busy() -> str:
    """The container that judges at this moment."""
    found: list[str] = []

    def seen() -> bool:
        held = owners()
        found[:] = [
            c
            for c in WORKERS
            if docker("inspect", "--format", "{{.Config.Hostname}}", c).strip() in held
        ]
        return bool(found)

    until(seen, 30, "nothing is being judged")
    return found[0]


def walls(container: str) -> None:
    """No privileges in this container."""
    about = json.loads(docker("inspect", container))[0]
    host = about["HostConfig"]
    sealed = not host["Privileged"] and host["ReadonlyRootfs"] and host["CapDrop"] == ["ALL"]
    socket = "docker.sock" in json.dumps(about["Mounts"])
    check(
        f"{about['Name']}: not privileged, read-only, no engine's socket; capabilities:",
        sealed and not socket,
        host["CapAdd"] or "none",
    )


def judged() -> None:
    """A right and a wrong submission, a worker killed, nothing lost."""
    _up()
    for one in docker("ps", "-q").split():
        walls(one)
    torch = (REPOSITORY / "reference" / SLUG / "torch.py").read_text()
    for source, framework, expected in (
        (RIGHT, "numpy", "accepted"),
        (torch, "torch", "accepted"),
        (WRONG, "numpy", "wrong_answer"),
    ):
        found = verdict(submit(source, framework))
        check(f"{framework}: {expected}", found["verdict"] == expected, found["message"][:80])
        check("judged in the sealed room", found["isolation"] == "bubblewrap", found["isolation"])
    slow = REST.replace("0.05", "0.3") + RIGHT + f"\n{SLUG} = _rest({SLUG})\n"
    number = submit(slow)
    docker("kill", "--signal", "KILL", busy())
    began = time.monotonic()
    others = [submit(RIGHT) for _ in range(3)]
    found = verdict(number)["verdict"]
    check(
        "a worker is killed in mid-verdict, and its submission is judged",
        found == "accepted",
        f"after {time.monotonic() - began:.1f} s",
    )
    check("nothing else is lost", [verdict(n)["verdict"] for n in others] == ["accepted"] * 3)


def watched() -> None:
    """Prometheus asks every web container, and its rules are in force."""
    prometheus = container("prometheus")
    walls(prometheus)
    said = docker(
        "exec", prometheus, "promtool", "check", "config", "/etc/prometheus/prometheus.yml"
    )
    rules = (REPOSITORY / "docker" / "prometheus" / "alerts.yml").read_text().count("- alert:")
    check(
        "promtool accepts the configuration and its rules:", f"{rules} rules found" in said, rules
    )

    def ask(query: str) -> str:
        return docker(
            "exec", prometheus, "promtool", "query", "instant", "http://127.0.0.1:9090", query
        )

    until(lambda: "up{" in ask('up{job="judge"} == 1'), 90, "Prometheus does not reach the site")
    until(
        lambda: "=> 1 " in ask('max(judge_workers{room="ready"})'),
        60,
        "Prometheus sees no worker with a room",
    )
    check(
        "Prometheus reads the site's numbers",
        "accepted" in ask('judge_verdicts_total{verdict="accepted"}'),
    )
    until(lambda: set(_rules().values()) == {"ok"}, 60, "not every rule is evaluated")
    check("every rule is evaluated:", len(_rules()) == rules, " ".join(_rules()))
    firing = [
        line
        for line in ask('ALERTS{alertstate="firing"}').splitlines()
        if line and "WorkerSilent" not in line
    ]
    check("no alert fires, but perhaps for the worker that was killed", not firing, firing or "")


def _rules() -> dict[str, str]:
    """Each alert's name, and whether it can be evaluated."""
    asked = (
        "import urllib.request as r; print(r.urlopen('http://prometheus:9090/api/v1/rules',"
        " timeout=9).read().decode())"
    )
    groups = json.loads(docker("exec", container("web"), "python3", "-c", asked))["data"]["groups"]
    return {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}


def waiting() -> None:
    """Before the backup: what was judged, and one more that waits while no worker is there."""
    kept = {number: call(f"/api/v1/submissions/{number}")["verdict"] for number in _own()}
    KEPT.write_text(json.dumps({"judged": kept, "waits": submit(WRONG)}))


def restored() -> None:
    """Everything is as it was, and what waited is judged."""
    _up()
    kept = json.loads(KEPT.read_text())
    found = {number: call(f"/api/v1/submissions/{number}")["verdict"] for number in kept["judged"]}
    check("the old token is good, every verdict is as it was:", found == kept["judged"], len(found))
    check(
        "what waited in the backup is judged", verdict(kept["waits"])["verdict"] == "wrong_answer"
    )
    check("and what comes now", verdict(submit(RIGHT))["verdict"] == "accepted")


def _own() -> list[int]:
    return [row["id"] for row in call("/api/v1/submissions?per_page=50")["submissions"]]


def _up() -> None:
    until(_answers, 120, "the site does not answer")
    until(lambda: _room() == "ok", 240, f"no room: {_room()}")
    check("the site answers and a worker has a room", True)


def _answers() -> bool:
    try:
        return bool(call("/healthz")["status"] == "ok")
    except OSError:
        return False


def _room() -> str:
    try:
        return str(call("/readyz")["room"])
    except OSError as error:
        return str(error)


if __name__ == "__main__":
    {step.__name__: step for step in (judged, watched, waiting, restored)}[sys.argv[1]]()
