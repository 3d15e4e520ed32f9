"""pytest runs flows: `*.bench.yaml` files, and `Flow` and `Mix` objects of test modules.

Each is one test, or of a flow one for each row of its fixture. An installed package brings this plugin
along; from a checkout it is `-p bench_sdk.pytest_plugin`.
"""

from __future__ import annotations

import os
import re
from types import SimpleNamespace
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple

import pytest

from .document import shown_path
from .engine import engine_for
from .errors import BenchError, RunFailure
from .flow import Runnable, request_parameters, run_request

ENDINGS = (".bench.yaml", ".bench.yml")
#: Columns whose values do not go into the names of tests.
_CREDENTIAL = re.compile("token|secret|passw|key|auth|cookie|credential", re.IGNORECASE)
#: Values that are longer do not either.
_LONGEST = 40


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bench")
    target = "target of the flows: a name, a path to a target file, or a base URL"
    group.addoption("--bench-target", metavar="TARGET", help=target)
    group.addoption("--bench-store", metavar="DIR", help="run store; nothing is stored without it")
    parser.addini("bench_target", target)


@pytest.fixture
def bench_target(request: pytest.FixtureRequest) -> str:
    """The target that was named with --bench-target or in the ini file."""
    return _target(request.config)


def pytest_collect_file(file_path: Any, parent: pytest.Collector) -> Optional[pytest.File]:
    if file_path.name.endswith(ENDINGS):
        return FlowFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makeitem(
    collector: Any, name: str, obj: object
) -> Optional[List[pytest.Item]]:
    """A flow or a mix that its module makes, whatever it is called; one that it imports as `test_...`."""
    if not isinstance(obj, Runnable):
        return None
    file, line = obj.made_at
    own = os.path.abspath(file) == str(collector.path)
    if not own and not collector.funcnamefilter(name):
        return None
    source = _Source({"document": obj.document(), "directory": obj.directory}, file, line)
    return list(_items(collector, name, source))


class FlowFile(pytest.File):
    """A flow file."""

    def collect(self) -> Iterable[pytest.Item]:
        name = re.sub(r"\.bench\.ya?ml$", "", self.path.name)
        return _items(self, name, _Source({"path": shown_path(str(self.path))}, str(self.path), 1))


class _Source(NamedTuple):
    """A flow as the engine takes it, and where it begins."""

    flow: Mapping[str, Any]
    file: str
    line: int


class FlowItem(pytest.Item):
    """A flow, or one of its rows."""

    def __init__(
        self, *, source: _Source, row: Optional[int], tags: Iterable[str], **rest: Any
    ) -> None:
        super().__init__(**rest)
        for tag in tags:
            # Those of flow files are known, whether the ini file lists them or not.
            self.config.addinivalue_line("markers", tag)
            self.add_marker(tag)
        self._source = source
        self._row = row

    def runtest(self) -> None:
        target = _target(self.config)
        params = request_parameters(flow=self._source.flow, target=target, row=self._row)
        params["store"] = self.config.getoption("bench_store")
        result = run_request(params)
        self.add_report_section("call", "bench", result.summary)
        if result.interrupted:
            raise KeyboardInterrupt
        result.raise_for_failure()

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The engine's words; Python's stack says nothing about a flow."""
        error = excinfo.value
        if isinstance(error, RunFailure):
            return _FailureText(error.result.describe())
        if isinstance(error, BenchError):
            return _FailureText(str(error))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> Tuple[str, int, str]:
        return self._source.file, self._source.line - 1, self.name


class _FailureText(str):
    """A failure as text, its first two lines in short."""

    @property
    def reprcrash(self) -> SimpleNamespace:
        """What pytest 7's short summary and every XML say of it."""
        return SimpleNamespace(message=": ".join(line.strip() for line in self.split("\n", 2)[:2]))


def _target(config: pytest.Config) -> str:
    named: Any = config.getoption("bench_target") or config.getini("bench_target")
    if not named:
        pytest.fail(
            "no target: name one with --bench-target, or as bench_target in the ini file",
            pytrace=False,
        )
    return str(named)


def _items(parent: Any, name: str, source: _Source) -> Iterator[FlowItem]:
    try:
        found = engine_for().request("rows", request_parameters(flow=source.flow))
    except BenchError:
        # The one test there is says why.
        found = {}
    # pytest has no marks that begin with `_`.
    tags = [each for each in found.get("tags", []) if not each.startswith("_")]
    for row, label in _rows(found):
        shown = name if label is None else f"{name}[{label}]"
        yield FlowItem.from_parent(
            parent, name=_printable(shown), source=source, row=row, tags=tags
        )


def _printable(text: str) -> str:
    """What a terminal or a log would obey is written as an escape: names come from files."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def _rows(found: Mapping[str, Any]) -> List[Tuple[Optional[int], Optional[str]]]:
    """The rows of a functional flow, with their names; one without for any other."""
    rows = found.get("rows")
    if not rows or found["mode"] not in ("integration", "system"):
        return [(None, None)]
    column = next(iter(rows[0]), "")
    names = [row[column] for row in rows]
    named = len(set(names)) == len(names) and not _CREDENTIAL.search(column)
    named = named and all(0 < len(each) <= _LONGEST for each in names)
    return [(index, names[index] if named else str(index)) for index in range(len(rows))]
