"""JUnit XML as CI servers read it: the facts of the Jenkins xunit schema, written down as a table,
and a check against it.

The schema (junit-10.xsd of the xUnit plugin): `testsuites` of `testsuite` of `testcase`; a test
case holds skipped, error, failure, system-out or system-err; counts are strings of digits, times
decimal numbers.
"""

import re
from xml.etree import ElementTree as ET

COUNT, TIME, TEXT = re.compile(r"\d+"), re.compile(r"\d+(\.\d+)?"), re.compile(r".*", re.DOTALL)
ATTRIBUTES = {  # element -> attribute -> (pattern, required)
    "testsuites": {
        "name": (TEXT, False),
        "time": (TIME, False),
        "tests": (COUNT, False),
        "failures": (COUNT, False),
        "errors": (COUNT, False),
    },
    "testsuite": {
        "name": (TEXT, True),
        "tests": (COUNT, True),
        "failures": (COUNT, False),
        "errors": (COUNT, False),
        "skipped": (COUNT, False),
        "time": (TIME, False),
        "timestamp": (TEXT, False),
        "hostname": (TEXT, False),
        "id": (TEXT, False),
        "package": (TEXT, False),
    },
    "testcase": {
        "name": (TEXT, True),
        "classname": (TEXT, False),
        "time": (TIME, False),
        "assertions": (COUNT, False),
        "status": (TEXT, False),
    },
    "failure": {"type": (TEXT, False), "message": (TEXT, False)},
    "error": {"type": (TEXT, False), "message": (TEXT, False)},
    "skipped": {"message": (TEXT, False)},
    "properties": {},
    "system-out": {},
    "system-err": {},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
}


def invalid(text: str) -> list[str]:
    """What the schema does not allow in a report; nothing when it is valid."""
    if not text.startswith('<?xml version="1.0" encoding="UTF-8"?>'):
        return ["no XML declaration"]
    try:
        root = ET.fromstring(text.encode())
    except (ET.ParseError, UnicodeEncodeError) as error:
        return [f"not XML: {error}"]
    found = [] if root.tag in ("testsuites", "testsuite") else [f"the root is {root.tag}"]
    return found + _element(root) + _counts(root)


def _element(element: ET.Element) -> list[str]:
    known = ATTRIBUTES.get(element.tag, {})
    found = [f"{element.tag}: no attribute {name}" for name in element.attrib if name not in known]
    found += [
        f"{element.tag}: {name} is missing"
        for name, (_, required) in known.items()
        if required and name not in element.attrib
    ]
    found += [
        f"{element.tag}: {name}={v!r}"
        for name, v in element.attrib.items()
        if name in known and not known[name][0].fullmatch(v)
    ]
    for child in element:
        if child.tag not in CHILDREN.get(element.tag, set()):
            found.append(f"{element.tag}: no element {child.tag}")
        found += _element(child)
    return found


def _counts(root: ET.Element) -> list[str]:
    found = []
    for suite in root.iter("testsuite"):
        for name, tag in (
            ("tests", "testcase"),
            ("failures", "testcase/failure"),
            ("errors", "testcase/error"),
        ):
            if name in suite.attrib and int(suite.attrib[name]) != len(suite.findall(tag)):
                found.append(
                    f"testsuite: {name}={suite.attrib[name]}, but there are"
                    f" {len(suite.findall(tag))}"
                )
    return found
