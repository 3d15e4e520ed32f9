"""The plain part of YAML that target files are written in.

Python has no YAML reader of its own. A target file is a flat mapping of scalars
and lists, which is read here; anything richer is refused by name, with the way
out. `Flow.run()` leaves target files to `bench`, which reads all of YAML.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List

from ..errors import InputError

_KEY = re.compile(r"([A-Za-z_][\w-]*|\"[^\"]*\"|'[^']*')\s*:(?:\s+(.*))?")
_ITEM = re.compile(r"\s*-\s+(.*)")


def read_target_text(text: str, file: str) -> Dict[str, Any]:
    """The mapping a target file holds.

    :raises InputError: for text beyond the plain form, with its line
    """
    if text.lstrip().startswith("{"):
        try:
            fields = json.loads(text)
        except ValueError:
            pass
        else:
            return dict(fields)
    fields: Dict[str, Any] = {}
    current = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_comment(raw)
        if line.strip() in ("", "---"):
            continue
        item = _ITEM.fullmatch(line)
        match = _KEY.fullmatch(line)
        if item and current and isinstance(fields[current], list):
            fields[current].append(_scalar(item[1], file, number))
        elif match:
            current = match[1].strip("\"'")
            if current in fields:
                raise _fault("duplicate-key", f"the key `{current}` stands here twice", file, number)
            rest = (match[2] or "").strip()
            fields[current] = _value(rest, file, number) if rest else []
        else:
            raise _beyond(raw, file, number)
    return {key: None if value == [] and key != "base_urls" else value for key, value in fields.items()}


def _without_comment(line: str) -> str:
    match = re.match(r"((?:[^'\"#]|\"[^\"]*\"|'[^']*'|(?<=\S)#)*)(?:(?<=\s)#.*|^#.*)?$", line)
    return (match[1] if match else line).rstrip()


def _value(text: str, file: str, line: int) -> Any:
    if text.startswith("[") and text.endswith("]"):
        inside = text[1:-1].strip().rstrip(",")
        items: List[str] = re.findall(r"\s*(\"[^\"]*\"|'[^']*'|[^,]+?)\s*(?:,|$)", inside)
        return [_scalar(item, file, line) for item in items] if inside else []
    return _scalar(text, file, line)


def _scalar(text: str, file: str, line: int) -> Any:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        if text[0] == "'":
            return text[1:-1].replace("''", "'")
        try:
            return json.loads(text)
        except ValueError:
            raise _beyond(text, file, line) from None
    if re.match(r"[&*!|>{}\[\]%@`]", text):
        raise _beyond(text, file, line)
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[-+]?[0-9]*\.[0-9]+|[-+]?[0-9]+\.[0-9]*", text):
        return float(text)
    return {"true": True, "false": False, "null": None, "~": None}.get(text, text)


def _beyond(text: str, file: str, line: int) -> InputError:
    return _fault(
        "target-form", f"execute() reads plain target files, but this line has `{text.strip()}`", file, line
    )


def _fault(code: str, message: str, file: str, line: int) -> InputError:
    hint = "write the target as plain YAML or JSON, or pass a Target"
    return InputError(code, f"{file}:{line}: {message}", hint, file=file, line=line)
