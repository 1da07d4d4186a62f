"""What the applications of one test process share: each test has an application and a database of its
own, but the rules of its addresses and its statements are the same as those of the test before.

Werkzeug writes and compiles two functions for each rule of each application, and SQLAlchemy
compiles each statement once for each engine. Together that is a third of the time of these tests.
An RSA key takes 70 ms to make and 35 ms to check each time it is read, so the next keys are those
that were made first, and each is checked once.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import jwt.algorithms
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwcrypto import jwk
from jwcrypto.jwk import JWK
from sqlalchemy import Engine, create_engine
from werkzeug.routing import Rule

from server.models import database

KEYS = 16  # more than a test makes


@contextmanager
def shared() -> Iterator[None]:
    """Shares all of it until the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rsa, "generate_private_key", _kept_keys(rsa.generate_private_key))
        patch.setattr(JWK, "_rsa_pri", _checked_once(JWK._rsa_pri))
        read = cache(jwt.algorithms.load_pem_private_key)
        patch.setattr(jwt.algorithms, "load_pem_private_key", read)
        patch.setattr(jwk.serialization, "load_pem_private_key", read)
        patch.setattr(Rule, "_compile_builder", _once_for_each_rule(Rule._compile_builder))
        patch.setattr(database, "create_engine", _one_dialect())
        yield


def _kept_keys(made: Callable[..., Any]) -> Callable[..., Any]:
    """A key that was made before, once there are enough of its size."""
    kept: dict[int, list[Any]] = {}
    asked: dict[int, Iterator[int]] = {}

    def generate(public_exponent: int, key_size: int, *rest: Any) -> Any:
        keys = kept.setdefault(key_size, [])
        number = next(asked.setdefault(key_size, itertools.count()))
        if number < KEYS:
            keys.append(made(public_exponent, key_size, *rest))
        return keys[number % KEYS]

    return generate


def _checked_once(private: Callable[[JWK], Any]) -> Callable[[JWK], Any]:
    """The private key of a JWK, by its modulus."""
    kept: dict[str, Any] = {}

    def found(self: JWK) -> Any:
        if self["n"] not in kept:
            kept[self["n"]] = private(self)
        return kept[self["n"]]

    return found


def _once_for_each_rule(compiled: Callable[[Rule, bool], Any]) -> Callable[[Rule, bool], Any]:
    """The function that makes an address takes the rule as its first argument, so rules that read
    alike can have the same one.
    """
    kept: dict[Any, Any] = {}

    def compile_builder(rule: Rule, append_unknown: bool = True) -> Any:
        defaults = {name: repr(value) for name, value in (rule.defaults or {}).items()}
        converters = {name: type(each) for name, each in rule._converters.items()}
        parts = (rule._trace, sorted(defaults.items()), sorted(converters.items(), key=repr))
        key = (rule.rule, append_unknown, repr(parts))
        if key not in kept:
            kept[key] = compiled(rule, append_unknown)
        return kept[key]

    return compile_builder


def _one_dialect() -> Callable[..., Engine]:
    """Engines of SQLite with one dialect: it is a part of the key of a compiled statement."""
    first = create_engine("sqlite://")
    first.connect().close()  # the dialect asks the database for its version
    statements: dict[Any, Any] = {}

    def create(url: str, **options: Any) -> Engine:
        engine = create_engine(url, **options)
        if engine.dialect.name == first.dialect.name:
            engine.dialect = first.dialect
            engine.update_execution_options(compiled_cache=statements)
        return engine

    return create
