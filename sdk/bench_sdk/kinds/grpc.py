"""`grpc`: one unary call. The schema itself is read by `bench`, before a run."""

from __future__ import annotations

import re
from typing import Any, Iterator, List, Mapping, Optional, Sequence

from ..errors import FlowError
from ..read.mapping import Key, read_mapping
from ..read.payload import read_payload
from ..read.scalars import read_string
from ..values.json import JsonObject, describe, is_list, is_object
from .block_url import URL_KEYS, read_block_url
from .http_block import read_headers
from .grpc_metadata import check_metadata
from .kind import Kind

GRPC_KEYS = {
    "proto": Key("the .proto file, relative to the flow file", True),
    "import_paths": Key("roots that the schema's own imports are looked up in"),
    "method": Key("package.Service/Method", True),
    "url": Key("grpc://host:port, or grpcs:// for TLS; else the target's base URL"),
    "endpoint": URL_KEYS["endpoint"],
    "message": Key("the request message as JSON"),
}
_NAMES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE "
    "UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
)
#: google.rpc.Code by name, as assertions may use them.
STATUS_NAMES = {name: code for code, name in enumerate(_NAMES.split())}


def _read(action: Any, fields: Mapping[str, Any]) -> JsonObject:
    parts = read_mapping(action, GRPC_KEYS, "`grpc`")
    block: JsonObject = {"proto": _plain(parts["proto"], "`proto`")}
    block["method"] = _method(parts["method"])
    if "import_paths" in parts:
        paths = _import_paths(parts["import_paths"])
        if paths:
            block["import_paths"] = paths
    url = read_block_url(parts)
    if url is not None:
        block["url"] = url
    headers = read_headers(fields["headers"]) if "headers" in fields else {}
    if headers:
        block["headers"] = headers
    if "message" in parts:
        message = _message(parts["message"])
        if message:
            block["message"] = message
    return block


def _method(value: Any) -> str:
    text = _plain(value, "`method`")
    match = re.fullmatch(r"/?([A-Za-z_][\w.]*/[A-Za-z_]\w*)", text, re.ASCII)
    if match:
        return match[1]
    near = re.fullmatch(r"/?([\w.]+)[.:](\w+)", text, re.ASCII)
    raise FlowError(
        "bad-method",
        f'`method` must be package.Service/Method, but it is "{text}"',
        f"did you mean {near[1]}/{near[2]}?" if near else "for example shop.v1.Catalog/GetItem",
    )


def _import_paths(value: Any) -> List[str]:
    if not is_list(value):
        raise FlowError(
            "wrong-type",
            f"`import_paths` must be a list, but it is {describe(value)}",
            f"write [{value}]" if isinstance(value, str) else "for example [protos]",
        )
    return [_plain(item, "each item of `import_paths`") for item in value]


def _plain(value: Any, what: str) -> str:
    """A string that is taken as it is written."""
    text = read_string(value, what)
    if "{{" in text:
        raise FlowError(
            "template-not-allowed",
            f"{what} is not templated: the schema is read before the run",
            "write it out",
        )
    if text.strip() == "":
        raise FlowError("empty", f"{what} cannot be empty")
    return text


def _message(value: Any) -> JsonObject:
    message = read_payload(value)
    if is_object(message):
        return dict(message)
    raise FlowError(
        "wrong-type", f"`message` must be a mapping of fields, but it is {describe(value)}"
    )


def _templates(block: Mapping[str, Any]) -> Iterator[Any]:
    if "url" in block:
        yield block["url"]
    yield from block.get("headers", {}).values()
    yield block.get("message", {})


def _check(step: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> None:
    url: Optional[str] = step["block"].get("url")
    mistake = None if url is None else address_mistake(url)
    if mistake:
        raise FlowError("bad-address", *mistake)
    for name, value in step["block"].get("headers", {}).items():
        check_metadata(name, value)
    if step.get("auth", {}).get("in") == "query":
        raise FlowError(
            "auth-without-query",
            f"step `{step['id']}` is a gRPC call, which has no query for a credential",
            "`in: header` sends it as metadata",
        )


def address_mistake(text: str) -> Optional[List[str]]:
    """Message and hint of what is wrong with `grpc://host:port`, as far as it is known."""
    if text.startswith("{{"):
        return None
    wanted = "for example grpc://localhost:50051"
    match = re.fullmatch(r"([a-z][a-z0-9+.-]*)://([^/?#]*)(.*)", text, re.I | re.S)
    if not match:
        plain = re.fullmatch(r"[\w.\[\]:{} -]+", text, re.ASCII)
        hint = f"write grpc://{text}, or grpcs://{text} for TLS" if plain else wanted
        return [f"`{text}` is not a gRPC address", hint]
    scheme, authority, rest = match.groups()
    lower = scheme.lower()
    if lower not in ("grpc", "grpcs"):
        own = "grpcs" if lower == "https" else "grpc"
        return [
            f"a gRPC address begins with grpc:// or grpcs://, not with {scheme}://",
            f"write {own}://{authority}",
        ]
    if rest != "":
        return [
            f"a gRPC address has no path, but this one has `{rest}`",
            f"`method` says what is called: write {lower}://{authority}",
        ]
    from ..wire.origin import parse_origin

    try:
        # Stands in for what the template gives: a name, or a port after a colon.
        parse_origin(f"{lower}://{re.sub(r'{{.*?}}', '1', authority)}")
    except ValueError as error:
        return [str(error), wanted]
    return None


grpc = Kind(
    name="grpc",
    doc="a unary gRPC call",
    keys=("headers", "extract", "assert", "retry", "throttle", "auth"),
    requests=True,
    read=_read,
    templates=_templates,
    check=_check,
    status_names=STATUS_NAMES,
)
