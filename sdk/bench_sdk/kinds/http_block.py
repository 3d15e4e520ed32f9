"""One HTTP request as the IR says it: method, url, headers, query, body."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

from ..errors import FlowError
from ..read.payload import read_payload, read_templated, read_templated_text
from ..values.json import JsonObject, describe, is_list, is_object

_CALL = re.compile(r"([A-Z]+) (\S.*)")


def read_http(call: Any, fields: Mapping[str, Any]) -> JsonObject:
    """Reads a request from its `"METHOD /path"` and the keys beside it."""
    block: JsonObject = _call(call)
    if "headers" in fields:
        headers = read_headers(fields["headers"])
        if headers:
            block["headers"] = headers
    if "query" in fields:
        query = _query(fields["query"])
        if query:
            block["query"] = query
    if "body" in fields:
        block["body"] = read_payload(fields["body"])
    return block


def http_templates(block: Mapping[str, Any]) -> Iterator[Any]:
    """Every part of the block that templates may stand in."""
    yield block["url"]
    yield from block.get("headers", {}).values()
    yield from block.get("query", {}).values()
    if "body" in block:
        yield block["body"]


def read_headers(value: Any) -> Dict[str, str]:
    """A mapping of header names to scalars."""
    _check_pairs(value, "`headers`")
    return {
        name: read_templated_text(each, f"header `{name}`") for name, each in value.items()
    }


def _query(value: Any) -> Dict[str, Union[str, List[str]]]:
    _check_pairs(value, "`query`")
    query: Dict[str, Union[str, List[str]]] = {}
    for name, each in value.items():
        what = f"query parameter `{name}`"
        query[name] = (
            [read_templated_text(item, what) for item in each]
            if is_list(each)
            else read_templated_text(each, what)
        )
    return query


def _check_pairs(value: Any, what: str) -> None:
    wanted = f"{what} must be a mapping of names to values"
    if not is_object(value):
        raise FlowError("wrong-type", f"{wanted}, but it is {describe(value)}")
    for name in value:
        if not isinstance(name, str):
            raise FlowError("wrong-type", f"{wanted}, but one name is {describe(name)}")


def _call(value: Any) -> JsonObject:
    text = read_templated(value, "`call`")
    match = _CALL.fullmatch(text)
    if not match:
        raise FlowError("bad-call", *_explain(text))
    method, url = match.groups()
    if re.search(r"\s", re.sub(r"\{\{.*?\}\}", "", url)):
        raise FlowError(
            "bad-call",
            f'the URL "{url}" has a space in it',
            "write a space as %20, or put values into `query`",
        )
    return {"method": method, "url": url}


def _explain(text: str) -> Tuple[str, Optional[str]]:
    """Why a text is no `"METHOD /path"`, and the way out."""
    wanted = f'`call` must be "METHOD /path", but it is "{text}"'
    words = text.split() or [""]
    first = words[0]
    is_word = re.fullmatch("[A-Za-z]+", first)
    if len(words) == 1:
        if is_word:
            return wanted, f"add the path: {first.upper()} /path"
        return wanted, f"put the method in front: GET {first}"
    if is_word:
        return wanted, f'did you mean "{first.upper()} {words[1]}"?'
    return wanted, "the method is upper case letters, then one space, then the URL"
