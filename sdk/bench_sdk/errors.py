"""Every error this package raises on purpose."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence, Tuple


class Diagnostic(NamedTuple):
    """One message about a flow, a target or a file they name.

    :ivar severity: `error` or `warning`
    :ivar code: stable kebab-case name of the rule, such as `unknown-key`
    :ivar line: 1-based, as is `column`; None for the file as a whole
    :ivar hint: the way out, when there is one
    """

    file: str
    line: Optional[int]
    column: Optional[int]
    severity: str
    code: str
    message: str
    hint: Optional[str]


class BenchError(Exception):
    """Base of all errors of this package.

    :ivar hint: the way out, when there is one
    """

    def __init__(self, message: str, hint: Optional[str] = None) -> None:
        super().__init__(message if hint is None else f"{message}\n  = {hint}")
        self.message = message
        self.hint = hint


class FlowError(BenchError, ValueError):
    """A flow or target that may not run, or an argument that is refused; its text is what `bench` prints.

    :ivar diagnostics: every one of them, in file order
    :ivar code: of the first error, as are `message`, `hint`, `file`, `line` and `column`
    """

    def __init__(
        self, text: str, diagnostics: Sequence[Diagnostic], hint: Optional[str] = None
    ) -> None:
        super().__init__(text, hint)
        self.diagnostics: Tuple[Diagnostic, ...] = tuple(diagnostics)
        errors = [each for each in self.diagnostics if each.severity == "error"]
        first = errors[0] if errors else Diagnostic("", None, None, "error", "", text, hint)
        self.file, self.line, self.column, _, self.code, self.message, self.hint = first

    def __reduce__(self) -> Tuple[Any, ...]:
        # A pool of processes waits for ever for an error that it cannot take over.
        return type(self), (str(self), self.diagnostics), self.__dict__


class EngineError(BenchError):
    """The engine could not be found, ended, or could not do what it was asked."""


class RunFailure(BenchError, AssertionError):
    """A run that did not pass.

    :ivar result: the `RunResult`
    """

    def __init__(self, text: str, result: Any) -> None:
        super().__init__(text)
        self.result = result

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.result), self.__dict__


class BenchWarning(UserWarning):
    """What the author of a flow should know, though nothing is refused for it."""


def diagnostics_of(message: Mapping[str, Any]) -> Tuple[Diagnostic, ...]:
    """The diagnostics of a message of the engine."""
    return tuple(
        Diagnostic(*(each.get(name) for name in Diagnostic._fields))
        for each in message.get("diagnostics", ())
    )
