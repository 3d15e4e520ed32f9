"""What `Flow.execute()` does on the wire, where it needs a server of its own."""

from __future__ import annotations

import os
import ssl
import tempfile
import threading
import unittest
import warnings
from typing import List

from bench_sdk import Flow, InputError, Target, oauth2_client_credentials, profile
from bench_sdk.run.execute import execute_flow
from bench_sdk.wire.allow_list import AllowList
from bench_sdk.wire.clock import Clock
from bench_sdk.wire.connections import Connections
from bench_sdk.wire.dial import Dialer
from bench_sdk.wire.secure import Secure, TlsOptions
from bench_sdk.wire.url import parse_base_url

from .raw_server import RawServer, ok
from .repository import ROOT

PEMS = os.path.join(ROOT, "tests", "support", "tls")


def pem(name: str) -> str:
    """A certificate or key of the tests' own authority."""
    return os.path.join(PEMS, f"{name}.pem")


class Standing(Clock):
    """Time that only sleeping moves."""

    def __init__(self) -> None:
        self.ms = 1_000.0
        self.slept: List[float] = []

    def now(self) -> float:
        return self.ms

    def wall(self) -> float:
        return self.ms

    def sleep(self, ms: float) -> None:
        self.ms += ms
        self.slept.append(ms)


class Ceiling(unittest.TestCase):
    def test_max_rps_holds_back_every_request_tokens_included(self) -> None:
        def answer(line: str) -> bytes:
            return ok(b'{"access_token":"t"}') if "token" in line else ok()

        with RawServer(answer) as server:
            auth = oauth2_client_credentials(f"{server.url}/token", "me", "{{ env.S }}")
            flow = Flow("held", auth=auth, profile=profile("system"))
            for number in range(4):
                flow.call(f"s{number}", f"GET /{number}")
            clock = Standing()
            target = Target("t", [server.url], max_rps=4)
            result = execute_flow(flow, target, None, {"S": "secret"}, clock)
        self.assertTrue(result.passed, result.describe())
        self.assertEqual(len(server.lines), 5)
        # One each 250 ms; a tenth of a second was saved up before the first.
        self.assertEqual(clock.slept, [150.0, 250.0, 250.0, 250.0])

    def test_without_a_ceiling_nothing_waits(self) -> None:
        flow = Flow("free")
        flow.call("a", "GET /")
        flow.call("b", "GET /")
        clock = Standing()
        with RawServer(lambda line: ok()) as server:
            execute_flow(flow, server.url, None, {}, clock)
        self.assertEqual(clock.slept, [])


class Brotli(unittest.TestCase):
    def _run(self, flow: Flow) -> str:
        answer = ok(b"\x0b\x02\x80{}\x03", "Content-Encoding: gzip, br")
        with RawServer(lambda line: answer) as server:
            return flow.execute(server.url).describe()

    def test_a_step_that_looks_into_the_body_fails_and_says_why(self) -> None:
        flows = [Flow("asserts"), Flow("extracts"), Flow("polls"), Flow("graphql")]
        flows[0].call("a", "GET /", assert_=["$.a not_exists"])
        flows[1].call("a", "GET /", extract={"a": "$.a"})
        flows[2].poll("a", "GET /", until=["$.a == 1"], interval="1ms", max_attempts=9)
        flows[3].graphql("a", "{ a }", url="/")
        for flow in flows:
            with self.subTest(flow.name):
                told = self._run(flow)
                self.assertIn("content-encoding: the body is brotli", told)
                self.assertIn("run() can", told)

    def test_a_step_that_does_not_passes(self) -> None:
        flow = Flow("looks_elsewhere")
        flow.call("a", "GET /", assert_=["status == 200", "header.Content-Encoding contains br"])
        self.assertEqual(self._run(flow), "")


class ConnectionsKept(unittest.TestCase):
    def test_one_that_closed_while_idle_is_replaced_before_anything_is_sent(self) -> None:
        for tls in (False, True):
            context = None
            if tls:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(pem("server"), pem("server_key"))
            first = threading.Event()

            def answer(line: str) -> bytes:
                return ok() if first.is_set() else b"close:" + ok()

            with self.subTest(tls=tls), RawServer(answer, context) as server:
                base = parse_base_url(server.url)
                dialer = Dialer(AllowList([base]), Secure(TlsOptions(cacert=pem("ca"))))
                connections = Connections(dialer, Clock(), 5_000)
                request = b"POST / HTTP/1.1\r\nHost: a\r\n\r\n"
                self.assertEqual(connections.exchange(base.origin, "POST", request).status, 200)
                self.assertTrue(server.closed.wait(5))
                first.set()
                for _ in range(2):
                    again = connections.exchange(base.origin, "POST", request)
                    self.assertEqual((again.status, again.failure), (200, None))
                self.assertEqual((len(server.lines), server.accepted), (3, 2))
                connections.close()

    def test_one_that_closes_behind_a_request_is_a_failure_and_no_second_request(self) -> None:
        flow = Flow("hung_up")
        flow.call("a", "GET /kept")
        flow.call("b", "POST /gone", body={"pay": 1})
        with RawServer(lambda line: ok() if "kept" in line else None) as server:
            told = flow.execute(server.url).describe()
        self.assertIn("reset: The peer closed the connection before any byte", told)
        self.assertEqual(server.lines, ["GET /kept", "POST /gone"])


class Certificates(unittest.TestCase):
    def test_files_that_cannot_be_used_are_refused_before_the_run(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            garbled = os.path.join(folder, "garbled.pem")
            with open(garbled, "w", encoding="ascii") as file:
                file.write("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
            rows = (
                ({"cacert": "none.pem"}, "there is no file none.pem (cacert)"),
                ({"cacert": __file__}, f"{__file__} (cacert) is not a PEM file with a certificate"),
                ({"cacert": garbled}, f"{garbled} (cacert) is not a PEM file with a certificate"),
                ({"cert": pem("client")}, "`cert` needs `key` as well"),
                ({"key": pem("client_key")}, "`key` needs `cert` as well"),
                (
                    {"cert": pem("client"), "key": pem("ca")},
                    f"{pem('ca')} (key) is not a PEM file with a private key",
                ),
                (
                    {"cert": pem("client"), "key": pem("server_key")},
                    f"{pem('server_key')} (key) is not the key of {pem('client')} (cert)",
                ),
                (
                    {"cert": garbled, "key": pem("client_key")},
                    f"{garbled} (cert) is not a PEM file with a certificate",
                ),
            )
            flow = Flow("tls")
            flow.call("a", "GET /")
            for options, message in rows:
                with self.subTest(message), self.assertRaises(InputError) as caught:
                    flow.execute("https://127.0.0.1:1", **options)
                self.assertEqual(caught.exception.code, "tls-files")
                self.assertEqual(caught.exception.message, message)

    def test_insecure_warns_and_leaves_a_note(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem("self_signed"), pem("self_signed_key"))
        flow = Flow("tls")
        flow.call("a", "GET /")
        with RawServer(lambda line: ok(), context) as server:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = flow.execute(server.url, insecure=True)
        self.assertTrue(result.passed, result.describe())
        self.assertIn("were not verified", result.notes[0])
        [warning] = caught
        self.assertIn("NOT verified", str(warning.message))
        self.assertEqual(warning.filename, __file__)
