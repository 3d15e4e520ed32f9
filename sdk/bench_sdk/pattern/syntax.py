"""Reads patterns as V8 reads them (ECMA-262 section 22.2.1 and annex B.1.2, no flags).

Mistakes are found in V8's order and told in V8's words, so that a flow is
refused in the same words whichever language it is written in. What V8 accepts
although it means nothing, such as `\\A`, is refused by both
(`lib/expr/pattern.ts`).
"""

from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Tuple

from .char_class import read_class
from .escape import read_escape
from .group_name import GroupNames, read_group_name
from .flags import read_modifiers
from .mistake import PatternMistake, idle_reason
from .nodes import Back, Chars, Choice, Edge, Group, Look, Node, Repeat, Sequence
from .units import LINE_ENDS, Units, any_case, complement

#: Groups inside groups; more could overflow a stack on either side.
MAX_NESTING = 64
#: V8's bound of `{n}`; more is as good as without end.
_MOST = 2**31 - 1
_MAX_GROUPS = 32_767
_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_GROUPS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|(\(\?<(?![=!])|\((?!\?))", re.DOTALL)
_LOOKS = {"=": (False, False), "!": (False, True), "<=": (True, False), "<!": (True, True)}


class _Open(NamedTuple):
    """A group whose `)` has not come: what it is, and what stood before it."""

    number: int
    name: str
    look: Optional[Tuple[bool, bool]]
    flags: str
    items: List[Node]
    branches: List[Node]


class PatternReader:
    """Reads one pattern, given as code units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at: int = 0
        self._flags: str = ""
        self._items: List[Node] = []
        self._branches: List[Node] = []
        self._open: List[_Open] = []
        self._groups = 0
        found = [match[1] for match in _GROUPS.finditer(text) if match[1]]
        self._group_count = len(found)
        self._names = GroupNames("(?<" in found)
        #: The first thing that V8 lets pass and that says nothing.
        self._idle: Optional[str] = None

    def read(self) -> Node:
        """:raises PatternMistake: with V8's reason, or with what says nothing"""
        while self._at < len(self._text):
            repeatable = self._term()
            if repeatable:
                self._quantifier()
        if self._open:
            raise PatternMistake("Unterminated group")
        self._names.check()
        if self._idle is not None:
            raise PatternMistake(self._idle)
        return self._choice()

    def _term(self) -> bool:
        """Reads one term; whether a quantifier may follow it."""
        char = self._text[self._at]
        if char in "|^$(":
            return self._structure(char)
        if char == ")":
            return self._close()
        if char in "*+?" or (char == "{" and _COUNT.match(self._text, self._at)):
            raise PatternMistake("Nothing to repeat")
        if char == "[":
            units, negated, self._at = read_class(self._text, self._at, self._escaped)
            cased = self._cased(units)
            self._items.append(Chars(complement(cased) if negated else cased))
            return True
        if char == "\\":
            return self._escape()
        self._at += 1
        if char == ".":
            self._items.append(Chars(complement(() if "s" in self._flags else LINE_ENDS)))
        else:
            self._add(((ord(char), ord(char)),))
        return True

    def _structure(self, char: str) -> bool:
        self._at += 1
        if char == "(":
            self._group()
        elif char == "|":
            self._branches.append(Sequence(tuple(self._items)))
            self._items = []
            self._names.next_branch()
        else:
            line = "line " if "m" in self._flags else ""
            self._items.append(Edge(line + ("start" if char == "^" else "end")))
        return False

    def _group(self) -> None:
        """Behind a `(`."""
        number, name, flags = 0, "", self._flags
        look: Optional[Tuple[bool, bool]] = None
        if self._peek() != "?":
            number = self._number()
        else:
            self._at += 1
            kind = self._text[self._at : self._at + 2]
            kind = kind if kind in _LOOKS else kind[:1]
            if kind == ":":
                self._at += 1
            elif kind in _LOOKS:
                look = _LOOKS[kind]
                self._at += len(kind)
            elif kind == "<":
                self._at += 1
                number = self._number()
                name, self._at = read_group_name(self._text, self._at)
                self._names.define(name, number)
            elif kind != "" and kind in "ims-":
                flags, self._at = read_modifiers(self._text, self._at, flags)
            else:
                raise PatternMistake("Invalid group")
        self._open.append(_Open(number, name, look, self._flags, self._items, self._branches))
        if len(self._open) > MAX_NESTING:
            self._say_nothing(f"groups nest at most {MAX_NESTING} deep")
        self._flags, self._items, self._branches = flags, [], []
        self._names.enter()

    def _number(self) -> int:
        if self._groups >= _MAX_GROUPS:
            raise PatternMistake("Too many captures")
        self._groups += 1
        return self._groups

    def _close(self) -> bool:
        if not self._open:
            raise PatternMistake("Unmatched ')'")
        self._at += 1
        inner = self._choice()
        number, name, look, self._flags, self._items, self._branches = self._open.pop()
        self._names.leave()
        if name:
            self._names.settle(name)
        if look:
            inner = Look(*look, inner)
        self._items.append(Group(number, inner) if number else inner)
        return True

    def _choice(self) -> Node:
        last = Sequence(tuple(self._items))
        return Choice((*self._branches, last)) if self._branches else last

    def _quantifier(self) -> None:
        char = self._peek()
        counted = _COUNT.match(self._text, self._at)
        least, most = 0, None
        if counted:
            least = min(int(counted[1]), _MOST)
            most = least if counted[2] is None else min(int(counted[3]), _MOST) if counted[3] else None
            self._at = counted.end()
            if most is not None and most < least:
                raise PatternMistake("numbers out of order in {} quantifier")
        elif char in ("*", "+", "?"):
            self._at += 1
            least, most = int(char == "+"), 1 if char == "?" else None
        else:
            return
        lazy = self._peek() == "?"
        self._at += lazy
        inner = self._items.pop()
        if isinstance(inner, Look) and inner.behind:
            raise PatternMistake("Invalid quantifier")
        self._items.append(Repeat(least, most, lazy, inner))

    def _escape(self) -> bool:
        letter = self._text[self._at + 1 : self._at + 2]
        if letter in ("b", "B"):
            self._at += 2
            self._items.append(Edge("word edge" if letter == "b" else "no word edge"))
            return False
        if letter == "k" and self._names.exist:
            self._at += 2
            if self._peek() != "<":
                raise PatternMistake("Invalid named reference")
            name, self._at = read_group_name(self._text, self._at + 1)
            self._items.append(self._names.reference(name, "i" in self._flags))
            return True
        number = re.compile("[1-9][0-9]*").match(self._text, self._at + 1)
        if number and int(number[0]) <= self._group_count:
            self._at = number.end()
            self._items.append(Back([int(number[0])], "i" in self._flags))
            return True
        units, self._at = self._escaped(self._at, False)
        self._add(units)
        return True

    def _escaped(self, at: int, in_class: bool) -> Tuple[Units, int]:
        """The set of the escape at `at`, a single code for most, and its end."""
        letter = self._text[at + 1 : at + 2]
        if letter == "":
            raise PatternMistake("\\ at end of pattern")
        if letter == "k" and self._names.exist:
            raise PatternMistake("Invalid escape")
        escape = read_escape(self._text, at, in_class)
        if escape.idle:
            self._say_nothing(idle_reason(self._text[at + 1 :]))
        return escape.units or ((escape.code, escape.code),), escape.end

    def _add(self, units: Units) -> None:
        self._items.append(Chars(self._cased(units)))

    def _cased(self, units: Units) -> Units:
        return any_case(units) if "i" in self._flags else units

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _say_nothing(self, reason: str) -> None:
        if self._idle is None:
            self._idle = reason

