"""Questions about stored runs are asked as the engine expects them."""

import unittest
from unittest import mock

from bench_sdk import compare, replay


class StoredTest(unittest.TestCase):
    def asked(self, function, *words, **options):
        with mock.patch("bench_sdk.stored.engine_for") as engine_for:
            engine_for.return_value.request.return_value = {"verdict": "same"}
            self.assertEqual(function(*words, **options), {"verdict": "same"})
            method, params = engine_for.return_value.request.call_args.args
        self.assertTrue(params.pop("cwd"))
        return method, params

    def test_compare_names_the_runs_and_the_margin(self):
        method, params = self.asked(compare, "b", ["a"], margin=0.1, store="runs")
        self.assertEqual(method, "compare")
        expected = {"run": "b", "with": ["a"], "margin": 0.1, "across_targets": False, "store": "runs"}
        self.assertEqual(params, expected)

    def test_replay_names_the_trace_and_the_target(self):
        method, params = self.asked(replay, "a", "0f", target="staging", env={})
        self.assertEqual(method, "replay")
        self.assertEqual(params, {"run": "a", "trace": "0f", "target": "staging", "env": {}})


if __name__ == "__main__":
    unittest.main()
