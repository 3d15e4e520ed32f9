"""What a pattern is made of."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Tuple, Union

from .units import Units


class Chars(NamedTuple):
    """One code unit out of a set."""

    units: Units


class Sequence(NamedTuple):
    """One after the other; empty matches nothing at all, successfully."""

    items: Tuple[Node, ...]


class Choice(NamedTuple):
    """`a|b`."""

    branches: Tuple[Node, ...]


class Group(NamedTuple):
    """`(a)`, the group's number counted from 1."""

    number: int
    inner: Node


class Look(NamedTuple):
    """`(?=a)`, `(?!a)`, `(?<=a)`, `(?<!a)`."""

    behind: bool
    negative: bool
    inner: Node


class Repeat(NamedTuple):
    """`a{least,most}`; `most` is None without a bound."""

    least: int
    most: Optional[int]
    lazy: bool
    inner: Node


class Edge(NamedTuple):
    """`kind` is `start`, `end`, `line start`, `line end`, `word edge` or `no word edge`."""

    kind: str


class Back(NamedTuple):
    """What one of these groups matched: `\\1`, `\\k<name>`."""

    numbers: List[int]
    any_case: bool


Node = Union[Chars, Sequence, Choice, Group, Look, Repeat, Edge, Back]
