"""HTTP/1.1 answers: the vectors of the engine's reader, cut at every byte too."""

from __future__ import annotations

import unittest
from typing import Any, Dict, List

from bench_sdk.wire.answer_reader import AnswerReader
from bench_sdk.wire.wire_error import WireError

from .repository import vectors


def _read(data: bytes, step: int, to_head: bool) -> Dict[str, Any]:
    reader = AnswerReader(to_head)
    try:
        for at in range(0, len(data), step):
            if reader.take(data[at : at + step]):
                return {"end": "whole", "reader": reader}
    except WireError as error:
        return {"failure": error.message}
    return {"end": "close" if reader.finish() else "broken", "reader": reader}


class Answers(unittest.TestCase):
    def test_the_vectors(self) -> None:
        for row in vectors("http/responses.json")["rows"]:
            data = row["input"].encode("latin-1")
            for step in (max(1, len(data)), 1):
                with self.subTest(row["name"], step=step):
                    self._compare(row, _read(data, step, row.get("method") == "HEAD"), step)

    def _compare(self, row: Dict[str, Any], got: Dict[str, Any], step: int) -> None:
        expect = row["expect"]
        if expect.get("failure") == "cut short":
            self.assertEqual(got.get("end"), "broken")
            return
        if "failure" in expect:
            self.assertTrue(
                got.get("failure", "").startswith(expect["failure"]), (expect, got)
            )
            return
        self.assertNotIn("failure", got)
        self.assertEqual(got["end"], expect["end"])
        reader: AnswerReader = got["reader"]
        if "status" in expect:
            self.assertEqual(reader.head.status, expect["status"])
        if "body" in expect:
            self.assertEqual(reader.body.decode("latin-1"), expect["body"])
        if "headers" in expect:
            pairs: List[List[str]] = [list(each) for each in (*reader.head.fields, *reader.trailers)]
            self.assertEqual(pairs, expect["headers"])
        if "reusable" in expect and step > 1:
            self.assertEqual(reader.reusable, expect["reusable"])
