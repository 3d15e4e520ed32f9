"""Builders that know a misspelt keyword when they see one."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, TypeVar, cast

from .errors import FlowError
from .read.mapping import unknown_key

F = TypeVar("F", bound=Callable[..., Any])


def known_keywords(function: F) -> F:
    """Raises `FlowError` for a keyword the function does not have, or that it lacks.

    Python would raise a TypeError, without saying what was meant.
    """
    parameters = {
        name: each
        for name, each in inspect.signature(function).parameters.items()
        if name != "self"
    }
    order = [name for name, each in parameters.items() if each.kind != each.KEYWORD_ONLY]
    needed = [name for name, each in parameters.items() if each.default is each.empty]
    is_method = "self" in inspect.signature(function).parameters
    name = function.__name__
    if name == "__init__":
        name = function.__qualname__.split(".")[-2]

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = [*order[: len(args) - is_method], *kwargs]
        what = _what(name, args[is_method:], kwargs)
        for key in kwargs:
            if key not in parameters:
                raise unknown_key(key, parameters, what)
        for key in needed:
            if key not in given:
                raise FlowError("missing-key", f"{what} needs `{key}`")
        return function(*args, **kwargs)

    return cast(F, checked)


def _what(name: str, args: Any, kwargs: Any) -> str:
    """A step by its id, anything else by the name of its builder."""
    named = args[0] if args else kwargs.get("id")
    return f"step `{named}`" if name in _STEPS and isinstance(named, str) else f"`{name}`"


_STEPS = ("call", "graphql", "grpc", "poll", "wait", "ws")
