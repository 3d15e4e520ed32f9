"""An answer judged as a GraphQL response (GraphQL section 7.1; over HTTP, section 6.4)."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from ..expr.typed_value import TypedValue, shortened
from ..values.json import OMIT, is_list, is_object
from ..values.readable import ecmascript_keys, readable, well_formed
from .execution import Failure
from .reply import Judge, Reply, judge_status



def judge_graphql(on_errors: str) -> Judge:
    """:param on_errors: `fail`, `allow_partial` or `ignore`"""

    def judge(reply: Reply) -> Optional[Failure]:
        body = reply.json()
        broken = judge_status(reply)
        if broken:
            return _with_first_error(broken, body)
        if reply.answer.status >= 300:
            return Failure(
                "status", f"the answer was {reply.answer.status}, not a GraphQL response"
            )
        why = _not_a_response(reply, body)
        if why:
            return Failure("protocol", f"the answer is not a GraphQL response: {why}")
        errors = body.get("errors")
        if on_errors == "ignore" or not errors:
            return None
        data = body.get("data")
        resolved = is_object(data) and any(each is not None for each in data.values())
        if on_errors == "allow_partial" and resolved:
            return None
        return _error_failure(errors, on_errors == "allow_partial")

    return judge


def _not_a_response(reply: Reply, body: Any) -> Optional[str]:
    if body is OMIT:
        kind = reply.header("content-type")
        return "its body is not JSON" + (f" (Content-Type: {kind})" if kind else "")
    if not is_object(body):
        return "its JSON is no object"
    if "errors" not in body:
        return None if "data" in body else "it has neither `data` nor `errors`"
    listed = body["errors"] is None or is_list(body["errors"])
    return None if listed else "its `errors` is no list"


def _with_first_error(failure: Failure, body: Any) -> Failure:
    """The server says in `errors` why the status is what it is."""
    errors = body.get("errors") if is_object(body) else None
    if not is_list(errors) or not errors:
        return failure
    return failure._replace(message=f"{failure.message}: {_summary(errors)}")


def _error_failure(errors: Sequence[Any], wanted_data: bool) -> Failure:
    return Failure(
        "graphql",
        ("no data was resolved: " if wanted_data else "") + _summary(errors),
        expected=TypedValue("nothing", ""),
        actual=TypedValue("object", shortened(_path_first(errors[0]))),
    )


def _summary(errors: Sequence[Any]) -> str:
    first = errors[0]
    message, path = first, None
    if is_object(first):
        message, path = first.get("message", OMIT), first.get("path")
    at = f" at {_path_text(path)}" if is_list(path) and path else ""
    words = message if isinstance(message, str) else readable(first)
    what = f"{len(errors)} GraphQL errors, the first" if len(errors) > 1 else "GraphQL error"
    return f"{what}{at}: {shortened(well_formed(words))}"


def _path_text(path: Sequence[Any]) -> str:
    text = ""
    for each in path:
        if isinstance(each, str):
            text += f"{'.' if text else ''}{each}"
        else:
            number = isinstance(each, (int, float)) and not isinstance(each, bool)
            text += f"[{readable(each)}]" if number else f"{'.' if text else ''}{readable(each)}"
    return text


def _path_first(error: Any) -> str:
    """The first error with its path, which the report must not lose."""
    if not is_object(error):
        return readable(error)
    first = {key: error[key] for key in ("path", "message") if key in error}
    ordered = {**first, **error}
    pairs = (f"{readable(key)}:{readable(ordered[key])}" for key in ecmascript_keys(ordered))
    return "{" + ",".join(pairs) + "}"
