"""The engine: how it is found, how it lives, and how it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, List, Tuple
from unittest import mock

from bench_sdk import EngineError, Flow, FlowError, Progress, profile
from bench_sdk.engine import Engine, engine_for, find_engine

from .http_server import Server

SDK = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _answer(method: str, path: str, body: bytes) -> Tuple[int, Any]:
    return 200, {}


def _flow(**options: Any) -> Flow:
    flow = Flow("life", **options)
    flow.call("a", "GET /")
    return flow


def _child_of_engine(engine: Engine) -> Any:
    process = engine._process
    assert process is not None
    return process._child


class Finding(unittest.TestCase):
    def test_the_order_is_argument_variable_package_path_and_checkout(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            bench = _program(folder, "bench", "exit 1")
            deno = _program(folder, "deno", "exit 1")
            with mock.patch.dict(os.environ, {"PATH": folder}):
                os.environ.pop("BENCH_BIN", None)
                self.assertEqual(find_engine("/x/bench"), ("/x/bench",))
                self.assertEqual(find_engine(["a", "b"]), ("a", "b"))
                self.assertEqual(find_engine(), (bench,))
                with mock.patch.dict(os.environ, {"BENCH_BIN": "/named"}):
                    self.assertEqual(find_engine(), ("/named",))
                with mock.patch("bench_sdk.engine.HERE", folder):
                    os.mkdir(os.path.join(folder, "bin"))
                    carried = _program(os.path.join(folder, "bin"), "bench", "exit 1")
                    self.assertEqual(find_engine(), (carried,))
                os.remove(bench)
                self.assertEqual(find_engine()[0], deno)
                self.assertTrue(find_engine()[-1].endswith("main.ts"))
                os.rename(deno, os.path.join(folder, "npx"))
                self.assertEqual(find_engine()[1:3], ("-y", "deno@2.9.6"))
                os.remove(os.path.join(folder, "npx"))
                with self.assertRaises(EngineError) as caught:
                    find_engine()
        self.assertIn("BENCH_BIN is not set", caught.exception.message)
        self.assertIn("PATH", caught.exception.hint or "")

    def test_an_engine_without_words_is_refused(self) -> None:
        for engine in ([], "", [""]):
            with self.assertRaisesRegex(EngineError, "`engine` names no program"):
                find_engine(engine)

    def test_a_program_that_is_none_is_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = (
                ("/nowhere/bench", "cannot start the engine /nowhere/bench: No such file"),
                (_program(folder, "quits", "echo no such command >&2; exit 7"), "ended with exit code 7"),
                (_program(folder, "greets", "echo Welcome; cat >&2"), "is no engine: it wrote 'Welcome'"),
                (_program(folder, "closes", "exec >&-; read x; exit 0"), "ended|closed"),
            )
            for command, message in rows:
                with self.subTest(command), self.assertRaisesRegex(EngineError, message):
                    _flow().to_json(engine=command)
            with self.assertRaisesRegex(EngineError, "no such command"):
                _flow().to_json(engine=rows[1][0])

    def test_a_program_that_bench_bin_names_and_is_none_is_said_to_be_named_there(self) -> None:
        with mock.patch.dict(os.environ, BENCH_BIN="/nowhere/bench"):
            with self.assertRaises(EngineError) as caught:
                _flow().to_json()
        self.assertIn("BENCH_BIN names it", caught.exception.hint or "")

    def test_deno_looks_for_no_newer_version_of_itself(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            program = _program(folder, "asks", 'echo "$DENO_NO_UPDATE_CHECK" >&2; exit 1')
            with mock.patch.dict(os.environ):
                os.environ.pop("DENO_NO_UPDATE_CHECK", None)
                with self.assertRaisesRegex(EngineError, r"\n  = 1$"):
                    _flow().to_json(engine=program)

    def test_an_engine_of_another_protocol_is_said(self) -> None:
        answer = '{"jsonrpc":"2.0","id":1,"result":{"protocol":2,"version":"9.0.0"}}'
        with tempfile.TemporaryDirectory() as folder:
            line = f"printf 'Content-Length: {len(answer)}\\r\\n\\r\\n%s' '{answer}'; read x"
            with self.assertRaisesRegex(EngineError, "bench 9.0.0 speaks protocol 2"):
                _flow().to_json(engine=_program(folder, "newer", line))


class Living(unittest.TestCase):
    def test_one_process_serves_every_request(self) -> None:
        _flow().to_json()
        first = _child_of_engine(engine_for()).pid
        with self.assertRaises(FlowError):
            Flow("empty").to_json()
        _flow().execute("http://127.0.0.1:1")
        self.assertEqual(_child_of_engine(engine_for()).pid, first)

    def test_threads_take_turns(self) -> None:
        results: List[bytes] = []
        threads = [threading.Thread(target=lambda: results.append(_flow().to_json())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(results)), 1)
        self.assertEqual(len(results), 4)

    def test_a_callback_that_raises_ends_the_run_and_is_the_error(self) -> None:
        def stop(progress: Progress) -> None:
            raise KeyError("enough")

        with Server(_answer) as server:
            started = time.monotonic()
            with self.assertRaisesRegex(KeyError, "enough"):
                _flow(profile=profile("load", hold="60s")).execute(server.url, on_progress=stop, workers=1)
            self.assertLess(time.monotonic() - started, 30)
            self.assertTrue(_flow().execute(server.url).passed)

    def test_a_callback_cannot_ask_the_engine(self) -> None:
        def ask(_: Any) -> None:
            _flow().to_json()

        with Server(_answer) as server, self.assertRaisesRegex(EngineError, "callback"):
            _flow().execute(server.url, on_iteration=ask)


@unittest.skipIf(sys.platform == "win32", "signals of POSIX")
class Dying(unittest.TestCase):
    def test_an_engine_that_is_killed_in_a_run_is_an_error_and_the_next_one_starts_anew(self) -> None:
        with Server(_answer) as server:
            def kill(_: Progress) -> None:
                os.kill(_child_of_engine(engine_for()).pid, signal.SIGKILL)

            started = time.monotonic()
            with self.assertRaisesRegex(EngineError, "was killed by signal 9 while `run` was under way"):
                _flow(profile=profile("load", hold="60s")).execute(server.url, on_progress=kill, workers=1)
            self.assertLess(time.monotonic() - started, 30)
            self.assertTrue(_flow().execute(server.url).passed)

    def test_the_error_of_a_callback_is_the_news_though_the_engine_is_gone(self) -> None:
        def end(_: Any) -> None:
            child = _child_of_engine(engine_for())
            child.kill()
            child.wait()
            raise KeyError("enough")

        with Server(_answer) as server:
            with self.assertRaisesRegex(KeyError, "enough"):
                _flow().execute(server.url, on_iteration=end)
            self.assertTrue(_flow().execute(server.url).passed)

    def test_an_engine_that_was_killed_meanwhile_starts_anew(self) -> None:
        _flow().to_json()
        child = _child_of_engine(engine_for())
        child.kill()
        child.wait()
        self.assertTrue(_flow().to_json())

    def test_no_engine_outlives_its_python(self) -> None:
        program = (
            "from bench_sdk import Flow, profile\n"
            "from bench_sdk.engine import engine_for\n"
            "import os, signal, sys\n"
            "flow = Flow('f', profile=profile('load', hold='60s'))\n"
            "flow.call('a', 'GET /')\n"
            "def seen(_):\n"
            "    print(engine_for()._process._child.pid, flush=True)\n"
            "    os.kill(os.getpid(), int(sys.argv[2])) if sys.argv[2] != '0' else sys.exit(0)\n"
            "flow.run(sys.argv[1], store=sys.argv[3], on_progress=seen, workers=1)\n"
        )
        for how in ("9", "15", "0"):
            with self.subTest(how), Server(_answer) as server, tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [sys.executable, "-c", program, server.url, how, folder],
                    env={**os.environ, "PYTHONPATH": SDK},
                    stdout=subprocess.PIPE,
                    check=False,
                )
                pid = int(done.stdout.split()[0])
                self.assertTrue(_gone(pid), f"engine {pid} goes on")
                [run] = os.listdir(folder)
                with open(os.path.join(folder, run, "meta.json"), encoding="utf-8") as file:
                    self.assertIn('"status": "interrupted"', file.read())

    def test_ctrl_c_ends_a_run_with_its_results(self) -> None:
        program = (
            "from bench_sdk import Flow, profile\n"
            "import os, signal, sys\n"
            "flow = Flow('f', profile=profile('load', hold='60s'))\n"
            "flow.call('a', 'GET /')\n"
            "def seen(_): os.killpg(0, signal.SIGINT)\n"
            "result = flow.execute(sys.argv[1], on_progress=seen, workers=1)\n"
            "print(result.status, result.interrupted, result.passed, result.totals.completed > 0)\n"
            "print(flow.execute(sys.argv[1], mode='system').passed)\n"
        )
        with Server(_answer) as server:
            done = subprocess.run(
                [sys.executable, "-c", program, server.url],
                env={**os.environ, "PYTHONPATH": SDK},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                check=False,
            )
        self.assertEqual(done.stdout.decode(), "interrupted True False True\nTrue\n", done.stderr)

    def test_ctrl_c_ends_a_replay_before_the_next_request(self) -> None:
        program = (
            "from bench_sdk import Flow, replay\n"
            "import os, sys\n"
            "flow = Flow('f')\n"
            "flow.call('a', 'GET /')\n"
            "result = flow.run(sys.argv[1], store=sys.argv[2])\n"
            "try: replay(result, target=sys.argv[1])\n"
            "except KeyboardInterrupt: print(flow.execute(sys.argv[1]).passed)\n"
        )
        over = threading.Event()
        requests: List[str] = []

        def answer(method: str, path: str, body: bytes) -> Tuple[int, Any]:
            requests.append(path)
            if len(requests) == 2:
                running.send_signal(signal.SIGINT)
                over.wait(60)
            return 200, {}

        with Server(answer) as server, tempfile.TemporaryDirectory() as folder:
            running = subprocess.Popen(
                [sys.executable, "-c", program, server.url, folder],
                env={**os.environ, "PYTHONPATH": SDK},
                stdout=subprocess.PIPE,
            )
            try:
                # Less than a request may take.
                self.assertEqual(running.communicate(timeout=25)[0].decode(), "True\n")
            finally:
                over.set()
                running.kill()
                running.communicate()

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_a_forked_child_has_an_engine_of_its_own(self) -> None:
        program = (
            "import os, sys\n"
            "from bench_sdk import Flow\n"
            "flow = Flow('f')\n"
            "flow.call('a', 'GET /')\n"
            "flow.to_json()\n"
            "child = os.fork()\n"
            "print(len(flow.to_json()), flush=True)\n"
            "if child: os.waitpid(child, 0)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": SDK},
            stdout=subprocess.PIPE,
            timeout=60,
            check=True,
        )
        self.assertEqual(len(set(done.stdout.split())), 1)
        self.assertEqual(len(done.stdout.split()), 2)


def _gone(pid: int) -> bool:
    """Whether a process ends within some seconds."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def _program(folder: str, name: str, body: str) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{body}\n")
    os.chmod(path, 0o755)
    return path
