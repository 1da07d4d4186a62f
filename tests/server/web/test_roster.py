"""The roster of a course: a list is previewed, imported and joined by personal links."""

import csv
import io
import re
from typing import Any

import pytest

from server.models.accounts import Role
from server.models.courses import Course, RosterEntry
from server.services.courses import roster
from server.services.rosters import reading
from server.web.instructors.gradebook import NBGRADER
from tests.server.conftest import GOOD, SLUG, Browser, user_of
from tests.server.web.test_courses import Class

LIST = "Ada Lovelace,Ada@x.org,A\nGrace Brewster Hopper,grace@x.org,B\n"


@pytest.fixture
def course(teacher: Browser) -> Class:
    return Class(teacher)


def send(course: Class, text: str, action: str = "import", **fields: Any) -> Any:
    path = f"/teach/courses/{course.course}/roster"
    course.teacher.get(path)
    return course.teacher.post(path, {"list": text, "action": action, **fields})


def expected(course: Class) -> list[tuple[str, str, str]]:
    with course.teacher.service.database.read() as session:
        found = roster.entries(session, course.course)
        return [(e.name, e.email, e.group) for e in found]


def code_of(course: Class, email: str) -> str:
    with course.teacher.service.database.read() as session:
        return next(e.code for e in roster.entries(session, course.course) if e.email == email)


ADA, ADA_IN_A = "Ada,Lovelace,ada@x.org", [("Ada Lovelace", "ada@x.org", "A")]
READ = [
    ("commas", LIST, [("Ada Lovelace", "ada@x.org", "A"), ("Grace Brewster Hopper", "grace@x.org", "B")]),
    ("semicolons", "Ada;ada@x.org;A", [("Ada", "ada@x.org", "A")]),
    ("tabs, no group", "Ada\tada@x.org", [("Ada", "ada@x.org", "")]),
    ("named columns", "E-mail,Section,Full name\nada@x.org,A,Ada", [("Ada", "ada@x.org", "A")]),
    ("Chinese columns", "姓名,邮箱,班级\n爱达,ada@x.org,一", [("爱达", "ada@x.org", "一")]),
    ("a comma in a name", "Lovelace, Ada;ada@x.org", [("Lovelace, Ada", "ada@x.org", "")]),
    ("groups", "Name,Email,Groups\nAda,ada@x.org,A", [("Ada", "ada@x.org", "A")]),
    ("a line that goes on", '"Ada\nLovelace",ada@x.org', [("Ada Lovelace", "ada@x.org", "")]),
    ("Moodle", f"First name,Surname,Email address,Groups\n{ADA},A", ADA_IN_A),
    ("Moodle, American", f"First name,Last name,Email address,Groups\n{ADA},A", ADA_IN_A),
    ("Moodle, German", f"Vorname;Nachname;E-Mail-Adresse;Gruppen\n{ADA},A".replace(",", ";"), ADA_IN_A),
    ("Moodle, French", f"Prénom,Nom de famille,Adresse de courriel,Groupes\n{ADA},A", ADA_IN_A),
    ("accents apart", f"Pre\u0301nom,Nom,Adresse de courriel,Groupes\n{ADA},A", ADA_IN_A),
    ("Moodle, Spanish", f"Nombre,Apellido(s),Dirección de correo,Grupos\n{ADA},A", ADA_IN_A),
    ("Moodle, Chinese", "名,姓氏,电子邮件地址,小组\n达,爱,ada@x.org,一", [("爱达", "ada@x.org", "一")]),
    ("Moodle, users", "username,firstname,lastname,email\nal,Ada,Lovelace,ada@x.org", [("Ada Lovelace", "ada@x.org", "")]),
    ("one name of two", "First name,Surname,Email address\n,Ada,ada@x.org", [("Ada", "ada@x.org", "")]),
    (
        "Canvas",
        "Student,ID,SIS Login ID,Section,Essay (12)\n    Points Possible,,,,10\n\"Lovelace, Ada\",7,ada@x.org,A,",
        [("Lovelace, Ada", "ada@x.org", "A")],
    ),
    ("Blackboard", "Last Name,First Name,Username\nLovelace,Ada,ada@x.org", [("Ada Lovelace", "ada@x.org", "")]),
    ("a line for Excel", "sep=;\r\nName;Email\r\nLovelace, Ada;ada@x.org", [("Lovelace, Ada", "ada@x.org", "")]),
    ("quotes and blank lines", '\n"Lovelace, Ada",ada@x.org\n\n', [("Lovelace, Ada", "ada@x.org", "")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "people"), [row[1:] for row in READ], ids=[row[0] for row in READ]
)
def test_a_list_is_read(text: str, people: list[tuple[str, str, str]]) -> None:
    found = reading.read(text)
    assert [(p.name, p.email, p.group) for p in found.people] == people
    assert found.faults == ()


IGNORED = [
    ("of a platform", f"First name,Surname,Email address,Phone,ID number\n{ADA},1,2", ("Phone", "ID number")),
    ("twice", "Name,E-mail,Section,Group\nAda,ada@x.org,A,B", ("Group",)),
    ("a login beside an address", "Username,Name,Email\nal,Ada,ada@x.org", ("Username",)),
    ("without a heading", "Name,Email,\nAda,ada@x.org,x", ()),
    ("no headings", "Ada,ada@x.org,A,1\nBob,b@x.org,B,,2", ("4", "5")),
    ("none", LIST, ()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "ignored"), [row[1:] for row in IGNORED], ids=[row[0] for row in IGNORED]
)
def test_columns_that_are_not_read_are_named(
    course: Class, text: str, ignored: tuple[str, ...]
) -> None:
    assert reading.read(text).ignored == ignored
    page = send(course, text, "preview").text
    assert (f"Columns that are not read: {', '.join(ignored)}<" in page) == bool(ignored)


def test_a_login_that_is_no_address_is_refused() -> None:
    faults = reading.read("Student,ID,SIS Login ID,Section\nAda,7,al,A").faults
    assert [str(fault) for fault in faults] == ["Line 2: 'al' is not a valid e-mail address."]


NO_LIST = [
    ("empty", " \n\n", "The list is empty."),
    ("too long", "Ada,ada@x.org\n" * 20_000, "more than 200,000 characters"),
    ("too many", "Ada,a@x.y\n" * 2_001, "more than 2,000 lines"),
    ("headings alone", "Name,Email,Group\n\n", "a line of headings, and nobody below it"),
    (
        "more behind a cell",
        'Bob,b@x.org\n"Ada"b,ada@x.org',
        "Line 2: a quotation mark opens a cell",
    ),
    ("a cell that stays open", 'Bob,b@x.org\n"Ada,ada@x.org\n', "Line 2: a quotation mark"),
]


@pytest.mark.parametrize(
    ("text", "said"), [row[1:] for row in NO_LIST], ids=[row[0] for row in NO_LIST]
)
def test_no_list(course: Class, text: str, said: str) -> None:
    answer = send(course, text)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert expected(course) == []


@pytest.mark.parametrize(
    "email", ["<ada@x.org>", "Ada;ada@x.org", "ada@x.org;bob@x.org", "ada@x,org"]
)
def test_an_address_with_what_stands_around_it_is_refused(email: str) -> None:
    found = reading.read(f"name\temail\nAda\t{email}")
    assert (found.people, [str(fault) for fault in found.faults]) == (
        (),
        [f"Line 2: '{email.casefold()}' is not a valid e-mail address."],
    )


def test_a_fault_is_named_by_its_line_of_the_file() -> None:
    found = reading.read('"Ada\nLovelace",ada@x.org\nBob,nowhere\n')
    assert [str(fault) for fault in found.faults] == [
        "Line 3: 'nowhere' is not a valid e-mail address."
    ]


def test_each_line_that_is_wrong_is_named_and_nothing_is_imported(course: Class) -> None:
    text = LIST + "Ada Again,ADA@x.org\nNobody,nowhere\n,empty@x.org\nEmmy,\n"
    for action in ("preview", "import"):
        answer = send(course, text, action)
        assert answer.status_code == 422
        for said in (
            "Line 3: ada@x.org is in line 1 already.",
            "Line 4: &#39;nowhere&#39; is not a valid e-mail address.",
            "Line 5: a name has 1 to 120 characters",
            "Line 6: there is no e-mail address.",
        ):
            assert said in answer.text
        assert 'value="import"' not in answer.text
    assert expected(course) == []


def test_a_preview_says_what_changes_and_stores_nothing(course: Class) -> None:
    assert send(course, LIST).status_code == 303
    before = expected(course)
    page = send(
        course, "Ada Byron,ada@x.org,A\n" + LIST.splitlines()[1] + "\nEmmy,e@x.org", "preview"
    )
    changes = re.findall(r"<td>(new|changed|there already)</td>", page.text)
    assert (page.status_code, changes) == (200, ["changed", "there already", "new"])
    assert expected(course) == before


def test_importing_again_renames_and_keeps_the_links(course: Class) -> None:
    send(course, LIST)
    code = code_of(course, "ada@x.org")
    send(course, "Ada Byron,ada@x.org,C")
    assert ("Ada Byron", "ada@x.org", "C") in expected(course)
    assert len(expected(course)) == 2
    assert code_of(course, "ada@x.org") == code


def test_a_file_is_read_too(course: Class) -> None:
    data = io.BytesIO("\ufeffAda,ada@x.org".encode())
    assert send(course, "", file=(data, "list.csv")).status_code == 303
    assert expected(course) == [("Ada", "ada@x.org", "")]


def test_a_file_in_utf_16_is_read(course: Class) -> None:
    """Excel's "Unicode text", and the lists of Blackboard."""
    data = io.BytesIO("Name\tEmail\r\n王小明\twang@x.org\r\n".encode("utf-16"))
    assert send(course, "", file=(data, "list.txt")).status_code == 303
    assert expected(course) == [("王小明", "wang@x.org", "")]
    half = io.BytesIO("Zoë,zoe@x.org".encode("utf-16")[:-1])
    answer = send(course, "", file=(half, "list.txt"))
    assert (answer.status_code, "The list is not UTF-8 text." in answer.text) == (422, True)


def test_a_file_that_is_not_utf_8_is_refused_on_the_page(course: Class) -> None:
    data = io.BytesIO("Zoë,zoe@x.org".encode("cp1252"))
    answer = send(course, LIST, file=(data, "list.csv"))
    assert answer.status_code == 422
    assert "Save the file as &#39;CSV UTF-8&#39; and choose it again." in answer.text
    assert f'spellcheck="false">{LIST}</textarea>' in answer.text
    assert expected(course) == []


def test_an_empty_file_is_an_empty_list(course: Class) -> None:
    answer = send(course, LIST, file=(io.BytesIO(), "list.csv"))
    assert (answer.status_code, "The list is empty." in answer.text) == (422, True)


def test_a_personal_link_says_who_came_in(course: Class, learner: Browser, app: Any) -> None:
    send(course, LIST)
    code = code_of(course, "grace@x.org")
    page = course.teacher.get(f"/teach/courses/{course.course}/roster").text
    assert f"/courses?code={code}" in page
    assert course.join(learner, code.lower()).status_code == 303
    learner.judged(GOOD)
    assert course.join(learner, code).status_code == 303  # again: nothing more
    members = course.teacher.get(f"/teach/courses/{course.course}").text
    assert '<span>lea <span class="soft">Grace Brewster Hopper</span></span>' in members
    assert course.join(Browser(app).sign_up("otto"), code).status_code == 422
    path = f"/teach/assignments/{course.assignment}/gradebook"
    head, row = csv.reader(io.StringIO(course.teacher.get(f"{path}.csv").data.decode("utf-8-sig")))
    assert head[:5] == ["learner", "name", "email", "group", SLUG]
    assert row[:5] == ["lea", "Grace Brewster Hopper", "grace@x.org", "B", "10.0"]
    answer = course.teacher.get(f"{path}.nbgrader").data.decode("utf-8-sig")
    _, row = csv.reader(io.StringIO(answer))
    told = dict(zip(NBGRADER, row, strict=True))
    names = told["first_name"], told["last_name"], told["email"]
    assert names == ("Grace Brewster", "Hopper", "grace@x.org")
    assert course.row("lea")["roster"]["group"] == "B"


def test_nbgraders_columns_take_a_name_either_way_round(course: Class, learner: Browser) -> None:
    path = f"/teach/assignments/{course.assignment}/gradebook.nbgrader"
    send(course, "Hopper,grace@x.org")
    course.join(learner, code_of(course, "grace@x.org"))
    for name, names in (
        ("Grace Brewster Hopper", ("Grace Brewster", "Hopper")),
        ('"Hopper, Grace Brewster"', ("Grace Brewster", "Hopper")),
        ("Hopper", ("", "Hopper")),
    ):
        send(course, f"{name},grace@x.org")
        _, row = csv.reader(io.StringIO(course.teacher.get(path).data.decode("utf-8-sig")))
        told = dict(zip(NBGRADER, row, strict=True))
        assert (told["first_name"], told["last_name"]) == names


def test_the_matrix_has_the_names_of_the_roster_and_finds_them(
    course: Class, learner: Browser
) -> None:
    send(course, LIST)
    course.join(learner, code_of(course, "grace@x.org"))
    page = f"/teach/assignments/{course.assignment}"
    name = '<span class="soft">Grace Brewster Hopper</span>'
    for query, seen in (("", True), ("?q=hopper", True), ("?q=lea", True), ("?q=ada", False)):
        assert (name in course.teacher.get(page + query).text) == seen, query
        assert (name in course.teacher.get(f"{page}/live{query}").json["html"]) == seen, query
    links = re.findall(r"/learners/\d+", course.teacher.get(page).text)
    assert "Grace Brewster Hopper" in course.teacher.get(page + links[0]).text


def came_in(course: Class) -> list[tuple[str, str | None]]:
    with course.teacher.service.database.read() as session:
        found = roster.entries(session, course.course)
        return [(e.name, e.user.name if e.user else None) for e in found]


def test_who_came_in_takes_no_second_link(course: Class, learner: Browser, app: Any) -> None:
    send(course, LIST)
    own, other = (code_of(course, f"{name}@x.org") for name in ("ada", "grace"))
    course.join(learner, own)
    answer = course.join(learner, other)
    assert (answer.status_code, "This link is for somebody else" in answer.text) == (422, True)
    assert came_in(course) == [("Ada Lovelace", "lea"), ("Grace Brewster Hopper", None)]
    grace = Browser(app).sign_up("grace")
    answer = course.join(grace, own)
    assert "Somebody has joined with this link already" in answer.text
    assert grace.get(f"/courses/{course.course}").status_code == 404
    assert course.join(grace, other).status_code == 303
    assert came_in(course) == [("Ada Lovelace", "lea"), ("Grace Brewster Hopper", "grace")]


def test_a_link_works_again_once_who_used_it_is_removed(
    course: Class, learner: Browser, app: Any
) -> None:
    send(course, LIST)
    code = code_of(course, "ada@x.org")
    course.join(learner, code)
    with course.teacher.service.database.read() as session:
        number = next(e.user_id for e in roster.entries(session, course.course) if e.user_id)
    course.teacher.post(f"/teach/courses/{course.course}/members/{number}/remove")
    assert came_in(course) == [("Ada Lovelace", None), ("Grace Brewster Hopper", None)]
    assert course.join(Browser(app).sign_up("ada"), code).status_code == 303
    assert came_in(course) == [("Ada Lovelace", "ada"), ("Grace Brewster Hopper", None)]


def test_the_audit_log_counts_who_is_expected_and_what_changed(
    course: Class, admin: Browser
) -> None:
    send(course, LIST)
    send(course, "Ada Byron,ada@x.org,C")
    log = admin.get("/manage/audit").text
    assert "Attention 101: 2 in the roster, 1 new or changed" in log
    assert "Attention 101: 2 in the roster, 2 new or changed" in log


def test_an_archived_course_lets_nobody_in(course: Class, learner: Browser) -> None:
    send(course, LIST)
    with course.teacher.service.database.write() as session:
        session.get_one(Course, course.course).archived = True
    assert course.join(learner, code_of(course, "ada@x.org")).status_code == 422


def test_somebody_is_taken_off_and_stays_in_the_course(course: Class, learner: Browser) -> None:
    send(course, LIST)
    course.join(learner, code_of(course, "ada@x.org"))
    with course.teacher.service.database.read() as session:
        number = next(e.id for e in roster.entries(session, course.course) if e.user_id)
    course.teacher.post(f"/teach/courses/{course.course}/roster/{number}/remove")
    assert [email for _, email, _ in expected(course)] == ["grace@x.org"]
    assert learner.get(f"/courses/{course.course}").status_code == 200


def test_nobody_else_reads_it(course: Class, app: Any, learner: Browser) -> None:
    send(course, LIST)
    course.join(learner)
    path = f"/teach/courses/{course.course}/roster"
    assert user_of(app, "theo", Role.INSTRUCTOR).get(path).status_code == 404
    assert learner.get(path).status_code == 403
    with course.teacher.service.database.read() as session:
        assert session.get_one(RosterEntry, 1).name == "Ada Lovelace"


def test_a_group_narrows_pages_and_gradebook(course: Class, learner: Browser, app: Any) -> None:
    send(course, LIST)
    course.join(learner, code_of(course, "ada@x.org"))
    course.join(Browser(app).sign_up("grace"), code_of(course, "grace@x.org"))
    course.join(Browser(app).sign_up("otto"))  # in no group
    learner.judged(GOOD)
    people = ("lea", "grace", "otto")

    def seen(path: str, within: str = "") -> list[str]:
        text = course.teacher.get(path).text
        text = text[text.index(within) :]
        return [name for name in people if re.search(rf"\b{name}\b(?!@)", text)]

    assignment, page = (f"/teach/{name}" for name in ("assignments/%d", "courses/%d"))
    assignment, page = assignment % course.assignment, page % course.course
    for path, within in (
        (assignment, "<tbody>"),
        (f"{assignment}/live", ""),
        (f"{assignment}/gradebook.csv", ""),
        (f"{assignment}/gradebook.json", ""),
        (page, 'id="learners"'),
    ):
        assert seen(path, within) == list(people), path
        assert seen(f"{path}?group=A", within) == ["lea"], path
        assert seen(f"{path}?group=C", within) == [], path
    narrowed = course.teacher.get(f"{assignment}?group=A").text
    assert "gradebook.csv?group=A" in narrowed
    assert "Gradebook of the group A:" in narrowed
    assert "live?group=A" in narrowed
    assert "<option selected>A</option>" in narrowed
    steps = course.teacher.get(f"{page}?group=B").text.split('id="steps"')[1].split("</table>")[0]
    assert re.findall(r"<td[^>]*>(\d+|–)", steps)[0] == "1"  # Grace has not begun
    roster_page = course.teacher.get(f"{page}/roster?group=B").text
    assert ("grace@x.org" in roster_page, "ada@x.org" in roster_page) == (True, False)


def test_a_group_of_another_course_is_not_found(course: Class, learner: Browser, app: Any) -> None:
    send(course, LIST)
    course.join(learner, code_of(course, "ada@x.org"))
    other = Class(user_of(app, "theo", Role.INSTRUCTOR))
    other.join(learner)
    page = other.teacher.get(f"/teach/assignments/{other.assignment}?group=A").text
    assert "lea</a>" not in page
    assert "Nobody of this group has joined yet." in page


def test_a_class_without_groups_has_no_field(course: Class) -> None:
    assert 'name="group"' not in course.teacher.get(f"/teach/courses/{course.course}").text
