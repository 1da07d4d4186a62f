"""Pattern matching, exception groups, walrus, closures, metaclasses, operators."""

import abc
import operator


class Base(abc.ABC):
    @abc.abstractmethod
    def size(self): ...


class Meta(type):
    def __new__(cls, name, bases, space, **k):
        return super().__new__(cls, name, bases, space | k)


class Made(metaclass=Meta, extra=9):
    __slots__ = ()


def work():
    match {"shape": (2, 3)}:
        case {"shape": (rows, columns)} if (size := rows * columns) == 6:
            pass
        case _:
            return False
    try:
        raise ExceptionGroup("both", [ValueError(), TypeError()])
    except* ValueError:
        caught = True
    except* TypeError:
        pass
    return caught and size == 6 and Made.extra == 9 and operator.matmul is not None
