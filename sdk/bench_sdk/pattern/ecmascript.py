"""ECMAScript patterns without flags, made ready to search with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Pattern

from .mistake import PatternMistake
from .nodes import Node
from .source import Untranslatable, re_source
from .syntax import PatternReader
from .units import code_units


class EcmaPattern:
    """A pattern that searches text as `RegExp.prototype.test` does."""

    def __init__(self, compiled: Pattern[str]) -> None:
        self._compiled = compiled

    def search(self, text: str) -> bool:
        """Whether the pattern matches anywhere in `text`."""
        return self._compiled.search(code_units(text)) is not None


def check_pattern(pattern: str) -> None:
    """:raises PatternMistake: for what the engine refuses, in its words"""
    _read(pattern)


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> EcmaPattern:
    """Makes a pattern ready.

    :raises PatternMistake: for what the engine refuses, in its words
    :raises Untranslatable: for what Python's `re` cannot match
    """
    source = re_source(_read(pattern))
    try:
        return EcmaPattern(re.compile(source))
    except (re.error, OverflowError, RecursionError) as error:
        what = "a look-behind without a fixed width" if "fixed-width" in str(error) else str(error)
        raise Untranslatable(what) from None


def _read(pattern: str) -> Node:
    try:
        return PatternReader(code_units(pattern)).read()
    except PatternMistake as mistake:
        raise PatternMistake(f"Invalid regular expression: /{pattern}/: {mistake}") from None
