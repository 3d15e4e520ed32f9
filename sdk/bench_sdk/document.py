"""What a program wrote, as the engine reads it: data, and beside it where it was written."""

from __future__ import annotations

import ast
import math
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from .blocks import Block, digits, is_long
from .sites import Location, Written, location, source, written, written_items

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True


def document_of(block: Block, names: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
    """The document of a flow or a target.

    :param names: what files are called, by absolute path, where it is not their path
    """
    return _Walk(names or {}).document(block)


def shown_path(file: str) -> str:
    """The shorter way to write a path; what is no file, such as `<stdin>`, stays."""
    if not os.path.isfile(file):
        return file
    path = os.path.abspath(file)
    try:
        short = os.path.relpath(path)
    except ValueError:
        # Another drive.
        return path
    return short if len(short) < len(path) else path


class _Call(NamedTuple):
    """One call of a builder that is being walked through."""

    block: Block
    found: Written
    file: str
    #: Index of the file in the document; None when nothing is known.
    number: Optional[int]


class _Walk:
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._files: Dict[str, int] = {}
        self._locations: Dict[str, Location] = {}
        self._keys: Dict[str, Location] = {}
        self._numbers: Dict[str, str] = {}

    def document(self, block: Block) -> Dict[str, Any]:
        value = self._block(block, "")
        parts = {
            "files": [self._file(name) for name in self._files],
            "locations": self._locations,
            "key_locations": self._keys,
            "numbers": self._numbers,
        }
        return {"value": value, **{name: part for name, part in parts.items() if part}}

    def _file(self, file: str) -> Dict[str, str]:
        name = self._names.get(os.path.abspath(file)) or shown_path(file)
        text = source(file)
        return {"name": name, "text": text} if text else {"name": name}

    def _block(self, block: Block, pointer: str) -> Any:
        site = block.site
        if site is None:
            return self._value(block, pointer, "", None, _Call(block, Written(None, {}, {}), "", None))
        found = written(site)
        call = _Call(block, found, site.file, self._files.setdefault(site.file, len(self._files)))
        if found.call is None:
            self._note(self._locations, pointer, [site.line], call)
        return self._value(block, pointer, "", found.call, call)

    def _value(
        self, value: Any, pointer: str, below: str, node: Optional[ast.AST], call: _Call
    ) -> Any:
        """The value at `pointer`, which is at `below` in what the call made.

        :param node: its expression, when that is in the call
        """
        name = call.block.origins.get(below)
        if name:
            node = call.found.arguments.get(name)
            self._note(self._keys, pointer, call.found.keywords.get(name), call)
        if isinstance(value, Block) and value is not call.block:
            return self._block(value, pointer)
        self._note(self._locations, pointer, node, call)
        if isinstance(value, dict):
            entries: Dict[str, Any] = value
            keys, nodes = _entries(node)
            for key, each in keys.items():
                self._note(self._keys, _child(pointer, key), each, call)
            return {
                key: self._value(each, _child(pointer, key), _child(below, key), nodes.get(key), call)
                for key, each in entries.items()
            }
        if isinstance(value, list):
            values: List[Any] = value
            items = _items(node)
            return [
                self._value(each, f"{pointer}/{index}", f"{below}/{index}", items.get(index), call)
                for index, each in enumerate(values)
            ]
        return self._scalar(value, pointer)

    def _scalar(self, value: Any, pointer: str) -> Any:
        """JSON has no NaN and no infinities, and says of 10.0 no more than of 10; Python may not write long integers."""
        if is_long(value):
            self._numbers[pointer] = digits(value)
            return 0
        if isinstance(value, float) and not math.isfinite(value):
            self._numbers[pointer] = str(value)
            return 0
        if isinstance(value, float) and value.is_integer():
            self._numbers[pointer] = float.__repr__(value)
        return value

    def _note(
        self, where: Dict[str, Location], pointer: str, what: Union[ast.AST, Location, None], call: _Call
    ) -> None:
        if what is None or call.number is None:
            return
        found = what if isinstance(what, list) else location(what, call.file)
        if call.number > 0:
            found = [*found, *[0] * (3 - len(found)), call.number]
        where[pointer] = found


def _entries(node: Optional[ast.AST]) -> Tuple[Dict[str, ast.AST], Dict[str, ast.AST]]:
    """Keys and values of a dict that is written out."""
    keys: Dict[str, ast.AST] = {}
    values: Dict[str, ast.AST] = {}
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                keys[key.value], values[key.value] = key, value
    return keys, values


def _items(node: Optional[ast.AST]) -> Dict[int, ast.AST]:
    """Items of a list that is written out, as far as it is."""
    items = node.elts if isinstance(node, (ast.List, ast.Tuple)) else ()
    return dict(enumerate(written_items(items)))


def _child(pointer: str, key: str) -> str:
    """One level deeper (JSON Pointer, RFC 6901 section 3)."""
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
