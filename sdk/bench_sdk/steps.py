"""Typed builders of the steps of a flow, one an action."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from .builders import Duration, Retry, Throttle
from .keywords import known_keywords
from .read.extract import Extraction
from .values.json import OMIT, Json, Omitted

#: The value of a header or a query parameter.
Scalar = Union[str, int, float, bool]
#: Where each variable is taken from: a JSON path, `from_header()` or `from_status()`.
Extract = Mapping[str, Union[str, Extraction]]
#: `retry(...)` and so on, or a mapping with the same keys.
Block = Mapping[str, Any]


class StepBuilders:
    """The part of a flow that adds steps. Every method raises `FlowError`."""

    def step(self, step: Mapping[str, Any], *, capture: Optional[str] = None) -> None:
        """Adds a step given as a mapping with the keys of a flow file."""
        raise NotImplementedError

    @known_keywords
    def call(
        self,
        id: str,
        call: str,
        *,
        headers: Optional[Mapping[str, Scalar]] = None,
        query: Optional[Mapping[str, Union[Scalar, Sequence[Scalar]]]] = None,
        body: Union[Json, Omitted] = OMIT,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, Block, None] = None,
        throttle: Union[Throttle, Block, None] = None,
        auth: Optional[Block] = None,
        on_failure: Optional[str] = None,
        capture: Optional[str] = None,
    ) -> None:
        """An HTTP request.

        :param id: unique in the flow, without `.` and `@`
        :param call: `"METHOD /path"` or `"METHOD https://host/path"`
        :param body: any JSON value, None for null; without it no body is sent
        :param extract: variables taken from the answer
        :param assert_: assertions, such as `status == 200`
        :param on_failure: `abort_flow` (default), `abort_run` or `record`
        :param capture: how much a kept trace holds: `full`, `headers` or `none`
        """
        step = _step(id, "call", call, extract, assert_, throttle, auth, on_failure)
        _add(step, headers=headers, query=query, retry=retry)
        if body is not OMIT:
            step["body"] = body
        self.step(step, capture=capture)

    @known_keywords
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
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        throttle: Union[Throttle, Block, None] = None,
        auth: Optional[Block] = None,
        on_failure: Optional[str] = None,
        capture: Optional[str] = None,
    ) -> None:
        """A request repeated until assertions hold.

        :param until: at least one assertion
        :param interval: wait between two rounds, above 0
        :param timeout: gives up after this long; this or `max_attempts` is needed
        """
        block: dict[str, Any] = {"call": call, "until": until, "interval": interval}
        _add(block, timeout=timeout, max_attempts=max_attempts, headers=headers, query=query)
        if body is not OMIT:
            block["body"] = body
        step = _step(id, "poll", block, extract, assert_, throttle, auth, on_failure)
        self.step(step, capture=capture)

    @known_keywords
    def wait(self, id: str, wait: Duration, *, on_failure: Optional[str] = None) -> None:
        """A pause, such as `500ms`."""
        step = {"id": id, "wait": wait}
        _add(step, on_failure=on_failure)
        self.step(step)

    @known_keywords
    def graphql(
        self,
        id: str,
        query: str,
        *,
        url: Optional[str] = None,
        endpoint: Optional[str] = None,
        variables: Optional[Mapping[str, Json]] = None,
        operation_name: Optional[str] = None,
        on_errors: Optional[str] = None,
        headers: Optional[Mapping[str, Scalar]] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, Block, None] = None,
        throttle: Union[Throttle, Block, None] = None,
        auth: Optional[Block] = None,
        on_failure: Optional[str] = None,
        capture: Optional[str] = None,
    ) -> None:
        """A GraphQL operation.

        :param query: the document, sent verbatim and never templated
        :param url: this or `endpoint`
        :param on_errors: `fail` (default), `allow_partial` or `ignore`
        """
        block = {"query": query}
        _add(block, url=url, endpoint=endpoint, variables=variables)
        _add(block, operation_name=operation_name, on_errors=on_errors)
        step = _step(id, "graphql", block, extract, assert_, throttle, auth, on_failure)
        _add(step, headers=headers, retry=retry)
        self.step(step, capture=capture)

    @known_keywords
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
        throttle: Union[Throttle, Block, None] = None,
        auth: Optional[Block] = None,
        on_failure: Optional[str] = None,
        capture: Optional[str] = None,
    ) -> None:
        """Opens a WebSocket session (with `url`), sends a frame, receives one.

        :param session: name of the session; the flow's unnamed one when None
        :param send: a JSON frame
        :param receive: True for the next frame, or `{"match": ..., "timeout": ...}`
        """
        block: dict[str, Any] = {}
        _add(block, url=url, endpoint=endpoint, session=session, subprotocols=subprotocols)
        if send is not OMIT:
            block["send"] = send
        if receive is not False:
            block["receive"] = None if receive is True else receive
        step = _step(id, "ws", block, extract, assert_, throttle, auth, on_failure)
        _add(step, headers=headers)
        self.step(step, capture=capture)

    @known_keywords
    def grpc(
        self,
        id: str,
        method: str,
        *,
        proto: str,
        message: Optional[Mapping[str, Json]] = None,
        import_paths: Optional[Sequence[str]] = None,
        url: Optional[str] = None,
        endpoint: Optional[str] = None,
        headers: Optional[Mapping[str, Scalar]] = None,
        extract: Optional[Extract] = None,
        assert_: Optional[Sequence[str]] = None,
        retry: Union[Retry, Block, None] = None,
        throttle: Union[Throttle, Block, None] = None,
        auth: Optional[Block] = None,
        on_failure: Optional[str] = None,
        capture: Optional[str] = None,
    ) -> None:
        """A unary gRPC call.

        :param method: `package.Service/Method`
        :param proto: path to the `.proto` file, relative to the flow file
        :param headers: become metadata
        """
        block = {"proto": proto, "method": method}
        _add(block, import_paths=import_paths, url=url, endpoint=endpoint, message=message)
        step = _step(id, "grpc", block, extract, assert_, throttle, auth, on_failure)
        _add(step, headers=headers, retry=retry)
        self.step(step, capture=capture)


def _step(
    id: str,
    action: str,
    value: Any,
    extract: Optional[Extract],
    assert_: Optional[Sequence[str]],
    throttle: Optional[Block],
    auth: Optional[Block],
    on_failure: Optional[str],
) -> dict[str, Any]:
    step = {"id": id, action: value}
    _add(step, extract=extract, throttle=throttle, auth=auth, on_failure=on_failure)
    if assert_ is not None:
        step["assert"] = assert_
    return step


def _add(mapping: dict[str, Any], **fields: Any) -> None:
    mapping.update({key: value for key, value in fields.items() if value is not None})
