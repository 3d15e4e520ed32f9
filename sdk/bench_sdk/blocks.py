"""What builders make: mappings with the keys of a flow file, and where they were written."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from .errors import FlowError
from .sites import Site, call_site

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

#: A JSON value. Not recursive, so that every supported Python resolves it.
Json = Union[None, bool, int, float, str, Sequence[Any], Mapping[str, Any]]
#: A duration: text such as `500ms`, or a `timedelta`.
Duration = Union[str, timedelta]
#: Seconds: a number, or a `timedelta`.
Seconds = Union[float, timedelta]
#: Where a file or folder is.
FilePath = Union[str, "os.PathLike[str]"]


class Omitted:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        return "OMIT"


#: Stands for an argument that was not given, where None would mean JSON null.
OMIT = Omitted()


class Block(Dict[str, Any]):
    """A mapping with the keys of a flow file, as a builder made it.

    :ivar site: where the builder was called
    :ivar origins: the parameter that each part came from, by JSON Pointer below the block
    """

    site: Optional[Site] = None
    origins: Mapping[str, str] = {}


BlockType = TypeVar("BlockType", bound=Block)


def built(kind: Type[BlockType], given: Mapping[str, Any]) -> BlockType:
    """The block of a builder: one key for each of its arguments that was given.

    :param given: the builder's `locals()`
    """
    keys = {name.rstrip("_"): name for name in given if name != "self"}
    block = kind({key: plain(given[name], key) for key, name in keys.items() if was_given(given[name])})
    block.site = call_site(2)
    block.origins = {f"/{key}": name for key, name in keys.items()}
    return block


def mapped(value: Mapping[str, Any], name: str) -> Block:
    """The block of a mapping that a program gives as a whole.

    :param name: of the parameter that it came from
    :raises FlowError: for a value that is no mapping
    """
    # Programs in Python are not held to the type.
    given: Any = value
    if not isinstance(given, Mapping):
        raise FlowError(f"`{name}`: expected a mapping such as a dict, got {type(given).__name__}", ())
    block = Block(plain(value, name))
    block.site, block.origins = call_site(2), {"": name}
    return block


def was_given(value: Any) -> bool:
    """Whether an argument is anything but the default of what may be left out."""
    return value is not None and value is not OMIT


#: Values that say where a file is.
_FILES = re.compile(r"(data|file|path|proto|import_paths\[\d+\]|multipart\..+\.file)$")

#: Sequences that are no list of numbers to anyone who writes them.
_BYTES = (bytes, bytearray, memoryview)

#: The engine refuses what is nested deeper, at its place in the flow.
_MOST_LEVELS = 64


def plain(value: Any, what: str, holders: Tuple[int, ...] = ()) -> Any:
    """A copy of `value` as JSON has it, in which blocks are still blocks.

    Of what is nested too deep for any flow there is one level too many, and no more.

    :param what: names the value, should JSON have no such thing
    :param holders: identities of what the value is in
    :raises TypeError: for a value that JSON cannot say
    """
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, timedelta):
        return f"{value // timedelta(microseconds=1)}us"
    if isinstance(value, os.PathLike) and _FILES.match(what):
        return os.fspath(value)
    if id(value) in holders:
        raise TypeError(f"`{what}` is the {type(value).__name__} that holds it, which JSON cannot say")
    if len(holders) > _MOST_LEVELS:
        return []
    holders = (*holders, id(value))
    if isinstance(value, Block):
        block = type(value)({key: plain(each, f"{what}.{key}", holders) for key, each in value.items()})
        block.site, block.origins = value.site, value.origins
        return block
    if isinstance(value, Mapping):
        mapping: Mapping[Any, Any] = value
        for key in mapping:
            if not isinstance(key, str):
                raise TypeError(f"`{what}` has the key {key!r}, but JSON keys are texts")
        return {key: plain(each, f"{what}.{key}", holders) for key, each in mapping.items()}
    if isinstance(value, Sequence) and not isinstance(value, _BYTES):
        items: Sequence[Any] = value
        return [plain(each, f"{what}[{index}]", holders) for index, each in enumerate(items)]
    if callable(value):
        named = getattr(value, "__name__", type(value).__name__)
        raise TypeError(f"`{what}` is the function {named} itself: call it, {named}(...)")
    raise TypeError(f"`{what}` is of the type {type(value).__name__}, which JSON cannot say: give {_instead(value)}")


def _instead(value: Any) -> str:
    """What JSON can say in place of a value."""
    if isinstance(value, _BYTES):
        return ".decode(), its text"
    return "list(...) of it" if isinstance(value, Iterable) else "str(...) of it"


def is_long(value: Any) -> bool:
    """Whether a value is an integer that `str` may refuse to write: a program can limit it to 640 digits."""
    return isinstance(value, int) and value.bit_length() > 2_000


def digits(value: Any) -> str:
    """The text of a value; of an integer every digit, whatever the limit of `str` is."""
    return str(Decimal(value)) if is_long(value) else f"{value}"
