"""The commands that prepare this machine: `doctor`, `keep` and `login`."""

import click

from grader.cli.language import _, command, ngettext, option
from grader.cli.terminal import ACCEPTED, USAGE, console, guarded, somebody_answers
from grader.errors import UsageError
from grader.findings.text import T_


@command()
@guarded
def doctor() -> int:
    """Say what the sealed room needs: present or missing, and the command that mends it."""
    from rich.text import Text

    from grader.cli.doctor import examine

    out, broken = console(), False
    for check in examine():
        sign, colour = (
            ("✓", "green") if check.ok else ("✕", "red") if check.needed else ("–", "yellow")
        )
        line = Text(f"{sign} ", colour).append(f"{check.name}: {check.state}", "default")
        if not check.ok and check.remedy:
            line.append("\n    " + _("remedy: %(remedy)s") % {"remedy": check.remedy}, "dim")
        out.print(line, highlight=False)
        broken = broken or (check.needed and not check.ok)
    if broken:
        out.print(Text(_("rooms cannot be sealed here"), "bold red"))
    else:
        out.print(Text(_("rooms can be sealed here"), "bold green"))
    return USAGE if broken else ACCEPTED


@command()
@option("--stop", "ending", is_flag=True, help="End these rooms now.")
@guarded
def keep(ending: bool) -> int:
    """Say which rooms stay warm for the next run, and for how long."""
    from grader.cli.judging.keeping import folder
    from grader.sandbox.keep import status, stop

    if ending and stop(folder()):
        click.echo(_("the rooms that were warm have ended"))
        return ACCEPTED
    rooms = status(folder())
    for framework, seconds in (rooms or {}).items():
        minutes = max(1, round(seconds / 60))
        words = ngettext(
            "%(framework)s: warm, for %(minutes)d minute more unless it is used",
            "%(framework)s: warm, for %(minutes)d minutes more unless it is used",
            minutes,
        )
        click.echo(words % {"framework": framework, "minutes": minutes})
    if not rooms:
        click.echo(_("no room is kept warm"))
    return ACCEPTED


@command()
@click.argument("url")
@option("--token", help="The token; asked for when left out.")
@guarded
def login(url: str, token: str | None) -> int:
    """Keep a token of the server at URL for `grade submit` (readable by you only)."""
    from grader.cli import remote

    remote.check_address(url)
    name = remote.login(url, token or _asked_for())
    click.echo(
        _("logged in to %(url)s as %(name)s; kept in %(file)s")
        % {"url": url, "name": name, "file": remote.login_file()}
    )
    return ACCEPTED


def _asked_for() -> str:
    """Asks for the token, or reads it where the input is not a terminal. Raises `UsageError`."""
    hidden = somebody_answers()
    try:
        token: str = click.prompt(_("token (from your profile page)"), hide_input=hidden, err=True)
    except click.Abort:
        if hidden:
            raise
        raise UsageError(T_("nobody answers; --token TOKEN gives the token")) from None
    return token
