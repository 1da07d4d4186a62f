"""The commands that prepare this machine: `doctor` and `login`."""

import click

from grader.cli.language import _, command, option
from grader.cli.terminal import ACCEPTED, USAGE, console, guarded


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
        line = Text(f"{sign} ", colour).append(f"{check.name}: {check.found}", "default")
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
@click.argument("url")
@option("--token", help="The token; asked for when left out.")
@guarded
def login(url: str, token: str | None) -> int:
    """Keep a token of the server at URL for `grade submit` (readable by you only)."""
    from grader.cli import remote

    name = remote.login(
        url, token or click.prompt(_("token (from your profile page)"), hide_input=True)
    )
    click.echo(
        _("logged in to %(url)s as %(name)s; kept in %(file)s")
        % {"url": url, "name": name, "file": remote.login_file()}
    )
    return ACCEPTED
