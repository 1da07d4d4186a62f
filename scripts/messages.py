"""Keeps the catalogues of translations in step with the code: `make messages`.

For each package it extracts the texts that are marked in the code, updates each language's `.po`,
and compiles it. `--check` changes nothing, and fails for an entry that is missing, fuzzy or stale,
for one whose placeholders differ, and for a compiled file that is older than its source. `--new
LANGUAGE` begins a language.
"""

import argparse
import ast
import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]


def extract_commands(
    file: IO[bytes], keywords: Any, comments: Any, options: Any
) -> Iterator[tuple[int, str | None, Any, list[str]]]:
    """What is marked, and the help of commands (their docstrings) and of options."""
    yield from extract_python(file, keywords, comments, options)
    file.seek(0)
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.FunctionDef) and any(map(_makes_command, node.decorator_list)):
            yield node.lineno, None, " ".join((ast.get_docstring(node) or "").split()), []
        elif isinstance(node, ast.keyword) and node.arg == "help":
            text = ast.literal_eval(node.value) if isinstance(node.value, ast.Constant) else None
            if isinstance(text, str):
                yield node.value.lineno, None, text, []


def _makes_command(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).startswith(("command(", "click.group"))


@dataclass(frozen=True, slots=True)
class Domain:
    """The texts of one package, and where a script in the browser finds its own."""

    package: str
    name: str
    methods: tuple[tuple[str, Any], ...]
    script: str = ""  # the folder of the script's source, and below it the generated file
    generated: str = ""
    # placeholders that a translation may use where the English has another one of them: the forms
    # of a noun
    also: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The catalogues, a folder for each language."""
        return ROOT / self.package / "locale"

    @property
    def catalogues(self) -> list[Path]:
        """The file of each language."""
        return sorted(self.folder.glob(f"*/LC_MESSAGES/{self.name}.po"))


DOMAINS = (
    Domain(
        "server",
        "server",
        (
            ("web/frontend/src/**.ts", "javascript"),
            ("web/templates/**.html", "jinja2"),
            ("web/frontend/node_modules/**", "ignore"),
            ("web/static/**", "ignore"),
            ("**.py", "python"),
        ),
        script="web/frontend/src",
        generated="catalogue.json",
    ),
    Domain(
        "grader",
        "grader",
        (("cli/template/**", "ignore"), ("cli/**.py", extract_commands), ("**.py", "python")),
        also=("axis", "axes", "counted", "unit", "of", "ordinal", "step"),
    ),
)
KEYWORDS = {
    "_": None,
    "translate": None,
    "Message": None,
    "ngettext": (1, 2),
    "counted": (1, 2),
    "say": None,  # of the script in the browser
    "tell": (2,),
    "gettext": None,
    "pgettext": ((1, "c"), 2),
    "N_": None,
    "T_": None,
    "NP_": (1, 2),
    "C_": ((1, "c"), 2),
}


def main() -> int:
    """Updates or checks every catalogue; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail for any trouble")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin the catalogues of a language")
    options = parser.parse_args()
    troubles = [
        trouble
        for domain in DOMAINS
        for trouble in (check(domain) if options.check else update(domain, options.new))
    ]
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0


def extract(domain: Domain) -> Catalog:
    """The texts that are marked in the code, with the files that have them."""
    template, root = Catalog(domain=domain.name), ROOT / domain.package
    entries = extract_from_dir(
        str(root),
        method_map=list(domain.methods),
        options_map={"**.html": {"silent": "false"}},
        keywords=KEYWORDS,
    )
    for path, line, text, comments, context in entries:
        template.add(
            text,
            locations=[(f"{domain.package}/{path}", line)],
            auto_comments=comments,
            context=context,
        )
    return template


def update(domain: Domain, new: str | None = None) -> Iterator[str]:
    """Writes the catalogues; yields what a translator has to do."""
    template = extract(domain)
    if new:
        path = domain.folder / new / "LC_MESSAGES" / f"{domain.name}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(source(empty(new, domain)))
    for path in domain.catalogues:
        catalogue = load(path)
        catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
        path.write_bytes(source(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(load(path)))
        yield from untranslated(path, load(path), domain.also)
    if domain.script:
        (ROOT / domain.package / domain.script / domain.generated).write_text(script_words(domain))


def empty(language: str, domain: Domain) -> Catalog:
    """The catalogue of a language that begins."""
    return Catalog(
        locale=language,
        domain=domain.name,
        header_comment=f"# {language}: the texts of {domain.package}/. See CONTRIBUTING.md.",
        project="attention-judge",
        version="0",
        msgid_bugs_address="none",
        last_translator="none",
        language_team="none",
        fuzzy=False,
    )


def check(domain: Domain) -> Iterator[str]:
    """Yields what is wrong with the catalogues of a package."""
    template = extract(domain)
    for path in domain.catalogues:
        catalogue, name = load(path), path.relative_to(ROOT)
        for message in template:
            if message.id and catalogue.get(message.id, message.context) is None:
                yield f"{name}: missing: {shown(message)}; run make messages"
        for message in catalogue:
            if message.id and template.get(message.id, message.context) is None:
                yield f"{name}: stale: {shown(message)}; run make messages"
        yield from untranslated(path, catalogue, domain.also)
        binary = path.with_suffix(".mo")
        if not binary.exists() or binary.read_bytes() != compiled(catalogue):
            yield f"{binary.relative_to(ROOT)}: not compiled from {name}; run make messages"
    if domain.script:
        path = ROOT / domain.package / domain.script / domain.generated
        if not path.exists() or path.read_text() != script_words(domain):
            yield f"{path.relative_to(ROOT)}: not made from the catalogues; run make messages"


def untranslated(path: Path, catalogue: Catalog, also: tuple[str, ...]) -> Iterator[str]:
    """Yields the entries that a translator has to look at."""
    name = path.relative_to(ROOT)
    for message in catalogue:
        if not message.id:
            continue
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if not all(forms):
            yield f"{name}: no translation of {shown(message)}"
        elif message.fuzzy:
            yield f"{name}: fuzzy: {shown(message)}"
        else:
            for error in without(message, also).check(catalogue):
                yield f"{name}: {shown(message)}: {error}"


def without(message: Message, also: tuple[str, ...]) -> Message:
    """The entry without those placeholders of its translation that stand for one of the English."""
    names = [name for name in also if f"%({name})" not in str(message.id)]
    if len(names) == len(also) or isinstance(message.string, tuple):
        return message
    text = re.sub(rf"%\((?:{'|'.join(names)})\)[sd]", "", message.string)
    return Message(message.id, text, flags=message.flags, context=message.context)


def shown(message: Message) -> str:
    """The first form of an entry's English, for a line of output."""
    first = message.id[0] if isinstance(message.id, tuple) else message.id
    return repr(first)


def load(path: Path) -> Catalog:
    """The catalogue of a language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name, domain=path.stem, abort_invalid=True)


def source(catalogue: Catalog) -> bytes:
    """A catalogue as a `.po` file. Files are named without lines, which change with every edit."""
    out = io.BytesIO()
    write_po(
        out, catalogue, width=100, sort_by_file=True, include_lineno=False, ignore_obsolete=True
    )
    return out.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as a `.mo` file."""
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def script_words(domain: Domain) -> str:
    """What the script in the browser says, by language and English, as JSON."""
    folder = f"{domain.package}/{domain.script}/"
    words = {
        path.parents[1].name: {
            str(message.id): str(message.string)
            for message in load(path)
            if message.id and any(file.startswith(folder) for file, _ in message.locations)
        }
        for path in domain.catalogues
    }
    return json.dumps(words, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.exit(main())
