"""`Flow.execute()` and `Flow.run()` from a user's side."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import unittest
from typing import Any, List, Tuple
from unittest import mock

from bench_sdk import (
    Flow,
    FlowError,
    InputError,
    MissingBenchError,
    NeedsRunError,
    RunError,
    Target,
    bearer,
    from_header,
    from_status,
    pool,
    profile,
    throttle,
)

from .http_server import Server
from .repository import ROOT


def _echo(method: str, path: str, body: bytes) -> Tuple[int, Any]:
    if path == "/429":
        return 429, {}
    return 200, {"body": json.loads(body) if body else None, "path": path}


class Executing(unittest.TestCase):
    def test_a_row_at_a_time_in_file_order(self) -> None:
        flow = Flow("rows", data="rows.csv")
        flow.call("get", "GET /{{ user.id }}", assert_=["$.path != /b"])
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            with open(os.path.join(folder, "rows.csv"), "w", encoding="utf-8") as file:
                file.write("id\na\nb\nc\n")
            result = flow.execute(server.url, directory=folder)
            self.assertEqual([each.row for each in result.iterations], [0, 1, 2])
            self.assertEqual([each.passed for each in result.iterations], [True, False, True])
            self.assertIn("step `get` failed (row 1)", result.describe())
            self.assertIn("$.path != ", result.describe())
            self.assertTrue(flow.execute(server.url, directory=folder, row=2).passed)
            self.assertEqual(flow.rows(folder)[1], {"id": "b"})
            with self.assertRaises(FlowError):
                flow.execute(server.url, directory=folder, row=3)

    def test_a_second_pool_that_runs_dry_fails_cycles_or_ends_the_run(self) -> None:
        rows = (("fail", [True, False, False]), ("cycle", [True, True, True]), ("stop", [True]))
        for policy, passed in rows:
            pools = [pool("a", "a.csv"), pool("b", "b.csv", on_exhausted=policy)]
            flow = Flow("pools", pools=pools)
            flow.call("get", "GET /{{ a.id }}/{{ b.id }}")
            with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
                for name, text in (("a.csv", "id\n1\n2\n3\n"), ("b.csv", "id\nx\n")):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(text)
                result = flow.execute(server.url, directory=folder)
            self.assertEqual([each.passed for each in result.iterations], passed, policy)

    def test_capture_says_what_a_result_holds(self) -> None:
        for capture, held in (("full", (True, True)), ("headers", (True, False)), ("none", (False, False))):
            flow = Flow("captures")
            flow.call("a", "POST /a", body={"x": 1}, capture=capture)
            with Server(_echo) as server:
                [attempt] = flow.execute(server.url).iterations[0].steps[0].attempts
            for message in (attempt.request, attempt.response):
                has_body = message is not None and message.body is not None
                self.assertEqual((message is not None, has_body), held, capture)

    def test_secrets_stand_in_no_result(self) -> None:
        flow = Flow("secret", auth=bearer("{{ env.TOKEN }}"))
        flow.call("get", "POST /x", body={"t": "{{ env.TOKEN }}"}, assert_=["$.body.t == other"])
        with Server(_echo) as server:
            result = flow.execute(server.url, env={"TOKEN": "very-secret"})
        self.assertFalse(result.passed)
        self.assertNotIn("very-secret", repr(result))
        self.assertIn("[redacted]", result.describe())

    def test_a_host_off_the_list_is_refused_before_anything_is_sent(self) -> None:
        flow = Flow("hosts")
        flow.call("own", "GET /a")
        flow.call("other", "GET http://127.0.0.2:1/")
        with Server(_echo) as server:
            with self.assertRaises(FlowError) as caught:
                flow.execute(server.url)
            self.assertEqual(server.lines, [])
        self.assertEqual(caught.exception.code, "forbidden-host")

    def test_a_templated_host_is_refused_when_it_is_used(self) -> None:
        flow = Flow("hosts")
        flow.call("other", "GET {{ env.URL }}/x")
        with Server(_echo) as server:
            result = flow.execute(server.url, env={"URL": "http://127.0.0.2:1"})
        failure = result.iterations[0].step("other").failure
        assert failure is not None
        self.assertEqual(failure.code, "forbidden-host")

    def test_throttles_fail_unless_the_step_says_otherwise(self) -> None:
        for as_error, failed in ((None, True), (False, False)):
            flow = Flow("throttled")
            flow.call("a", "GET /429", throttle=throttle(as_error=as_error))
            with Server(_echo) as server:
                [iteration] = flow.execute(server.url).iterations
            self.assertEqual((iteration.failed, iteration.throttled), (failed, True))

    def test_header_and_status_can_be_extracted(self) -> None:
        flow = Flow("extracts")
        flow.call("a", "GET /a", extract={"n": from_header("content-length"), "s": from_status()})
        flow.call("b", "GET /{{ n }}/{{ s }}")
        with Server(_echo) as server:
            self.assertTrue(flow.execute(server.url).passed)
            self.assertRegex(server.lines[1], r"^GET /\d+/200$")

    def test_what_only_bench_can_do_is_said(self) -> None:
        ws = Flow("ws")
        ws.ws("open", url="/socket")
        load = Flow("load", profile=profile("load", iterations=1))
        load.call("a", "GET /")
        for flow in (ws, load):
            with self.assertRaises(NeedsRunError) as caught:
                flow.execute("http://127.0.0.1:1")
            self.assertIn("run()", caught.exception.hint or "")

    def test_a_missing_variable_or_fixture_is_found_first(self) -> None:
        flow = Flow("missing", data="nothing.csv")
        flow.call("a", "GET /{{ env.NOT_SET }}")
        with self.assertRaises(FlowError) as caught:
            flow.execute("http://127.0.0.1:1", env={})
        self.assertEqual(caught.exception.code, "missing-env")
        with self.assertRaises(InputError) as missing:
            flow.execute("http://127.0.0.1:1", env={"NOT_SET": "1"})
        self.assertEqual(missing.exception.code, "unreadable-fixture")


class Running(unittest.TestCase):
    def _flow(self) -> Flow:
        flow = Flow("run")
        flow.call("a", "GET /")
        return flow

    def test_a_missing_binary_is_said_with_the_way_to_get_it(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            os.environ.pop("BENCH", None)
            with self.assertRaises(MissingBenchError) as caught:
                self._flow().run("staging")
        self.assertIn("$BENCH is not set", caught.exception.message)
        self.assertIn("(/nowhere)", caught.exception.message)
        self.assertIn("PATH", caught.exception.hint or "")
        rows = (
            ({"BENCH": "/gone/bench --x"}, None, "cannot start `/gone/bench` (from $BENCH): "),
            ({"BENCH": "'bench"}, None, "$BENCH cannot be read as a command"),
            ({}, "/gone/too run", "cannot start `/gone/too` (`bench=`): "),
            ({}, ["/gone/too"], "cannot start `/gone/too` (`bench=`): "),
        )
        for env, bench, message in rows:
            with self.subTest(message), mock.patch.dict(os.environ, env):
                with self.assertRaises(MissingBenchError) as caught:
                    self._flow().run("staging", bench=bench)
                self.assertIn(message, caught.exception.message)

    def test_a_target_may_be_given_in_four_ways(self) -> None:
        code = (
            "import json, sys; sys.stdin.read(); at = sys.argv[sys.argv.index('--target') + 1]; "
            "text = open(at).read() if at.startswith('/') else at; "
            "print(json.dumps({'id': text, 'status': 'finished', 'verdict': 'pass'}))"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write("from a file")
            rows = (
                ("staging", "staging"),
                (os.path.relpath(path), "from a file"),
                ("http://127.0.0.1:1", "http://127.0.0.1:1"),
                (Target("t", ["http://a:1"]), "http://a:1"),
            )
            for target, text in rows:
                with self.subTest(text):
                    bench = [sys.executable, "-c", code]
                    result = self._flow().run(target, bench=bench, directory=folder)
                    self.assertIn(text, result.id)

    def test_the_result_is_the_meta_json_of_the_run(self) -> None:
        meta = {"id": "r", "status": "finished", "verdict": "fail", "requests": 3, "error_rate": 0.5}
        code = f"import sys; sys.stdin.read(); print({json.dumps(meta)!r}); sys.exit(1)"
        result = self._flow().run("staging", bench=[sys.executable, "-c", code])
        self.assertEqual((result.passed, result.requests, result.exit_code), (False, 3, 1))
        self.assertEqual(result.meta, meta)

    def test_a_refused_flow_raises_what_bench_says(self) -> None:
        code = "import sys; sys.stdin.read(); sys.stderr.write('flow: error: no\\n'); sys.exit(2)"
        with self.assertRaises(RunError) as caught:
            self._flow().run(Target("t", ["http://a"]), bench=[sys.executable, "-c", code])
        self.assertEqual((caught.exception.exit_code, str(caught.exception)), (2, "flow: error: no"))


class TheExample(unittest.TestCase):
    def test_it_has_one_test_a_row_and_says_what_failed(self) -> None:
        path = os.path.join(ROOT, "examples", "python", "test_shop.py")
        spec = importlib.util.spec_from_file_location("example_shop", path)
        assert spec and spec.loader
        example = importlib.util.module_from_spec(spec)
        before: List[str] = list(sys.path)
        try:
            spec.loader.exec_module(example)
        finally:
            sys.path[:] = before

        def shop(method: str, path: str, body: bytes) -> Tuple[int, Any]:
            if path == "/login":
                good = json.loads(body)["user"] != "grace"
                return (200, {"token": "abc"}) if good else (401, {"error": "who?"})
            return 200, {"count": 1}

        self.assertEqual(example.row_names(), ["ada", "grace", "katherine"])
        suite = example.load_tests(None, unittest.TestSuite(), None)
        self.assertEqual(suite.countTestCases(), 3)
        with Server(shop) as server:
            example.check_row(0, server.url)
            with self.assertRaises(AssertionError) as caught:
                example.check_row(1, server.url)
        self.assertIn("status == 200 does not hold: status is the integer 401", str(caught.exception))
