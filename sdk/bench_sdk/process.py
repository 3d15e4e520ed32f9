"""The engine as a child process: JSON-RPC 2.0 on its standard input and output."""

from __future__ import annotations

import collections
import json
import os
import queue
import re
import subprocess
import sys
import threading
from datetime import timedelta
from typing import IO, Any, Callable, Deque, Dict, Mapping, Optional, Tuple

from .arguments import in_python, refused_argument, refused_flags
from .errors import EngineError, FlowError

#: pytest ends a traceback at the line that called this module.
__tracebackhide__ = True

#: Codes of errors, as docs/rpc.md lists them.
REFUSED = 2
#: That of JSON-RPC for an argument that is refused.
INVALID_PARAMS = -32602
#: Seconds that it has to end when it is asked to.
END_TIMEOUT = 5
#: Waiting without an end cannot be interrupted on every system.
TICK = 0.5

#: What ends softly when it is cancelled, and has a result all the same.
_STOPPABLE = ("run", "duel", "capacity")

#: Takes the method and the parameters of a notification.
Listener = Callable[[str, Mapping[str, Any]], None]


class Process:
    """The process, and the messages to and from it."""

    def __init__(self, command: Tuple[str, ...]) -> None:
        self.broken = False
        self._command = command
        self._next = 0
        self._messages: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        #: A line of output that belongs to no message.
        self._stray: Optional[bytes] = None
        self._errors: Deque[bytes] = collections.deque(maxlen=40)
        try:
            self._child = subprocess.Popen(
                [*command, "rpc"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # In a checkout Deno runs the engine; it contacts no host of its own.
                env={**os.environ, "DENO_NO_UPDATE_CHECK": "1"},
                # Ctrl-C is for this process alone, which then asks the engine to stop.
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            named = os.environ.get("BENCH_BIN") == command[0]
            raise EngineError(
                f"cannot start the engine {command[0]}: {error.strerror}",
                "BENCH_BIN names it: set it to a bench program, or unset it" if named else None,
            ) from None
        self._threads = [
            threading.Thread(target=work, name="bench", daemon=True)
            for work in (self._read, self._read_errors)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        return self.broken or self._child.poll() is not None

    def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        listen: Optional[Listener],
        timeout: Optional[float] = None,
    ) -> Any:
        self._next += 1
        id = self._next
        self._send({"id": id, "method": method, "params": params})
        asked = 0
        failure: Optional[BaseException] = None
        while True:
            try:
                message = self._receive(method, timeout)
                if message.get("id") == id:
                    break
                if failure is None and listen and "method" in message:
                    listen(message["method"], message["params"])
            except KeyboardInterrupt:
                if method not in _STOPPABLE:
                    # Its response will have an id that no call waits for.
                    self._cancel(id, True)
                    raise
                asked += 1
                if asked > 2:
                    self.broken = True
                    raise
                self._cancel(id, asked > 1)
            except EngineError:
                if failure is not None:
                    raise failure from None
                raise
            except BaseException as error:
                # A callback raised: the run ends, and then its error is the news.
                failure = error
                self._cancel(id, True)
        if failure is not None:
            raise failure
        return _result(method, message)

    def end(self) -> None:
        """Asks the process to end, and makes sure that it does."""
        try:
            if not self.ended:
                self._send({"id": 0, "method": "shutdown", "params": {}})
            self.close_input()
            self._child.wait(END_TIMEOUT)
        except (OSError, ValueError, EngineError, subprocess.TimeoutExpired):
            self._child.kill()
        self._gather()

    def kill(self) -> None:
        """Ends the process at once."""
        self.close_input()
        self._child.kill()
        self._gather()

    def _gather(self) -> None:
        self._child.wait()
        for thread in self._threads:
            thread.join(END_TIMEOUT)
        for pipe in (self._child.stdout, self._child.stderr):
            if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                pipe.close()

    def abandon(self) -> None:
        """Closes this side's end of the pipe; what is buffered for it is not written."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), self._stdin.fileno())

    def close_input(self) -> None:
        """The engine ends when its input is closed."""
        try:
            self._stdin.close()
        except OSError:
            pass

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._child.stdin is not None
        return self._child.stdin

    def _cancel(self, id: int, now: bool) -> None:
        self._next += 1
        try:
            self._send({"id": self._next, "method": "cancel", "params": {"id": id, "now": now}})
        except EngineError:
            # It is gone, so nothing is left to cancel; the wait for its response ends.
            pass

    def _send(self, message: Dict[str, Any]) -> None:
        body = _encoded(message)
        try:
            self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._stdin.flush()
        except OSError:
            raise self._gone("a message could not be sent") from None
        except BaseException:
            # Half a message cannot be taken back.
            self.broken = True
            raise

    def _receive(self, method: str, timeout: Optional[float]) -> Dict[str, Any]:
        waited = 0.0
        while True:
            try:
                message = self._messages.get(timeout=TICK)
            except queue.Empty:
                waited += TICK
                if timeout is not None and waited > timeout:
                    self.broken = True
                    raise EngineError(f"the engine did not respond for {timeout:g} s ({self._name})") from None
                continue
            if message is None:
                raise self._gone(f"`{method}` was under way")
            return message

    def _gone(self, when: str) -> EngineError:
        self.broken = True
        if self._stray is not None:
            said = self._stray[:80].decode("utf-8", "replace").strip()
            why = f"{self._name} is no engine: it wrote {said!r} where a message begins"
            return EngineError(why, "a script that starts the engine writes to standard error alone")
        try:
            code: Optional[int] = self._child.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            code = None
        how = f"ended with exit code {code}"
        if code is None or code < 0:
            how = "closed its output" if code is None else f"was killed by signal {-code}"
        self._threads[1].join(END_TIMEOUT)
        said = b"".join(self._errors).decode("utf-8", "replace").strip()
        return EngineError(f"the engine {how} while {when} ({self._name})", said or None)

    @property
    def _name(self) -> str:
        return " ".join([*self._command, "rpc"])

    def _read(self) -> None:
        """Takes messages in, on a thread of its own, so that waiting can be interrupted."""
        stdout = self._child.stdout
        assert stdout is not None
        try:
            while True:
                length = 0
                for line in iter(stdout.readline, b"\r\n"):
                    if not line:
                        return
                    name, colon, value = line.partition(b":")
                    if not colon:
                        self._stray = line
                        return
                    if name.lower() == b"content-length":
                        length = int(value)
                self._messages.put(json.loads(stdout.read(length)))
        except (OSError, ValueError):
            pass
        finally:
            self._messages.put(None)

    def _read_errors(self) -> None:
        stderr = self._child.stderr
        assert stderr is not None
        try:
            self._errors.extend(stderr)
        except (OSError, ValueError):
            pass


def _encoded(message: Dict[str, Any]) -> bytes:
    """
    :raises TypeError: for an argument that JSON cannot say, with its name
    :raises FlowError: for a number that it cannot say: `NaN`, or an infinity
    """
    try:
        return _json({"jsonrpc": "2.0", **message}).encode("ascii")
    except (TypeError, ValueError):
        for name, value in message["params"].items():
            try:
                _json(value)
            except TypeError as error:
                raise TypeError(f"`{name}`: {error}") from None
            except ValueError as error:
                said = f" must be a finite number, but it is {value}" if isinstance(value, float) else f": {error}"
                raise refused_argument(name, said) from None
        raise


def _json(value: Any) -> str:
    return json.dumps(value, default=_argument, allow_nan=False)


def _argument(value: Any) -> Any:
    """An argument of a run that JSON has no form for: seconds and paths have one."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a value of the type {type(value).__name__}, which JSON cannot say")


def _result(method: str, message: Mapping[str, Any]) -> Any:
    error = message.get("error")
    if error is None:
        return message["result"]
    data: Mapping[str, Any] = error.get("data") or {}
    if error["code"] == REFUSED and "diagnostics" in data:
        raise refused_flags(data)
    if error["code"] == INVALID_PARAMS:
        raise _refused_parameter(error["message"])
    said, hint = in_python(error["message"]), data.get("hint")
    hint = in_python(hint) if hint else None
    if error["code"] == REFUSED and method in _STOPPABLE:
        # Before the first request: a file of an argument is missing, or a ceiling is exceeded.
        raise FlowError(said, (), hint)
    raise EngineError(said, hint or data.get("stack"))


def _refused_parameter(message: str) -> FlowError:
    """What is wrong with the first parameter, by the name of its argument in place of a JSON Pointer."""
    found = re.match(r"/(\S+): `[^`]+`([^\n]*)", message)
    if found is None:
        return FlowError(message, ())
    name, *below = found[1].split("/")
    parts = (f"[{each}]" if each.isdigit() else f".{each}" for each in below)
    return refused_argument(f"{name}{''.join(parts)}", found[2])
