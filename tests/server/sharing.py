"""What the applications of one test process share: each test has an application and a database of its
own, but the rules of its addresses and its statements are the same as those of the test before.

Werkzeug reads each rule of each application and compiles two functions for it, WhiteNoise looks at
each static file, and SQLAlchemy compiles each statement once for each engine. Together that is more
than a third of the time of these tests.
An RSA key takes 70 ms to make and 35 ms to check each time it is read, so the next keys are those
that were made first, and each is checked once.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from wsgiref.headers import Headers

import jwt.algorithms
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from jwcrypto import jwk
from jwcrypto.jwk import JWK
from sqlalchemy import Engine, create_engine
from werkzeug.routing import Rule
from whitenoise import WhiteNoise

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
        patch.setattr(Rule, "compile", _once_for_each_rule(Rule.compile))
        patch.setattr(
            WhiteNoise, "get_static_file", _once_for_each_file(WhiteNoise.get_static_file)
        )
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


def _once_for_each_rule(compiled: Callable[[Rule], None]) -> Callable[[Rule], None]:
    """What is compiled for a rule holds for each rule that reads alike; its two functions take the
    rule as their first argument.
    """
    kept: dict[Any, Any] = {}

    def compile_rule(self: Rule) -> None:
        assert self.map is not None
        place = (self.map.host_matching, self.host, self.subdomain, self.merge_slashes)
        key = (self.rule, place, repr(self.defaults), tuple(self.map.converters.items()))
        if key not in kept:
            compiled(self)
            functions = [build.__func__ for build in (self._build, self._build_unknown)]  # type: ignore[attr-defined]
            kept[key] = (self._parts, self._trace, self._converters, *functions)
            return
        self._parts, self._trace, self._converters, build, build_unknown = kept[key]
        self.arguments.update(self._converters)
        self._build = build.__get__(self, None)
        self._build_unknown = build_unknown.__get__(self, None)

    return compile_rule


def _once_for_each_file(made: Callable[..., Any]) -> Callable[..., Any]:
    """How a static file is sent, as long as it is the same file with the same headers."""
    kept: dict[Any, Any] = {}

    def get_static_file(self: WhiteNoise, path: str, url: str, stat_cache: Any = None) -> Any:
        if stat_cache is None:
            return made(self, path, url)
        added = Headers([])
        self.add_headers_function(added, path, url)
        stats = [stat_cache.get(path + ending) for ending in ("", ".gz", ".br")]
        same = tuple(stat and (stat.st_mtime_ns, stat.st_size) for stat in stats)
        key = (path, url, same, tuple(added.items()))
        if key not in kept:
            kept[key] = made(self, path, url, stat_cache)
        return kept[key]

    return get_static_file


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
