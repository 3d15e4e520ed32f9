"""Assertions: `<subject> <operator> <value>`.

    assertion := subject ws ( operator ws value | "exists" | "not_exists" )
    subject   := "status" | "latency" | "header." name | path | variable
    operator  := "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "matches"
    value     := JSON scalar, list or object | quoted string | bare words

`exists` is `!= null`, `not_exists` is `== null`.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Mapping, Optional, Tuple

from ..errors import FlowError
from ..values.canonical import canonical
from ..values.duration import duration_hint, exact_duration, parse_duration
from ..values.json import json_integer
from ..values.readable import stringify
from ..values.suggest import nearest
from .assertion_types import check_types, second_condition
from .json_path import check_path
from .syntax_error import ExpressionError

#: An assertion as the IR has it.
Assertion = Dict[str, Any]
#: The statuses of a protocol by name, such as `NOT_FOUND` of gRPC.
StatusNames = Mapping[str, int]

OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "contains", "matches")
_WORDS = (*OPERATORS, "exists", "not_exists")
_SUBJECTS = (
    "subjects: status, latency, header.<Name>, a JSON path starting with $, "
    "or an extracted variable"
)


def parse_assertion(text: str, statuses: Optional[StatusNames] = None) -> Assertion:
    """Reads one assertion.

    :param statuses: names that stand for a status; the assertion gets its number
    :raises ExpressionError: with what is wrong
    """
    start = len(text) - len(text.lstrip())
    end = _subject_end(text, start)
    subject = _subject(text[start:end])
    op, op_end = _operator(text, end)
    rest = text[op_end:].strip()
    if op in ("exists", "not_exists"):
        if rest != "":
            raise ExpressionError(
                "assertion-value", f"`{op}` takes no value", f"remove `{rest}`"
            )
        sign = "!=" if op == "exists" else "=="
        return check_types({"subject": subject, "op": sign, "value": None})
    if rest == "":
        raise ExpressionError(
            "assertion-value",
            f"no value after `{op}`",
            "to YAML, a # after a space starts a comment: quote the assertion if the value has one",
        )
    if "{{" in rest:
        raise ExpressionError(
            "assertion-template",
            "assertions are not templated: the value is compared as it is written",
            "extract the value into a variable and assert on the variable",
        )
    value = _value(subject, op, rest)
    _check_sayable(value, rest)
    if subject["kind"] == "status" and statuses is not None:
        value = statuses.get(value if isinstance(value, str) else stringify(value), value)
    return check_types({"subject": subject, "op": op, "value": value}, statuses)


def format_assertion(assertion: Mapping[str, Any]) -> str:
    """The assertion in its one spelling."""
    subject, value = assertion["subject"], assertion["value"]
    if subject["kind"] == "latency" and isinstance(value, (int, float)):
        shown = exact_duration(int(value))
    else:
        shown = stringify(value)
    return f"{format_subject(subject)} {assertion['op']} {shown}"


def format_subject(subject: Mapping[str, Any]) -> str:
    """The subject as it is written."""
    kind = subject["kind"]
    if kind == "body":
        return str(subject["path"])
    if kind == "header":
        return f"header.{subject['name']}"
    return str(subject["name"]) if kind == "variable" else str(kind)


def _subject_end(text: str, start: int) -> int:
    """A path may hold spaces inside brackets and quotes; nothing else may."""
    depth, quote, at = 0, "", start
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif depth > 0 and char in "'\"":
            quote = char
        elif char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif depth <= 0 and char.isspace():
            return at
        elif depth <= 0 and char in "=!<>" and (at > start or text[start] != "$"):
            return at
        at += 1
    return len(text)


def _subject(text: str) -> Dict[str, Any]:
    if text in ("status", "latency"):
        return {"kind": text}
    if text.startswith("$"):
        try:
            check_path(text)
        except ValueError as error:
            raise ExpressionError("json-path", str(error)) from None
        return {"kind": "body", "path": text}
    if re.match(r"header\.", text, re.IGNORECASE):
        name = text[len("header.") :]
        if re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            return {"kind": "header", "name": name}
        raise ExpressionError("assertion-subject", f'"{name}" is not a header name')
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*(\.[^\s.]+)*", text):
        return {"kind": "variable", "name": text}
    raise ExpressionError(
        "assertion-subject",
        "an assertion is `<subject> <operator> <value>`, but this one is empty"
        if text == ""
        else f'"{text}" is not something to assert on',
        f"did you mean `${text}`?" if text.startswith(".") else _SUBJECTS,
    )


def _operator(text: str, start: int) -> Tuple[str, int]:
    """Returns the operator and where it ends."""
    begin = len(text) - len(text[start:].lstrip())
    match = re.match(r"[=!<>~]+|[^\s=!<>]+", text[begin:])
    token = match[0] if match else ""
    if token in _WORDS:
        return token, begin + len(token)
    meant = {"=": "==", "===": "==", "!==": "!=", "=~": "matches", "~": "matches"}
    near = meant.get(token) or nearest(token, _WORDS)
    raise ExpressionError(
        "assertion-operator",
        f"no operator after `{text.strip()}`" if token == "" else f"unknown operator `{token}`",
        f"did you mean `{near}`?" if near else f"operators: {', '.join(_WORDS)}",
    )


def _value(subject: Mapping[str, Any], op: str, text: str) -> Any:
    unquoted = _strip_quotes(text)
    if subject["kind"] == "latency" and text != "null":
        try:
            return parse_duration(text if unquoted is None else unquoted)
        except ValueError as error:
            raise ExpressionError(
                "bad-duration",
                f"`latency` compares with a duration: {error}",
                duration_hint(text if unquoted is None else unquoted) or second_condition(text),
            ) from None
    if unquoted is not None:
        return unquoted
    try:
        return json.loads(text, parse_constant=_no_constant, parse_int=json_integer)
    except ValueError:
        # A class such as [a-z] begins a pattern, not a list.
        if not re.match("[\"']" if op == "matches" else r"[\"'\[{]", text):
            return text
        raise ExpressionError(
            "assertion-value",
            f"{text} is neither a bare word nor JSON",
            'quote a string as "..." or write valid JSON',
        ) from None


def _check_sayable(value: Any, text: str) -> None:
    """`json` reads more than JSON can say: 1e400, and half of a surrogate pair."""
    try:
        canonical(value)
    except FlowError as error:
        half = error.code == "lone-surrogate"
        raise ExpressionError(
            "assertion-value",
            f"{text} has half a surrogate pair in it, which is no character"
            if half
            else f"{text} holds a number too large for JSON",
        ) from None


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _strip_quotes(text: str) -> Optional[str]:
    """The text between matching quotes; escapes only as JSON has them."""
    quote = text[:1]
    if len(text) < 2 or text[-1] != quote:
        return None
    inside = text[1:-1]
    if quote == "'":
        return None if "'" in inside else inside
    if quote != '"':
        return None
    try:
        value = json.loads(text)
    except ValueError:
        # A pattern such as "^\d+$" is no JSON string, but it is what was meant.
        return None if '"' in inside else inside
    return value if isinstance(value, str) else None
