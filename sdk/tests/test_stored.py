"""Comparisons, duels, capacities and replays are asked for as the engine expects them."""

import os
import tempfile
import unittest
from unittest import mock

from bench_sdk import Change, Flow, FlowError, compare, EngineError, merge, profile, replay, series, Target

from .http_server import Server

RUN = {
    "id": "a", "target": "t", "bench_version": "1", "started_at": "", "duration_ms": 1, "iterations": 2
}
P95 = {
    "metric": "p95", "unit": "ms", "base": 20, "candidate": 22, "verdict": "worse",
    "change": {"value": 0.1, "low": 0.08, "high": 0.12}, "of_a_later_version": 1,
}
COMPARISON = {
    "flow": "f", "candidate": RUN, "bases": [RUN], "paired": False, "margin": 0.05,
    "verdict": "worse", "figures": [P95, {**P95, "step": "a", "change": None}], "notes": ["one"],
}


class StoredTest(unittest.TestCase):
    def asked(self, function, *words, response=None, **options):
        patched = "bench_sdk.stored.engine_for", "bench_sdk.several_runs.engine_for"
        with mock.patch(patched[0]) as engine_for, mock.patch(patched[1], engine_for):
            engine_for.return_value.request.return_value = response or {}
            self.result = function(*words, **options)
            method, params, *_ = engine_for.return_value.request.call_args.args
        self.assertTrue(params.pop("cwd"))
        self.assertEqual(params.pop("env", None), options.get("env", dict(os.environ)))
        return method, params

    def test_compare_names_the_runs_and_the_margin(self):
        method, params = self.asked(compare, "b", ["a"], margin=0.1, store="runs", response=COMPARISON)
        self.assertEqual(method, "compare")
        expected = {"run": "b", "with": ["a"], "margin": 0.1, "across_targets": False, "store": "runs"}
        self.assertEqual(params, expected)

    def test_replay_names_the_trace_and_the_target(self):
        method, params = self.asked(replay, "a", "0f", target="staging", env={})
        self.assertEqual(method, "replay")
        self.assertEqual(params, {"run": "a", "trace": "0f", "target": "staging"})

    def test_replay_takes_a_target_of_the_program_and_how_connections_are_made(self):
        connection = {"resolve": ["a:80:127.0.0.1"], "insecure": True, "http": "2"}
        _, params = self.asked(replay, "a", target=Target("t", ["http://a"]), **connection)
        self.assertEqual(params["target"]["document"]["value"], {"name": "t", "base_urls": ["http://a"]})
        self.assertEqual({name: params[name] for name in connection}, connection)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'insecur'"):
            replay("a", insecur=True)

    def test_a_run_is_replayed_against_another_url(self):
        flow = Flow("f")
        flow.call("a", "GET /")
        with Server(lambda *_: (200, {})) as server, tempfile.TemporaryDirectory() as folder:
            result = flow.run(server.url, store=folder)
            again = replay(result, target=server.url, store=folder)
        self.assertEqual(again["after"]["outcome"], "passed")

    def test_merge_names_the_runs_and_what_may_be_missing(self):
        method, params = self.asked(merge, ["a", "b"], tolerate_lost=1, store="runs")
        self.assertEqual(method, "merge")
        self.assertEqual(params, {"runs": ["a", "b"], "tolerate_lost": 1, "store": "runs"})

    def test_a_series_is_typed_and_a_table(self):
        flow = Flow("f", profile=profile("load", vus=1, iterations=5, warm_up="20ms"))
        flow.call("home", "GET /")
        with Server(lambda *_: (200, {})) as server, tempfile.TemporaryDirectory() as folder:
            result = flow.run(server.url, store=folder)
            found = series("latest", store=folder)
            self.assertEqual(sum(each.completed for each in found), result.totals.completed)
            self.assertEqual((found.seconds[0].t, len(found)), (0, len(found.data["points"])))
            self.assertTrue(found.warm_up)
            self.assertIn("<th>p95</th>", found._repr_html_())
            os.remove(os.path.join(result.directory, "series.json"))
            with self.assertRaisesRegex(EngineError, "has no series yet"):
                series(result)
            with self.assertRaisesRegex(ValueError, "this run is not stored"):
                series(flow.execute(server.url))

    def test_a_comparison_is_typed(self):
        self.asked(compare, "b", ["a"], response=COMPARISON)
        figure = self.result.figure("p95")
        self.assertEqual((self.result.verdict, figure.change), ("worse", Change(0.1, 0.08, 0.12)))
        self.assertIsNone(self.result.figure("p95", "a").change)
        self.assertEqual(self.result.data["bases"], [RUN])
        with self.assertRaises(KeyError):
            self.result.figure("p95", "b")

    def test_duel_names_both_targets_and_what_the_load_is_made_with(self):
        flow = Flow("f", profile=profile("load", vus=2))
        method, params = self.asked(
            flow.duel, "http://a", "http://b", for_s=20, workers=2, env={}, response=COMPARISON
        )
        self.assertEqual(method, "duel")
        params.pop("flow")
        expected = {"target": "http://a", "against": "http://b", "for_s": 20, "margin": 0.02}
        self.assertEqual(params, {**expected, "workers": 2})

    def test_capacity_measures_a_target_and_names_every_trial(self):
        flow = Flow("f", profile=profile("load", vus=1))
        flow.call("a", "GET /")
        trials = []
        with tempfile.TemporaryDirectory() as folder, Server(lambda *_: (200, {})) as server:
            found = flow.capacity(
                server.url, start=20, most=20, least=40, trial_s=0.1, cool_down_s=0,
                thresholds=["error_rate <= 0"], on_trial=trials.append, store=folder, workers=1,
            )
            self.assertTrue(os.path.isfile(os.path.join(found.directory, "meta.json")))
        self.assertEqual(found.trials, tuple(trials))
        self.assertEqual((found.upper, found.least, found.passed), (None, 40, False))
        self.assertEqual(found.cause, "`most` lets no level above 20 be tried")

    def test_capacity_of_a_flow_without_thresholds_is_refused(self):
        flow = Flow("f", profile=profile("load", vus=1))
        flow.call("a", "GET /")
        with self.assertRaises(FlowError) as caught:
            flow.capacity("http://127.0.0.1:9")
        self.assertEqual(caught.exception.code, "no-thresholds")


if __name__ == "__main__":
    unittest.main()
