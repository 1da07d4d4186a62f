"""In which language `grade` itself speaks: --lang, else GRADE_LANG, else English."""

import gettext
import os
from functools import partial
from typing import Any

import click

from grader.findings import catalogue as catalogues
from grader.findings.catalogue import ENGLISH, N_, NP_, catalogue, languages

VARIABLE = "GRADE_LANG"
# What click says in our commands. It looks these up by itself, in the domain that `choose` sets.
CLICK = (
    N_("Usage:"),
    N_("Options"),
    N_("Commands"),
    N_("Positional arguments"),
    N_("default: {default}"),
    N_("required"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
    N_("%(prog)s, version %(version)s"),
    N_("Error: {message}"),
    N_("Try '{command} {option}' for help."),
    N_("Invalid value: {message}"),
    N_("Invalid value for {param_hint}: {message}"),
    N_("Missing argument"),
    N_("Missing option"),
    N_("Missing command."),
    N_("No such option {name!r}."),
    N_("No such command {name!r}."),
    NP_("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    NP_("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    NP_("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    N_("Option {name!r} does not take a value."),
    NP_("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)

_language = ENGLISH


def choose(language: str) -> None:
    """Speaks a language from now on, in this process; click too."""
    global _language
    _language = language
    if language == ENGLISH:
        gettext.textdomain("messages")
    else:
        gettext.bindtextdomain(catalogues.DOMAIN, str(catalogues.FOLDER))
        gettext.textdomain(catalogues.DOMAIN)
        os.environ["LANGUAGE"] = language


def chosen() -> str:
    """Returns the language that `grade` speaks."""
    return _language


def _(text: str) -> str:
    """Returns a text in the chosen language."""
    return catalogue(_language).gettext(text) if text else ""


def ngettext(one: str, several: str, count: int) -> str:
    """Returns a text with a number in the chosen language."""
    return catalogue(_language).ngettext(one, several, count)


class Language(click.ParamType):  # type: ignore[type-arg]
    """A language that has a catalogue."""

    name = "language"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Raises `click.BadParameter`."""
        if value in languages():
            return str(value)
        known = ", ".join(repr(name) for name in languages())
        self.fail(_("'%(value)s' is not one of %(known)s.") % {"value": value, "known": known})

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Returns the languages that there are."""
        return f"[{'|'.join(languages())}]"


def speak(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """The callback of --lang: what follows, such as help, is in that language."""
    if value is not None:
        choose(value)
    return chosen()


class Option(click.Option):
    """An option whose help is in the chosen language."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Returns the line of the help, translated."""
        english = self.help or ""
        self.help = _(english)
        try:
            return super().get_help_record(ctx)
        finally:
            self.help = english


option = partial(click.option, cls=Option)


class Command(click.Command):
    """A command whose help is in the chosen language."""

    def get_short_help_str(self, limit: int = 45) -> str:
        """Returns the line in the list of commands, translated."""
        return click.Command(None, help=_text(self)).get_short_help_str(limit)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes what the command is for, translated."""
        click.Command(None, help=_text(self)).format_help_text(ctx, formatter)


command = partial(click.command, cls=Command)


def _text(shown: click.Command) -> str:
    english = " ".join((shown.help or "").split())
    return _(english)


class Group(click.Group):
    """A group of such commands. Each call begins in the language of the environment."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> click.Context:
        """Chooses the language before any option is read."""
        wished = os.environ.get(VARIABLE, "")
        choose(wished if wished in languages() else ENGLISH)
        return super().make_context(info_name, args, parent, **extra)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes what the program is for, translated."""
        click.Command(None, help=_text(self)).format_help_text(ctx, formatter)


__all__ = [
    "Command",
    "Group",
    "Language",
    "Option",
    "choose",
    "chosen",
    "command",
    "ngettext",
    "option",
    "speak",
]
