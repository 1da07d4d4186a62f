"""The messages of LTI 1.3 as 1EdTech's specifications have them: a JSON Schema for each that is sent
or accepted.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

FOLDER = Path(__file__).parent / "schemas"


@cache
def _schemas() -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


@cache
def _validator(name: str) -> Draft202012Validator:
    found = _schemas()
    resources = [(s["$id"], Resource.from_contents(s)) for s in found.values()]
    Draft202012Validator.check_schema(found[name])
    return Draft202012Validator(found[name], registry=Registry().with_resources(resources))


def names() -> list[str]:
    """The messages that have a schema."""
    return list(_schemas())


def fault(name: str, message: Any) -> str:
    """What is wrong with a message, and where; empty when it is right."""
    error = best_match(_validator(name).iter_errors(message))
    return "" if error is None else f"{name}: {error.json_path}: {error.message}"[:500]
