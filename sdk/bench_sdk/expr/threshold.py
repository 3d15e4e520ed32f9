"""Thresholds: `p95(latency) < 300ms`, `error_rate <= 1%`.

    threshold := rate ws op ws ( number | percent ) | stat "(latency)" ws op ws duration
    rate      := "error_rate" | "throttle_rate"
    stat      := "avg" | "min" | "max" | "p1" ... "p100"
    op        := "<" | "<=" | ">" | ">="
"""

from __future__ import annotations

import re
from typing import Any, Dict, Optional

from ..values.duration import duration_hint, parse_duration
from ..values.suggest import nearest
from .syntax_error import ExpressionError

_FORM = re.compile(r"\s*([^\s<>=!]+)\s*([<>=!]+)?\s*(.*?)\s*")
_STAT = re.compile(r"avg|min|max|p([1-9][0-9]?|100)")
_KNOWN = (
    "error_rate",
    "throttle_rate",
    *(f"{stat}(latency)" for stat in ("avg", "min", "max", "p50", "p90", "p95", "p99")),
)


#: Words of other tools, and statistics without what they are of.
_ELSEWHERE = {
    "avg": "avg(latency)",
    "mean": "avg(latency)",
    "min": "min(latency)",
    "max": "max(latency)",
    "med": "p50(latency)",
    "median": "p50(latency)",
    "latency": "p95(latency)",
    "http_req_duration": "p95(latency)",
    "http_req_failed": "error_rate",
    "errors": "error_rate",
}


def parse_threshold(text: str) -> Dict[str, Any]:
    """Reads one threshold into its IR.

    :raises ExpressionError: with what is wrong
    """
    match = _FORM.fullmatch(text)
    left, op, right = match.groups(default="") if match else ("", "", "")
    metric = _metric(left)
    if op not in ("<", "<=", ">", ">="):
        raise ExpressionError(
            "threshold-operator",
            f"no operator after `{left}`" if op == "" else f"`{op}` is not a threshold operator",
            "operators: <, <=, >, >=",
        )
    if right == "":
        raise ExpressionError("threshold-value", f"no value after `{op}`")
    if metric in ("error_rate", "throttle_rate"):
        return {"metric": metric, "op": op, "value": _share(right)}
    return {"metric": "latency", "stat": metric, "op": op, "value_us": _latency(right)}


def _metric(text: str) -> str:
    if text in ("error_rate", "throttle_rate"):
        return text
    match = re.fullmatch(r"(\w+)\(latency\)", text, re.ASCII)
    stat = match[1] if match else ""
    if _STAT.fullmatch(stat):
        return stat
    if re.fullmatch("p[0-9]+", stat):
        raise ExpressionError(
            "threshold-metric", f"percentiles go from p1 to p100, not `{stat}`"
        )
    near = _meant_statistic(text) or nearest(text, _KNOWN)
    raise ExpressionError(
        "threshold-metric",
        f"`{text}` is not something a threshold measures",
        f"did you mean `{near}`?"
        if near
        else "measures: error_rate, throttle_rate, avg(latency), min(latency), "
        "max(latency), p1(latency) to p100(latency)",
    )


def _meant_statistic(text: str) -> Optional[str]:
    match = re.fullmatch(r"p\(?([1-9][0-9]?|100)\)?", text)
    return f"p{match[1]}(latency)" if match else _ELSEWHERE.get(text)


def _share(text: str) -> float:
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(%?)", text)
    if not match:
        raise ExpressionError(
            "threshold-value",
            f'"{text}" is not a rate: expected a number or a percentage',
            "for example 0.01 or 1%",
        )
    # Moving the decimal point in the text keeps 1.1% at 0.011 exactly.
    share = float(f"{match[1]}e-2" if match[2] else match[1])
    if share > 1:
        raise ExpressionError(
            "threshold-value",
            f"a rate is at most 1 (100%), but this is {text}",
            None if match[2] else f"did you mean {text}%?",
        )
    return share


def _latency(text: str) -> int:
    try:
        micros = parse_duration(text)
    except ValueError as error:
        raise ExpressionError(
            "bad-duration",
            f"latency compares with a duration: {error}",
            duration_hint(text),
        ) from None
    if micros < 0:
        raise ExpressionError(
            "threshold-value", f"a latency is never negative, but this is {text}"
        )
    return micros
