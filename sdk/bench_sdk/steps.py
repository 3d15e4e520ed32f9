"""Typed builders of the steps of a flow, one an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from .auth import AnyAuth
from .blocks import OMIT, Block, Duration, FilePath, Json, Omitted, mapped, plain, was_given
from .builders import Extraction, Retry, Throttle
from .sites import call_site, checked
from .words import Capture, OnErrors, OnFailure

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

#: The value of a header or a query parameter.
Scalar = Union[str, int, float, bool]
#: A part of a multipart body: a value, `{"file": ..., "type": ..., "name": ...}` or `{"text": ..., "type": ...}`.
Part = Union[Scalar, Mapping[str, Union[Scalar, FilePath]]]
#: Where each variable is taken from: a JSON path, or what `from_header()`, `from_css()` and their like give.
Extract = Mapping[str, Union[str, Extraction]]
#: `retry(...)` and so on, or a mapping with the same keys.
AnyBlock = Mapping[str, Any]

#: What methods of other libraries are here.
_ELSEWHERE = {
    **{verb: f'call("id", "{verb.upper()} /path")' for verb in ("get", "post", "put", "patch", "delete", "head", "options")},
    "request": 'call("id", "GET /path")',
    **{pause: 'wait("id", "1s")' for pause in ("sleep", "pause", "think")},
    "websocket": 'ws("id", url="/path")',
}


class StepBuilders:
    """A list of steps, and the builders that add to it."""

    def __init__(self) -> None:
        self._steps: List[Block] = []

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            meant = f". Did you mean {_ELSEWHERE[name]}?" if name in _ELSEWHERE else ""
            raise AttributeError(f"'Flow' object has no attribute '{name}'{meant}")

    @checked
    def step(self, step: Mapping[str, Any], *, capture: Optional[Capture] = None) -> None:
        """Adds a step given as a mapping with the keys of a flow file.

        :param capture: how much a kept trace holds: `full`, `headers` or `none`
        """
        added = mapped(step, "step")
        added.origins = {**added.origins, "/capture": "capture"}
        if capture is not None:
            added["capture"] = capture
        self._steps.append(added)

    @checked
    def call(
        self,
        id: str,
        call: str,
        *,
        headers: Optional[Mapping[str, Scalar]] = None,
        query: Optional[Mapping[str, Union[Scalar, Sequence[Scalar]]]] = None,
        body: Union[Json, Omitted] = OMIT,
        form: Optional[Mapping[str, Union[Scalar, Sequence[Scalar]]]] = None,
        multipart: Optional[Mapping[str, Union[Part, Sequence[Part]]]] = None,
        text: Optional[str] = None,
        file: Optional[FilePath] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, AnyBlock, None] = None,
        throttle: Union[Throttle, AnyBlock, None] = None,
        auth: Optional[AnyAuth] = None,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
        timeout: Optional[Duration] = None,
    ) -> None:
        """An HTTP request.

        :param id: unique in the flow, without `.` and `@`
        :param call: `"METHOD /path"` or `"METHOD https://host/path"`
        :param body: any JSON value, None for null; a request sends one of `body` to `file`
        :param form: fields of a form, sent as `application/x-www-form-urlencoded`
        :param multipart: parts of `multipart/form-data`: values, `{"file": ...}` or `{"text": ...}`
        :param text: sent as it is
        :param file: whose bytes are sent, relative to the flow's folder
        :param extract: variables taken from the response
        :param assert_: assertions, such as `status == 200`
        :param on_failure: `abort_flow` (default), `abort_run` or `record`
        :param timeout: bounds one attempt, within the target's `request_timeout`
        :param capture: how much a kept trace holds: `full`, `headers` or `none`
        """
        self._add("call", locals(), ())

    @checked
    def poll(
        self,
        id: str,
        call: str,
        *,
        until: Sequence[str],
        interval: Duration,
        timeout: Optional[Duration] = None,
        max_attempts: Optional[int] = None,
        headers: Optional[Mapping[str, Scalar]] = None,
        query: Optional[Mapping[str, Union[Scalar, Sequence[Scalar]]]] = None,
        body: Union[Json, Omitted] = OMIT,
        form: Optional[Mapping[str, Union[Scalar, Sequence[Scalar]]]] = None,
        multipart: Optional[Mapping[str, Union[Part, Sequence[Part]]]] = None,
        text: Optional[str] = None,
        file: Optional[FilePath] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        throttle: Union[Throttle, AnyBlock, None] = None,
        auth: Optional[AnyAuth] = None,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
        attempt_timeout: Optional[Duration] = None,
    ) -> None:
        """A request repeated until assertions hold.

        :param until: at least one assertion
        :param interval: from the start of one round to the start of the next, above 0
        :param timeout: stops after this long; this or `max_attempts` is needed
        :param attempt_timeout: bounds the request of one round, as `timeout` beside the block does in a flow file
        """
        self._add("poll", locals(), _POLL)

    @checked
    def wait(
        self,
        id: str,
        wait: Union[Duration, Mapping[str, Any]],
        *,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
    ) -> None:
        """A pause, such as `500ms`, or `between("1s", "3s")`."""
        self._add("wait", locals(), ())

    @checked
    def graphql(
        self,
        id: str,
        query: str,
        *,
        url: Optional[str] = None,
        endpoint: Optional[str] = None,
        variables: Optional[Mapping[str, Json]] = None,
        operation_name: Optional[str] = None,
        on_errors: Optional[OnErrors] = None,
        headers: Optional[Mapping[str, Scalar]] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, AnyBlock, None] = None,
        throttle: Union[Throttle, AnyBlock, None] = None,
        auth: Optional[AnyAuth] = None,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
        timeout: Optional[Duration] = None,
    ) -> None:
        """A GraphQL operation.

        :param query: the document, sent verbatim and never templated
        :param url: this or `endpoint`
        :param on_errors: `fail` (default), `allow_partial` or `ignore`
        """
        self._add("graphql", locals(), _GRAPHQL)

    @checked
    def ws(
        self,
        id: str,
        *,
        url: Optional[str] = None,
        endpoint: Optional[str] = None,
        session: Optional[str] = None,
        subprotocols: Optional[Sequence[str]] = None,
        send: Union[Json, Omitted] = OMIT,
        receive: Union[Mapping[str, Any], bool] = False,
        headers: Optional[Mapping[str, Scalar]] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        throttle: Union[Throttle, AnyBlock, None] = None,
        auth: Optional[AnyAuth] = None,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
        timeout: Optional[Duration] = None,
    ) -> None:
        """Opens a WebSocket session (with `url`), sends a frame, receives one.

        :param session: name of the session; the flow's unnamed one when None
        :param send: a JSON frame
        :param receive: True for the next frame, or `{"match": ..., "timeout": ...}`
        """
        self._add("ws", locals(), _WS)

    @checked
    def grpc(
        self,
        id: str,
        method: str,
        *,
        proto: FilePath,
        message: Optional[Mapping[str, Json]] = None,
        import_paths: Optional[Sequence[FilePath]] = None,
        url: Optional[str] = None,
        endpoint: Optional[str] = None,
        headers: Optional[Mapping[str, Scalar]] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, AnyBlock, None] = None,
        throttle: Union[Throttle, AnyBlock, None] = None,
        auth: Optional[AnyAuth] = None,
        on_failure: Optional[OnFailure] = None,
        capture: Optional[Capture] = None,
        timeout: Optional[Duration] = None,
    ) -> None:
        """A unary gRPC call.

        :param method: `package.Service/Method`
        :param proto: path to the `.proto` file, relative to the flow file
        :param headers: become metadata
        """
        self._add("grpc", locals(), _GRPC)

    def _add(self, action: str, given: Mapping[str, Any], inside: Sequence[str]) -> None:
        """Adds the step of the builder called `action`.

        :param given: its `locals()`
        :param inside: parameters that are keys of the action's block
        """
        step = Block(id=given["id"], **{action: {} if inside else given.get(action)})
        origins: Dict[str, str] = {}
        for name, value in given.items():
            if name == "self" or _left_out(name, value):
                continue
            key = "timeout" if name == "attempt_timeout" else name.rstrip("_")
            value = None if name == "receive" and value is True else plain(value, key)
            block, pointer = (step[action], f"/{action}/{key}") if name in inside else (step, f"/{key}")
            block[key], origins[pointer] = value, name
        step.site, step.origins = call_site(2), origins
        self._steps.append(step)


_POLL = ("call", "until", "interval", "timeout", "max_attempts", "headers", "query", "body", "form", "multipart", "text", "file")
_GRAPHQL = ("query", "url", "endpoint", "variables", "operation_name", "on_errors")
_WS = ("url", "endpoint", "session", "subprotocols", "send", "receive")
_GRPC = ("method", "proto", "import_paths", "message", "url", "endpoint")


def _left_out(name: str, value: Any) -> bool:
    if name in ("body", "send"):
        return value is OMIT
    return value is False if name == "receive" else not was_given(value)
