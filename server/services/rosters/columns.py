"""The columns of a list by their headings: our own, and those of learning platforms."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# What a column holds, by its heading in small letters and digits. Moodle writes it in the language
# of whoever exports the list: English, German, French, Spanish, Chinese. Canvas has "Student" and
# "SIS Login ID", Blackboard "Last Name", "First Name" and "Username".
HEADINGS: Mapping[str, frozenset[str]] = {
    "name": frozenset("name fullname nomcomplet nombrecompleto learner student 姓名 全名".split()),
    "given": frozenset("firstname givenname vorname prénom nombre 名 名字".split()),
    "surname": frozenset(
        "surname lastname familyname nachname nom nomdefamille apellido apellidos 姓 姓氏".split()
    ),
    "email": frozenset(
        "email mail emailaddress emailadresse mailadresse courriel adressedecourriel adressemail"
        " adresseemail correo correoelectrónico direccióndecorreo direccióndecorreoelectrónico"
        " 邮箱 邮件 邮箱地址 电子邮件 电子邮箱 电子邮件地址 电子邮箱地址 email地址".split()
    ),
    "login": frozenset("sisloginid loginid username".split()),
    "group": frozenset(
        "group groups section sections class classes gruppe gruppen groupe groupes grupo grupos"
        " 组 小组 群组 分组 班级".split()
    ),
}
IN_ORDER = ("name", "email", "group")
OVER = {"name": ("given", "surname"), "email": ("login",)}  # what is read instead of what
HAN = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where each column is, and the headings of those that are not read."""

    places: Mapping[str, int]
    ignored: tuple[str, ...] = ()

    def cell(self, row: Sequence[str], column: str) -> str:
        """Returns a cell; empty where the list or the row does not have it."""
        place = self.places.get(column, len(row))
        return row[place] if place < len(row) else ""

    def name(self, row: Sequence[str]) -> str:
        """Returns the name, made of two columns where it stands in two."""
        if "name" in self.places:
            return self.cell(row, "name")
        given, surname = self.cell(row, "given"), self.cell(row, "surname")
        if HAN.fullmatch(given + surname):
            return surname + given
        return f"{given} {surname}".strip()

    def email(self, row: Sequence[str]) -> str:
        """Returns the address; a login stands for it where no column has addresses."""
        return self.cell(row, "email" if "email" in self.places else "login").casefold()


def headed(head: Sequence[str]) -> Columns | None:
    """Returns the columns that a first line names; None where it is no line of headings."""
    places: dict[str, int] = {}
    for place, heading in enumerate(head):
        places.setdefault(_column(heading), place)
    if not places.keys() & {"name", "given", "surname"} or not places.keys() & {"email", "login"}:
        return None
    for better, others in OVER.items():
        if better in places:
            places = {column: at for column, at in places.items() if column not in others}
    places.pop("", None)
    read = set(places.values())
    return Columns(places, tuple(c for at, c in enumerate(head) if c and at not in read))


def unheaded(rows: Sequence[Sequence[str]]) -> Columns:
    """Returns the columns of a list without headings; those beyond the third have a number."""
    filled = {at for row in rows for at, cell in enumerate(row, 1) if cell and at > len(IN_ORDER)}
    return Columns({name: at for at, name in enumerate(IN_ORDER)}, tuple(map(str, sorted(filled))))


def _column(heading: str) -> str:
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", heading).casefold()))
    return next((column for column, names in HEADINGS.items() if letters in names), "")
