"""What a learner and an operator see of the service in containers: called by scripts/e2e.sh when everything is up."""

import json
import os
import subprocess
import time
import urllib.request
from typing import Any

from tests.scaled.chaos import REST
from tests.scaled.services import until
from tests.scaled.stack import REPOSITORY, SLUG

SITE, TOKEN, WORKERS = os.environ["E2E_SITE"], os.environ["E2E_TOKEN"], os.environ["DOCKER_WORKERS"].split()
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
    return int(call("/api/v1/submissions", {"problem": SLUG, "framework": framework, "source": source})["id"])


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


def owners() -> str:
    """Who holds leases, from the database."""
    postgres = docker("ps", "-q", "--filter", "label=com.docker.compose.service=postgres").split()[0]
    query = "select lease_owner from submissions where state = 'running'"
    psql = f'PGPASSWORD=$(cat /run/secrets/postgres_password) psql -h 127.0.0.1 -U judge -Atc "{query}"'
    return docker("exec", postgres, "sh", "-c", psql)


def busy() -> str:
    """The container that judges at this moment."""
    found: list[str] = []

    def seen() -> bool:
        held = owners()
        found[:] = [c for c in WORKERS if docker("inspect", "--format", "{{.Config.Hostname}}", c).strip() in held]
        return bool(found)

    until(seen, 30, "nothing is being judged")
    return found[0]


def walls(container: str) -> None:
    """No privileges in this container."""
    about = json.loads(docker("inspect", container))[0]
    host = about["HostConfig"]
    sealed = not host["Privileged"] and host["ReadonlyRootfs"] and host["CapDrop"] == ["ALL"]
    socket = "docker.sock" in json.dumps(about["Mounts"])
    check(f"{about['Name']}: not privileged, read-only, no engine's socket; capabilities:", sealed and not socket, host["CapAdd"] or "none")


def main() -> None:
    """The path of `make e2e`."""
    until(lambda: _answers(), 120, "the site does not answer")
    until(lambda: _room() == "ok", 120, f"no room: {_room()}")
    check("the site answers and a worker has a room", True)
    for container in docker("ps", "-q").split():
        walls(container)
    right = (REPOSITORY / "reference" / SLUG / "numpy.py").read_text()
    torch = (REPOSITORY / "reference" / SLUG / "torch.py").read_text()
    for source, framework, expected in ((right, "numpy", "accepted"), (torch, "torch", "accepted"), (WRONG, "numpy", "wrong_answer")):
        found = verdict(submit(source, framework))
        check(f"{framework}: {expected}", found["verdict"] == expected, found["message"][:80])
        check("judged in the sealed room", found["isolation"] == "bubblewrap", found["isolation"])
    slow = REST.replace("0.05", "0.3") + right + f"\n{SLUG} = _rest({SLUG})\n"
    number = submit(slow)
    docker("kill", "--signal", "KILL", busy())
    began = time.monotonic()
    others = [submit(right) for _ in range(3)]
    found = verdict(number)["verdict"]
    check("a worker is killed in mid-verdict, and its submission is judged", found == "accepted", f"after {time.monotonic() - began:.1f} s")
    check("nothing else is lost", [verdict(n)["verdict"] for n in others] == ["accepted"] * 3)


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
    main()
