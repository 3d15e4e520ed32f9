"""Durations: a decimal number and a unit, such as `500ms` or `1.5s`."""

from __future__ import annotations

import re
from typing import List, Optional

from .json import MAX_SAFE, number_text

_UNITS = {"us": 1, "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
_FORM = re.compile(r"(-?)(\d+)(?:\.(\d+))?(us|ms|s|m|h)", re.ASCII)


def parse_duration(text: str) -> int:
    """Reads a duration into whole microseconds.

    :raises ValueError: when the text is not a duration, is finer than a
        microsecond, or too long
    """
    match = _FORM.fullmatch(text.strip())
    if not match:
        raise ValueError(
            f'"{text}" is not a duration: expected a number and a unit '
            "(us, ms, s, m, h), such as 500ms or 1.5s"
        )
    sign, whole, fraction, unit = match.groups(default="")
    digits = int(whole + fraction) * _UNITS[unit]
    micros, rest = divmod(digits, 10 ** len(fraction))
    if rest:
        raise ValueError(f'"{text}" is finer than one microsecond')
    if micros > MAX_SAFE:
        raise ValueError(f'"{text}" is too long')
    return -micros if sign else micros


#: Units as people also write them.
_SPELT = {
    "us": "us|usecs?|microseconds?",
    "ms": "ms|msecs?|millis|milliseconds?",
    "s": "s|secs?|seconds?",
    "m": "m|mins?|minutes?",
    "h": "h|hrs?|hours?",
}


def duration_hint(text: str) -> Optional[str]:
    """What a person most likely meant by text that is no duration."""
    text = text.strip()
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)", text)
    if not match:
        return None
    number, word = match.groups()
    if not word:
        return f"did you mean {number}s or {number}ms?"
    for unit, words in _SPELT.items():
        if re.fullmatch(words, word, re.IGNORECASE) and number + unit != text:
            return f"did you mean {number}{unit}?"
    return None


def exact_duration(micros: int) -> str:
    """`micros` as text that `parse_duration` reads back to the same number."""
    for unit in ("h", "m", "s", "ms"):
        if micros != 0 and micros % _UNITS[unit] == 0:
            return f"{micros // _UNITS[unit]}{unit}"
    return f"{micros}us"


def format_duration(micros: float) -> str:
    """Microseconds as a person would write them: three digits, a fitting unit."""
    size = abs(micros)
    if size < 1_000:
        return f"{_trim(micros)}us"
    if size < 1_000_000:
        return f"{_trim(micros / 1_000)}ms"
    if size < 60_000_000:
        return f"{_trim(micros / 1_000_000)}s"
    seconds = int(micros / 1_000_000 + 0.5)
    parts = [(seconds // 3600, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    while parts[0][0] == 0:
        parts.pop(0)
    words: List[str] = []
    for index, (count, unit) in enumerate(parts):
        if index == 0:
            words.append(f"{count}{unit}")
        elif count > 0:
            words.append(f"{count:02d}{unit}")
    return "".join(words)


def _trim(value: float) -> str:
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return number_text(float(f"{value:.{digits}f}"))
