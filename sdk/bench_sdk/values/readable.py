"""JSON values for a person to read. Never for bytes."""

from __future__ import annotations

import json
import re
from typing import Any, List, Mapping

from ..errors import FlowError
from .canonical import canonical
from .json import is_list, is_object, number_text

_INDEX = re.compile("0|[1-9][0-9]{0,9}")


def readable(value: Any) -> str:
    """The canonical form; as `stringify` for what has none, such as 1e400."""
    try:
        return canonical(value)
    except FlowError:
        return stringify(value)


def stringify(value: Any) -> str:
    """A value as ECMAScript's JSON.stringify writes it."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
    if is_list(value):
        return f"[{','.join(stringify(each) for each in value)}]"
    if is_object(value):
        pairs = (f"{stringify(key)}:{stringify(value[key])}" for key in ecmascript_keys(value))
        return "{" + ",".join(pairs) + "}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        return number_text(value)
    except FlowError:
        return "null"


def ecmascript_keys(value: Mapping[str, Any]) -> List[str]:
    """Keys in ECMAScript's order: indexes by size, then the others as they came."""
    indexes = [key for key in value if _INDEX.fullmatch(key) and int(key) < 2**32 - 1]
    if not indexes:
        return list(value)
    indexes.sort(key=int)
    return [*indexes, *(key for key in value if key not in set(indexes))]


def well_formed(text: str) -> str:
    """`text` with each half of a surrogate pair replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text
