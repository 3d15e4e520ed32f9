"""Rates: `N/s`, `N/m`, `N/h` or `N/<duration>`, such as `50/s`."""

from __future__ import annotations

import math
import re
from typing import Dict

from .duration import parse_duration
from .json import MAX_SAFE

_FORM = re.compile(r"(\d+)\s*/\s*(\S+)", re.ASCII)


def parse_rate(text: str) -> Dict[str, int]:
    """Reads a rate into `{"count", "per_us"}` in lowest terms.

    :raises ValueError: when the text is not a rate
    """
    match = _FORM.fullmatch(text.strip())
    if not match:
        raise _not_a_rate(text)
    count, unit = int(match[1]), match[2]
    try:
        per = parse_duration(f"1{unit}" if re.fullmatch("[a-z]+", unit) else unit)
    except ValueError:
        raise _not_a_rate(text) from None
    if count > MAX_SAFE or count < 1 or per < 1:
        raise _not_a_rate(text)
    divisor = math.gcd(count, per)
    return {"count": count // divisor, "per_us": per // divisor}


def _not_a_rate(text: str) -> ValueError:
    return ValueError(
        f'"{text}" is not a rate: expected N/s, N/m, N/h or N/<duration>, such as 50/s'
    )
