"""A server that says every byte itself, one connection after the other."""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Callable, List, Optional

#: Gets the request's first line; gives the answer's bytes, None to hang up.
Answer = Callable[[str], Optional[bytes]]


class RawServer:
    """Serves until the `with` block ends.

    An answer that begins with `close:` is sent without that word, and the
    connection closed behind it; `closed` is set when that has happened.
    """

    def __init__(self, answer: Answer, tls: Optional[ssl.SSLContext] = None) -> None:
        self.lines: List[str] = []
        self.accepted = 0
        self.closed = threading.Event()
        self._answer = answer
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        """`http://127.0.0.1:<port>`, or `https` with TLS."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> RawServer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
                self.accepted += 1
                with self._tls.wrap_socket(link, server_side=True) if self._tls else link as peer:
                    self._talk(peer)
            except OSError:
                if self._listener.fileno() < 0:
                    return
            self.closed.set()

    def _talk(self, peer: socket.socket) -> None:
        held = b""
        while True:
            while b"\r\n\r\n" not in held:
                data = peer.recv(65_536)
                if not data:
                    return
                held += data
            head, _, held = held.partition(b"\r\n\r\n")
            self.lines.append(head.decode("latin-1").split(" HTTP/", 1)[0])
            answer = self._answer(self.lines[-1])
            if answer is None:
                return
            peer.sendall(answer[6:] if answer.startswith(b"close:") else answer)
            if answer.startswith(b"close:"):
                return


def ok(body: bytes = b"{}", *fields: str) -> bytes:
    """A 200 answer of some bytes."""
    lines = ["HTTP/1.1 200 OK", *fields, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body
