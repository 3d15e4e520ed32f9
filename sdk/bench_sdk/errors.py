"""Every error this package raises on purpose.

    BenchError
    ├── FlowError            a mistake in a flow, raised at the line that makes it
    │   └── InputError       a mistake in a file the flow needs: fixture, target
    ├── MissingBenchError    `Flow.run()` found no `bench` command
    ├── RunError             `bench` could not run the flow (exit codes 2 and 3)
    └── NeedsRunError        `Flow.execute()` was given a step or mode it cannot run
"""

from __future__ import annotations

from typing import Optional

from .values.conceal import without_userinfo


class BenchError(Exception):
    """Base of all errors of this package.

    :ivar code: stable kebab-case name of the rule, such as `unknown-key`
    :ivar message: what is wrong, in one line
    :ivar hint: the way out, when there is one
    :ivar about: the text that is wrong, when the message does not quote it
    """

    def __init__(
        self, code: str, message: str, hint: Optional[str] = None, *, about: Optional[str] = None
    ) -> None:
        message = without_userinfo(message)
        hint = None if hint is None else without_userinfo(hint)
        super().__init__(message if hint is None else f"{message}\n  = {hint}")
        self.code = code
        self.message = message
        self.hint = hint
        self.about = about


class FlowError(BenchError, ValueError):
    """A mistake in a flow: same codes and words as the diagnostics of `bench`."""


class InputError(FlowError):
    """A mistake in a file.

    :ivar file: the file as it was named
    :ivar line: 1-based, or 0 for the file as a whole
    """

    def __init__(
        self,
        code: str,
        message: str,
        hint: Optional[str] = None,
        *,
        file: str = "",
        line: int = 0,
    ) -> None:
        super().__init__(code, message, hint)
        self.file = file
        self.line = line


class MissingBenchError(BenchError):
    """There is no `bench` command; the hint says how to get one."""


class RunError(BenchError):
    """`bench` refused the flow or could not finish the run.

    :ivar exit_code: 2 when nothing was sent, 3 when the run could not finish
    """

    def __init__(self, code: str, message: str, exit_code: int) -> None:
        super().__init__(code, message)
        self.exit_code = exit_code


class NeedsRunError(BenchError):
    """This flow needs `Flow.run()`: in process only some steps and modes work."""
