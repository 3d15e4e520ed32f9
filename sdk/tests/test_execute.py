"""`Flow.execute()` and `Flow.run()`: every kind of step and every mode, by the engine."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
import warnings
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any, Callable, List, Tuple

from bench_sdk import (
    BenchWarning,
    Flow,
    FlowError,
    Iteration,
    Mix,
    Progress,
    RunFailure,
    Target,
    bearer,
    between,
    draw,
    from_header,
    from_status,
    literal,
    pool,
    profile,
    ramp,
    retry,
    stage,
    throttle,
)

from .http_server import Server
from .repository import ROOT, demo_server


def _echo(method: str, path: str, body: bytes) -> Tuple[int, Any]:
    if path == "/429":
        return 429, {}
    return 200, {"body": json.loads(body) if body else None, "path": path}


class Contract(unittest.TestCase):
    def test_responses_are_held_against_a_description(self) -> None:
        responses = {"200": {"content": {"application/json": {"schema": {"required": ["name"]}}}}}
        description = {"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": responses}}}}
        flow = Flow("contract")
        flow.call("a", "GET /a")
        with Server(_echo) as server, tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "api.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(description, file)
            failed = flow.execute(server.url, openapi=path)
            self.assertFalse(failed.passed)
            self.assertIn("GET /a 200: the body has no `Content-Type`", failed.summary)
            self.assertTrue(flow.execute(server.url, openapi=path, contract="warn").passed)

    def test_a_file_of_an_argument_that_is_missing_is_an_argument_that_is_refused(self) -> None:
        flow = Flow("missing")
        flow.call("a", "GET /a")
        with Server(_echo) as server:
            with self.assertRaisesRegex(FlowError, "missing.json") as caught:
                flow.execute(server.url, openapi="missing.json")
            error = caught.exception
            self.assertIsInstance(error, ValueError)
            self.assertEqual(error.diagnostics, ())


class Once(unittest.TestCase):
    def test_setup_and_teardown_are_carried_out_once(self) -> None:
        flow = Flow("once", profile=profile("load", vus=2, iterations=6))
        flow.setup.call("login", "POST /a", body={"code": "t-value"}, extract={"token": "$.body.code"})
        flow.call("get", "GET /b", auth=bearer("{{ token }}"))
        flow.teardown.call("logout", "POST /c")
        with Server(_echo) as server:
            result = flow.execute(server.url)
            self.assertTrue(result.passed)
            self.assertEqual(server.lines, ["POST /a", *["GET /b"] * 6, "POST /c"])
            self.assertEqual(result.totals.completed, 6)
            assert result.setup and result.teardown
            self.assertEqual([(each.id, each.outcome) for each in result.setup.steps], [("login", "passed")])
            self.assertEqual((result.teardown.outcome, result.teardown.requests), ("passed", 1))
            flow.setup.call("fails", "GET /429")
            failed = flow.execute(server.url)
            self.assertEqual((failed.exit_code, failed.status, failed.totals.started), (1, "aborted", 0))
            assert failed.setup
            self.assertEqual([each.step for each in failed.setup.failures], ["fails"])
            self.assertIn("step `fails` throttled", failed.describe())


class OfAMix(unittest.TestCase):
    def test_each_flow_has_its_figures(self) -> None:
        browse, buy = Flow("browse"), Flow("buy")
        browse.call("look", "GET /a")
        buy.call("pay", "POST /429")
        mix = Mix("evening", profile=profile("load", vus=2, iterations=10)).add(browse, 70).add(buy, 30)
        with Server(_echo) as server:
            result = mix.execute(server.url)
            shown = [(each.name, each.weight, each.iterations["completed"]) for each in result.flows]
            self.assertEqual(shown, [("browse", 70, 7), ("buy", 30, 3)])
            self.assertEqual([each.throttle_rate for each in result.flows], [0, 1])


class Rows(unittest.TestCase):
    def test_a_row_at_a_time_in_file_order(self) -> None:
        flow = Flow("rows", data="rows.csv")
        flow.call("get", "GET /{{ user.id }}", assert_=["$.path != /b"])
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            _write(folder, "rows.csv", "id\na\nb\nc\n")
            seen: List[Iteration] = []
            result = flow.execute(server.url, directory=folder, on_iteration=seen.append)
            self.assertEqual([each.row for each in result.iterations], [0, 1, 2])
            self.assertEqual([each.passed for each in result.iterations], [True, False, True])
            self.assertEqual(tuple(seen), result.iterations)
            self.assertFalse(result.passed)
            self.assertEqual(result.totals, (3, 3, 2, 1, 0, 3))
            self.assertIn("step `get` failed (row 2)", result.describe())
            self.assertIn("$.path != ", result.describe())
            self.assertEqual(flow.rows(folder)[1], {"id": "b"})
            server.lines.clear()
            [alone] = flow.execute(server.url, directory=folder, row=2).iterations
            self.assertEqual((alone.row, alone.passed, server.lines), (2, True, ["GET /c"]))
            with self.assertRaises(FlowError) as caught:
                flow.execute(server.url, directory=folder, row=3)
            self.assertEqual(caught.exception.code, "no-row")

    def test_values_are_drawn_for_each_row_and_shown(self) -> None:
        values = {"order": draw.uuid(), "n": draw.counter(), "price": draw.decimal("0.50", "0.50")}
        flow = Flow("drawn", data="rows.csv", values=values)
        body = {"id": "{{ order }}", "text": literal("{{ x }} ") + "{{ n }}", "price": "{{ price }}"}
        flow.call("post", "POST /", body=body, assert_=["$.body.id == {{ order }}"])
        flow.wait("think", between("1ms", "2ms"))
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            _write(folder, "rows.csv", "id\na\nb\nc\n")
            result = flow.execute(server.url, directory=folder)
            self.assertTrue(result.passed, result.describe())
            drawn = [each.values for each in result.iterations]
            self.assertEqual([each["n"] for each in drawn], ["1", "2", "3"])
            self.assertEqual({each["price"] for each in drawn}, {"0.50"})
            sent = [each.step("post").response.json()["body"] for each in result.iterations]
            self.assertEqual([each["id"] for each in sent], [each["order"] for each in drawn])
            self.assertEqual(sent[2]["text"], "{{ x }} 3")
            [alone] = flow.execute(server.url, directory=folder, row=2).iterations
            self.assertEqual(alone.values, drawn[2])

    def test_a_second_pool_that_runs_dry_fails_cycles_or_ends_the_run(self) -> None:
        rows = (("fail", [True, False, False]), ("cycle", [True, True, True]), ("stop", [True]))
        for policy, passed in rows:
            pools = [pool("a", "a.csv"), pool("b", "b.csv", on_exhausted=policy)]
            flow = Flow("pools", pools=pools)
            flow.call("get", "GET /{{ a.id }}/{{ b.id }}")
            with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
                _write(folder, "a.csv", "id\n1\n2\n3\n")
                _write(folder, "b.csv", "id\nx\n")
                result = flow.execute(server.url, directory=folder)
            self.assertEqual([each.passed for each in result.iterations], passed, policy)


class Results(unittest.TestCase):
    def test_a_failing_assertion_is_at_its_line_of_this_file(self) -> None:
        flow = Flow("fails")
        flow.call("a", "GET /a", assert_=["status == 201"])
        with Server(_echo) as server:
            result = flow.execute(server.url)
        with self.assertRaises(RunFailure) as caught:
            result.raise_for_failure()
        self.assertIsInstance(caught.exception, AssertionError)
        self.assertIs(caught.exception.result, result)
        failure = result.iterations[0].step("a").failure
        assert failure is not None and failure.file is not None
        self.assertEqual(os.path.basename(failure.file), "test_execute.py")
        with open(__file__, encoding="utf-8") as file:
            line = file.read().split("\n")[(failure.line or 0) - 1]
        self.assertIn('assert_=["status == 201"]', line)
        self.assertEqual(str(failure.actual), "integer <200>")
        self.assertIn(f"{failure.location}: assertion: status == 201 does not hold", str(caught.exception))
        self.assertEqual(result.failures[0].failure.line, failure.line)
        self.assertIn("✗ FAIL", result.summary)

    def test_a_failure_shows_what_was_sent_and_what_came_back(self) -> None:
        flow = Flow("sent")
        flow.call("a", "POST /a", body={"item": "lamp"}, assert_=["status == 201"], on_failure="record")
        flow.call("b", "POST /b", file="b.bin", assert_=["status == 201"])
        with tempfile.TemporaryDirectory() as folder, Server(lambda *_: (200, {"id": 7})) as server:
            with open(os.path.join(folder, "b.bin"), "wb") as file:
                file.write(b"\xff\x00\xfe")
            said = flow.execute(server.url, directory=folder).describe()
        self.assertIn('\n  POST /a HTTP/1.1\n  {"item":"lamp"}\n  HTTP/1.1 200 OK\n  {"id": 7}', said)
        self.assertIn("\n  POST /b HTTP/1.1\n  (3 bytes)\n  HTTP/1.1 200 OK\n", said)

    def test_a_threshold_shows_the_unit_of_its_metric_whatever_its_step_is_called(self) -> None:
        judged = ["error_rate < 1%", "bytes_per_second > 1kB", "login_rate: max(latency) < 1us"]
        flow = Flow("rates", profile=profile("load", iterations=4, thresholds=judged))
        flow.call("login_rate", "GET /a", assert_=["status == 201"])
        with Server(_echo) as server:
            rate, volume, latency = flow.execute(server.url, workers=1).thresholds
        self.assertEqual(rate.shown, "100%")
        self.assertRegex(volume.shown, r"^[\d.e+]+ kB/s$")
        self.assertRegex(latency.shown, r"^[\d.]+ms$")

    def test_a_failure_under_load_is_shown_with_its_exchange_and_no_trace_that_is_not_stored(self) -> None:
        flow = Flow("shown", profile=profile("load", iterations=4, thresholds=["error_rate < 1%"]))
        flow.call("a", "GET /a", assert_=["status == 201"])
        with Server(_echo) as server, tempfile.TemporaryDirectory() as folder:
            held = flow.execute(server.url, workers=1).summary
            stored = flow.run(server.url, workers=1, store=folder).summary
        for each in (held, stored):
            self.assertRegex(each, r"> GET /a HTTP/1\.1\n +> HTTP/1\.1 200 OK\n")
        self.assertNotIn("such as trace", held)
        self.assertIn("such as trace", stored)

    def test_a_failed_check_that_is_not_stored_is_shown_with_its_exchange(self) -> None:
        flow = Flow("shown")
        flow.call("a", "GET /a", assert_=["status == 201"])
        with Server(_echo) as server:
            result = flow.execute(server.url)
        [failure] = result.failures
        self.assertIsNotNone(failure.exchange)
        self.assertRegex(result.summary, r"> GET /a HTTP/1\.1\n +> HTTP/1\.1 200 OK\n")

    def test_what_did_not_pass_has_the_exchange_of_setup_and_what_broke_the_contract(self) -> None:
        described = '{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"responses":{"201":{"description":"d"}}}}}}'
        load = profile("load", iterations=3)
        flow = Flow("contracted", profile=load)
        flow.call("a", "GET /a")
        broken = Flow("broken", profile=load)
        broken.setup.call("first", "GET /a", assert_=["status == 201"])
        broken.call("a", "GET /a")
        with Server(_echo) as server, tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "api.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(described)
            contracted = flow.execute(server.url, openapi=path, workers=1)
            failed = broken.execute(server.url, workers=1)
        self.assertFalse(contracted.passed)
        self.assertEqual(contracted.describe(), "GET /a 200: status 200 is not described (3 responses)")
        self.assertRegex(failed.describe(), r"^step `first` failed\n.*\n.*\n.*\n  GET /a HTTP/1\.1\n  HTTP/1\.1 200 OK\n")

    def test_an_option_that_is_misspelt_is_named_with_the_one_that_is_meant(self) -> None:
        flow = Flow("misspelt", profile=profile("load", vus=1, hold="1s"))
        flow.call("a", "GET /")
        with self.assertRaisesRegex(TypeError, r"run\(\) got an unexpected .* 'iteration'\. Did you mean 'iterations'\?"):
            flow.run("http://127.0.0.1:1", iteration=4)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"execute\(\) .*'iterations'\?"):
            flow.execute("http://127.0.0.1:1", iteration=4)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"capacity\(\) .*'thresholds'\?"):
            flow.capacity("http://127.0.0.1:1", threshold=4)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"duel\(\) got an unexpected"):
            flow.duel("http://127.0.0.1:1", "http://127.0.0.1:1", duration=4)  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"Target.* .*'max_vus'\?"):
            Target("demo", ["http://127.0.0.1:1"], max_vu=4)  # type: ignore[call-arg]
        with self.assertRaisesRegex(FlowError, "`flow`: expected a `Flow`, got str"):
            Mix("evening").add("browse", 1)  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, r"between\(\) .*'least'\?"):
            between(lest="1s", most="2s")  # type: ignore[call-arg]
        with self.assertRaisesRegex(TypeError, r"choice\(\) .*'choice'\?"):
            draw.choice(choices=[1, 2])  # type: ignore[call-arg]

    def test_every_duration_may_be_a_timedelta(self) -> None:
        users = ramp(1, 2, timedelta(milliseconds=20), hold=timedelta(milliseconds=5))
        flow = Flow("timed", profile=profile("load", vus=users))
        flow.wait("pause", between(timedelta(milliseconds=1), timedelta(milliseconds=2)))
        ir = flow.to_ir()
        self.assertEqual(ir["profile"]["vus"]["over_us"], 20_000)
        self.assertEqual(ir["steps"][0]["block"]["duration_us"], {"from_us": 1_000, "to_us": 2_000})

    def test_seconds_of_a_run_may_be_a_timedelta(self) -> None:
        flow = Flow("timed", profile=profile("load", vus=1))
        flow.call("a", "GET /")
        with Server(_echo) as server:
            results = flow.execute(server.url, iterations=1, hold_s=timedelta(milliseconds=1_500))
        self.assertTrue(results.passed)

    def test_every_path_of_a_flow_may_be_a_path_object(self) -> None:
        def made(path: Callable[[str], Any]) -> bytes:
            flow = Flow("paths", data=path("users.csv"), pools=[pool("other", path("other.csv"))])
            flow.call("file", "POST /", file=path("a.bin"))
            flow.call("part", "POST /", multipart={"a": [{"file": path("a.bin")}, "b"]})
            flow.grpc("rpc", "a.B/C", proto=path("api/a.proto"), import_paths=[path("api")])
            return flow.to_json()

        self.assertEqual(made(PurePosixPath), made(str))
        with self.assertRaisesRegex(TypeError, "`body.file` is of the type PurePosixPath"):
            Flow("no_path").call("a", "POST /", body={"file": PurePosixPath("a.bin")})

    def test_responses_have_status_headers_and_the_whole_body(self) -> None:
        long = "x" * 200_000
        flow = Flow("bodies")
        flow.call("a", "POST /a?q=1", body={"long": long, "é": 1}, headers={"X-A": "b"})
        with Server(_echo) as server:
            step = flow.execute(server.url).raise_for_failure().iterations[0].step("a")
        assert step.response and step.request
        self.assertEqual((step.response.status, step.attempts[0].status), (200, 200))
        self.assertEqual(step.response.header("CONTENT-LENGTH"), str(len(step.response.content)))
        self.assertEqual(step.response.json()["body"], {"long": long, "é": 1})
        self.assertEqual(step.request.line, "POST /a?q=1 HTTP/1.1")
        self.assertEqual(step.request.header("x-a"), "b")
        self.assertGreater(step.attempts[0].latency_ms or 0, 0)
        self.assertIn("ttfb", step.attempts[0].exchanges[0].phases)
        with self.assertRaises(KeyError):
            flow.execute("http://127.0.0.1:1").iterations[0].step("b")

    def test_a_latency_is_none_without_a_sample(self) -> None:
        flow = Flow("throttled", profile=profile("load", iterations=2, thresholds=["p95(latency) < 1s"]))
        flow.call("a", "GET /429")
        with Server(_echo) as server:
            result = flow.execute(server.url, workers=1)
        self.assertEqual((result.totals.throttled, result.steps[0].throttled), (2, 2))
        self.assertEqual((result.latency["p95"], result.steps[0].latency["p50"]), (None, None))
        self.assertEqual(result.describe().split("\n")[-1], "threshold p95(latency) < 1s was breached: no sample")

    def test_a_body_that_is_not_all_there_says_so(self) -> None:
        with Server(lambda *_: (200, "x" * (16 << 20))) as server:
            flow = Flow("large")
            flow.call("a", "GET /", capture="full")
            response = flow.execute(server.url).iterations[0].step("a").response
        assert response
        self.assertEqual((response.content, response.truncated), (b"", True))

    def test_the_version_of_http_can_be_chosen(self) -> None:
        flow = Flow("version")
        flow.call("a", "GET /")
        with Server(_echo) as server:
            self.assertTrue(flow.execute(server.url, http="1.1").passed)
            second = flow.execute(server.url, http="2").iterations[0].step("a")
        self.assertEqual((second.outcome, server.lines[1:]), ("failed", []))

    def test_hosts_are_resolved_as_said(self) -> None:
        flow = Flow("route")
        flow.call("a", "GET /")
        with Server(_echo) as server:
            port = server.url.rpartition(":")[2]
            target = f"http://shop.invalid:{port}"
            result = flow.execute(target, resolve=[f"shop.invalid:{port}:127.0.0.1"]).raise_for_failure()
        self.assertIn("shop.invalid", result.notes[0])
        with self.assertRaises(FlowError) as caught:
            flow.execute(target, proxy="ftp://127.0.0.1")
        self.assertIn("proxy", str(caught.exception))

    def test_every_try_of_a_step_is_an_attempt(self) -> None:
        answers = [(503, {}), (503, {}), (200, {})]
        flow = Flow("tries")
        flow.call("a", "GET /", retry=retry([503], "fixed", 3, base_delay="1ms"))
        with Server(lambda *_: answers.pop(0)) as server:
            step = flow.execute(server.url).iterations[0].step("a")
        self.assertEqual([each.status for each in step.attempts], [503, 503, 200])
        self.assertEqual([each.outcome for each in step.attempts], ["failed", "failed", "passed"])
        self.assertEqual([each.backoff_ms is not None for each in step.attempts], [True, True, False])

    def test_the_conditions_of_a_poll_are_checks_of_its_rounds_and_of_its_step(self) -> None:
        answers = [(503, {"done": False}), (200, {"done": False}), (200, {"done": True, "id": 7})]
        flow = Flow("polls")
        flow.poll(
            "a",
            "GET /",
            until=["status == 200", "$.done == true"],
            interval="1ms",
            max_attempts=3,
            extract={"id": "$.id"},
        )
        with Server(lambda *_: answers.pop(0)) as server:
            step = flow.execute(server.url).raise_for_failure().iterations[0].step("a")
        held = [[check.failure is None for check in each.checks] for each in step.attempts]
        self.assertEqual(held, [[False, False], [True, False], [True, True]])
        self.assertEqual([each.outcome for each in step.attempts], ["failed", "passed", "passed"])
        names = [(each.kind, each.name) for each in step.checks]
        self.assertEqual(names, [("until", "0"), ("until", "1"), ("extract", "id")])
        assert step.response
        self.assertEqual(step.response.json()["id"], 7)

    def test_a_poll_of_one_round_that_gave_up_says_why_once(self) -> None:
        flow = Flow("polls")
        flow.poll("a", "GET /", until=["$.done == true"], interval="1ms", max_attempts=1)
        with Server(lambda *_: (200, {"done": False})) as server:
            step = flow.execute(server.url).iterations[0].step("a")
        self.assertEqual(len(step.attempts), 1)
        self.assertEqual([len(step.checks), len(step.failures)], [1, 1])
        self.assertIn("gave up after 1 round: $.done == true", step.failures[0].message)

    def test_a_dead_target_fails_a_load_run(self) -> None:
        flow = Flow("dead", profile=profile("load", iterations=2))
        flow.call("a", "GET /")
        result = flow.execute("http://127.0.0.1:1", workers=1)
        self.assertIsNone(result.latency["p95"])
        with self.assertRaises(RunFailure) as caught:
            result.raise_for_failure()
        self.assertIn("Cannot connect to", str(caught.exception))

    def test_header_and_status_can_be_extracted(self) -> None:
        flow = Flow("extracts")
        flow.call("a", "GET /a", extract={"n": from_header("content-length"), "s": from_status()})
        flow.call("b", "GET /{{ n }}/{{ s }}", capture="none")
        with Server(_echo) as server:
            result = flow.execute(server.url)
            self.assertTrue(result.passed)
            self.assertRegex(server.lines[1], r"^GET /\d+/200$")
        self.assertEqual([each.name for each in result.iterations[0].step("a").checks], ["n", "s"])
        self.assertIsNone(result.iterations[0].step("b").response)

    def test_throttles_fail_unless_the_step_says_otherwise(self) -> None:
        for as_error, failed in ((None, True), (False, False)):
            flow = Flow("throttled")
            flow.call("a", "GET /429", throttle=throttle(as_error=as_error))
            with Server(_echo) as server:
                [iteration] = flow.execute(server.url).iterations
            self.assertEqual((iteration.failed, iteration.throttled), (failed, True))


class Environment(unittest.TestCase):
    def test_values_travel_to_the_engine_and_are_redacted_there(self) -> None:
        flow = Flow("secret", auth=bearer("{{ env.BENCH_TEST_TOKEN }}"))
        flow.call("get", "POST /x", body={"t": "{{ env.BENCH_TEST_TOKEN }}"}, assert_=["$.body.t == other"])
        with Server(_echo) as server:
            result = flow.execute(server.url, env={"BENCH_TEST_TOKEN": "very-secret"})
            self.assertIn("[redacted]", result.describe())
            self.assertNotIn("very-secret", repr(vars(result)))
            # What is set now counts, not what was set when the engine began.
            os.environ["BENCH_TEST_TOKEN"] = "set-later"
            self.addCleanup(os.environ.pop, "BENCH_TEST_TOKEN")
            self.assertNotIn("set-later", repr(vars(flow.execute(server.url))))
        with self.assertRaises(FlowError) as caught:
            flow.execute(server.url, env={})
        self.assertEqual(caught.exception.code, "missing-env")

    def test_paths_are_relative_to_the_file_of_the_flow(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            _write(folder, "rows.csv", "id\na\n")
            code = 'flow = Flow("a", data="rows.csv")\nflow.call("get", "GET /{{ user.id }}")'
            path = _write(folder, "flow.py", code)
            names: Any = {"Flow": Flow}
            exec(compile(code, path, "exec"), names)
            self.assertTrue(names["flow"].execute(server.url).passed)

    def test_a_warning_of_the_engine_is_a_warning(self) -> None:
        flow = Flow("short")
        flow.call("a", "GET /{{ env.T }}")
        with Server(_echo) as server, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            flow.execute(server.url, env={"T": "ab"})
        self.assertEqual([each.category for each in caught], [BenchWarning])
        self.assertEqual(os.path.basename(caught[0].filename), "test_execute.py")
        self.assertIn("short-secret", [each.code for each in flow.validate(env={"T": "ab"})])


class Targets(unittest.TestCase):
    def test_a_target_may_be_given_in_five_ways(self) -> None:
        flow = Flow("goes")
        flow.call("a", "GET /a")
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            text = json.dumps({"name": "here", "base_urls": [server.url]})
            os.mkdir(os.path.join(folder, "targets"))
            path = _write(folder, os.path.join("targets", "here.yaml"), text)
            ways: List[Any] = [server.url, path, Target.read(path)]
            ways += [Target("t", [server.url], request_timeout="5s"), Target.from_dict(json.loads(text))]
            for way in ways:
                self.assertTrue(flow.execute(way).passed, way)
            self.assertTrue(flow.execute("here", directory=folder).passed)

    def test_a_wrong_target_is_reported_at_its_line(self) -> None:
        flow = Flow("goes")
        flow.call("a", "GET /a")
        with self.assertRaises(FlowError) as caught:
            flow.execute(Target("a b", ["nowhere"]))
        codes = {each.code: each for each in caught.exception.diagnostics}
        self.assertEqual(sorted(codes), ["bad-base-url", "bad-name"])
        self.assertEqual(os.path.basename(codes["bad-name"].file), "test_execute.py")
        other = Flow("goes")
        other.call("a", "GET http://127.0.0.2:1/")
        with self.assertRaises(FlowError) as refused:
            other.execute("http://127.0.0.1:1")
        self.assertEqual(refused.exception.code, "forbidden-host")


class EveryKindAndMode(unittest.TestCase):
    def test_every_kind_of_step_runs(self) -> None:
        with demo_server() as (url, grpc_url):
            flow = Flow("kinds")
            flow.call("health", "GET /health", assert_=["status == 200"])
            search = "query($text: String!) { products(search: $text) { id } }"
            flow.graphql("graph", search, url="/graphql", variables={"text": "wire"})
            flow.wait("pause", "1ms")
            flow.poll("again", "GET /health", until=["status == 200"], interval="1ms", max_attempts=2)
            flow.ws("open", url="/chat", subprotocols=["v1.chat"], receive=True, assert_=["$.type == welcome"])
            flow.ws("ask", send={"type": "ask", "id": 7}, receive={"match": "$.type == answer"})
            result = flow.execute(url).raise_for_failure()
            steps = result.iterations[0].steps
            self.assertEqual([each.kind for each in steps], ["call", "graphql", "wait", "poll", "ws", "ws"])
            self.assertEqual([each.name for each in steps[4].attempts[0].exchanges][0], "http_call")
            calls = Flow("grpc")
            calls.grpc("item", "shop.v1.Catalog/GetItem", proto="protos/catalog.proto", message={"id": 7})
            folder = os.path.join(ROOT, "examples")
            grpc = calls.execute(grpc_url, directory=folder).raise_for_failure()
            self.assertEqual(grpc.iterations[0].step("item").attempts[0].status, 0)

    def test_every_mode_runs_and_thresholds_are_judged(self) -> None:
        with Server(_echo) as server:
            for mode in ("integration", "system", "load", "stress", "soak"):
                bound = {} if mode in ("integration", "system") else {"iterations": 20}
                rules = ["max(latency) < 1m", "error_rate <= 0"]
                flow = Flow("modes", profile=profile(mode, vus=2, thresholds=rules, **bound))
                flow.call("a", "GET /")
                result = flow.execute(server.url, workers=1)
                self.assertTrue(result.passed, result.summary)
                self.assertEqual([each.passed for each in result.thresholds], [True, True])
                self.assertEqual(result.mode, mode)
                self.assertEqual(len(result.iterations), 1 if mode in ("integration", "system") else 0)
                self.assertEqual(result.steps[0].passed, result.totals.completed)

    def test_a_rehearsal_may_be_left_out(self) -> None:
        flow = Flow("unrehearsed", profile=profile("load", vus=1, iterations=20_000, hold="2s", arrival_cap="5/s"))
        flow.call("a", "GET /a")
        with Server(_echo) as server:
            self.assertEqual(flow.execute(server.url, rehearsal=False).requests, 10)

    def test_load_takes_the_place_of_the_profile(self) -> None:
        with Server(_echo) as server:
            flow = Flow("load")
            flow.call("get", "GET /a")
            result = flow.execute(server.url, mode="load", vus=2, iterations=6)
            self.assertEqual((result.meta["vus"], result.totals.completed), (2, 6))
            flow.execute(server.url, mode="load", rate="1000/s", hold_s=0.05, vus=2)
            with self.assertRaisesRegex(FlowError, "rate"):
                flow.execute(server.url, mode="load", rate="fast")

    def test_an_argument_that_is_refused_is_a_flow_error(self) -> None:
        flow = Flow("f")
        flow.call("a", "GET /")
        for given, message in (
            ({"vus": -1}, "`vus` must be at least 1"),
            ({"rate": "much"}, "error: `rate`: "),
            ({"until": "much"}, "error: `until`: "),
            ({"hold_s": float("nan")}, "`hold_s` must be a finite number, but it is nan"),
            ({"vus": float("-inf")}, "`vus` must be a finite number, but it is -inf"),
            ({"cert": "a.pem"}, "error: `cert`: it needs `key` as well"),
        ):
            with self.subTest(given), self.assertRaisesRegex(FlowError, message):
                flow.execute("http://127.0.0.1:9", **given)

    def test_stages_and_a_warm_up(self) -> None:
        stages = [stage(arrival="50/s", over="0s"), stage(over="400ms"), stage(arrival="0/s", over="200ms")]
        flow = Flow("evening", profile=profile("load", vus=20, stages=stages, warm_up="200ms"))
        flow.call("get", "GET /a")
        with Server(_echo) as server:
            result = flow.execute(server.url, workers=1)
            unserved = result.meta["generator"]["unserved_slots"]
            self.assertEqual(result.warm_up.requests + result.requests + unserved, 25)
            self.assertGreater(result.warm_up.started, 0)
            self.assertIsNone(flow.execute(server.url, mode="integration").warm_up)

    def test_a_breached_threshold_fails_a_load_run(self) -> None:
        flow = Flow("slow", profile=profile("load", iterations=5, thresholds=["max(latency) < 1us"]))
        flow.call("a", "GET /")
        with Server(_echo) as server:
            result = flow.execute(server.url, workers=1)
        self.assertEqual((result.passed, result.exit_code), (False, 1))
        self.assertRegex(result.describe(), r"^threshold max\(latency\) < 1us was breached: [\d.]+ms$")
        with self.assertRaises(RunFailure) as caught:
            result.raise_for_failure()
        self.assertIn(f"{result.describe()}\n\n{result.summary}", str(caught.exception))
        self.assertIn("<td>breached</td><td>max(latency) &lt; 1us</td>", result._repr_html_())
        self.assertIn("<td>a</td><td>5</td><td>5</td>", result._repr_html_())
        plain = Flow("plain")
        plain.call("a", "GET /")
        short = plain.execute("http://127.0.0.1:1", mode="system")
        self.assertEqual((short.mode, short.iterations[0].failed), ("system", True))

    def test_progress_is_reported_while_a_load_run_goes_on(self) -> None:
        flow = Flow("long", profile=profile("load", hold="1500ms"))
        flow.call("a", "GET /")
        seen: List[Progress] = []
        with Server(_echo) as server:
            result = flow.execute(server.url, workers=1, on_progress=seen.append)
        self.assertGreaterEqual(len(seen), 1)
        self.assertGreater(seen[0].requests, 0)
        self.assertLessEqual(seen[0].requests, result.requests)

    def test_run_writes_a_directory_and_execute_none(self) -> None:
        flow = Flow("stored")
        flow.call("a", "GET /")
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, Server(_echo) as server:
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            self.assertIsNone(flow.execute(server.url).directory)
            self.assertEqual(os.listdir(folder), [])
            result = flow.run(server.url, store="runs", seed=7)
            assert result.directory is not None
            with open(os.path.join(folder, result.directory, "meta.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file), result.meta)
            self.assertEqual((result.meta["seed"], len(result.iterations)), (7, 1))
            self.assertTrue(os.path.isdir(flow.run(server.url, env={"BENCH_STORE": "other"}).directory or ""))
            os.chdir(before)


def _write(folder: str, name: str, text: str) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
