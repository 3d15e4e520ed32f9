"""Patterns as source of Python's `re`, where that can say the same."""

from __future__ import annotations

from typing import FrozenSet, List, Set, Tuple

from .nodes import Back, Chars, Choice, Edge, Group, Look, Node, Repeat, Sequence
from .units import LINE_ENDS, WORD, Units

#: Groups that have matched for certain when a part of the pattern begins.
Known = FrozenSet[int]


class Untranslatable(Exception):
    """Python's `re` cannot follow; the text says what, such as `a look-behind ...`."""


def re_source(pattern: Node) -> str:
    """The pattern for `re`, over text as code units.

    :raises Untranslatable: when no Python pattern matches the same
    """
    return _Writer().write(pattern, frozenset())[0]


class _Writer:
    """Writes nodes; groups keep their numbers, whether anything refers to them or not."""

    def __init__(self) -> None:
        self._begun = 0
        self._unfinished: Set[int] = set()
        #: Groups that have matched or not, once and for all.
        self._settled: Set[int] = set()
        self._loops = 0
        self._behind = False

    def write(self, node: Node, known: Known) -> Tuple[str, Known]:
        """The source, and what has matched for certain behind it."""
        if isinstance(node, Chars):
            return _set(node.units), known
        if isinstance(node, Sequence):
            return self._sequence(node, known)
        if isinstance(node, Choice):
            return f"(?:{'|'.join(self._branch(each, known) for each in node.branches)})", known
        if isinstance(node, Group):
            return self._group(node, known)
        if isinstance(node, Look):
            return self._look(node, known)
        if isinstance(node, Repeat):
            return self._repeat(node, known), known
        if isinstance(node, Edge):
            return _EDGES[node.kind], known
        return self._back(node, known), known

    def _sequence(self, node: Sequence, known: Known) -> Tuple[str, Known]:
        parts: List[str] = []
        for each in node.items:
            text, known = self.write(each, known)
            parts.append(text)
        return "".join(parts), known

    def _branch(self, node: Node, known: Known) -> str:
        """What may match or not. In a loop a group forgets what it matched before."""
        text, inside = self.write(node, known)
        if self._loops == 0:
            self._settled |= inside - known
        return text

    def _group(self, node: Group, known: Known) -> Tuple[str, Known]:
        self._begun = node.number
        self._unfinished.add(node.number)
        text, inside = self.write(node.inner, known)
        self._unfinished.remove(node.number)
        return f"({text})", inside | {node.number}

    def _look(self, node: Look, known: Known) -> Tuple[str, Known]:
        sign = ("<" if node.behind else "") + ("!" if node.negative else "=")
        if not node.behind:
            text, inside = self.write(node.inner, known)
            return f"(?{sign}{text})", known if node.negative else inside
        before, self._behind = self._behind, True
        inner = node.inner
        # Each branch has a width of its own, which `re` must know.
        branches = inner.branches if isinstance(inner, Choice) else (inner,)
        parts = [f"(?{sign}{self.write(each, known)[0]})" for each in branches]
        self._behind = before
        joined = ("" if node.negative else "|").join(parts)
        return f"(?:{joined})", known

    def _repeat(self, node: Repeat, known: Known) -> str:
        again = node.most is None or node.most > 1
        self._loops += again
        text = self._branch(node.inner, known)
        self._loops -= again
        most = "" if node.most is None else node.most
        return f"(?:{text}){{{node.least},{most}}}{'?' if node.lazy else ''}"

    def _back(self, node: Back, known: Known) -> str:
        """A group that has not matched yet gives nothing in ECMAScript."""
        if self._behind:
            raise Untranslatable("a back reference in a look-behind")
        if node.any_case:
            raise Untranslatable("a back reference that ignores case")
        [number, *others] = node.numbers
        if not others and number in known:
            return f"(?:\\{number})"
        if all(each > self._begun or each in self._unfinished for each in node.numbers):
            return "(?:)"
        if not others and number in self._settled:
            return f"(?({number})\\{number}|)"
        raise Untranslatable("a back reference to a group that may not have matched")


def _set(units: Units) -> str:
    if not units:
        return "(?!)"
    if len(units) == 1 and units[0][0] == units[0][1]:
        return _unit(units[0][0])
    return "[" + "".join(f"{_unit(first)}-{_unit(last)}" for first, last in units) + "]"


def _unit(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\u{code:04x}"


_W, _N = _set(WORD), _set(LINE_ENDS)
_EDGES = {
    "start": r"\A",
    "end": r"\Z",
    "line start": rf"(?:\A|(?<={_N}))",
    "line end": rf"(?:\Z|(?={_N}))",
    "word edge": f"(?:(?<={_W})(?!{_W})|(?<!{_W})(?={_W}))",
    "no word edge": f"(?:(?<={_W})(?={_W})|(?<!{_W})(?!{_W}))",
}
