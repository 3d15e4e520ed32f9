"""What the system's and TLS's errors mean, in words."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from typing import Optional

from .wire_error import WireError

_CAUSES = {
    errno.ECONNREFUSED: ("refused", "connection refused"),
    errno.ECONNRESET: ("reset", "connection reset while connecting"),
    errno.EHOSTUNREACH: ("unreachable", "no route to host"),
    errno.ENETUNREACH: ("unreachable", "network unreachable"),
    errno.EHOSTDOWN: ("unreachable", "host is down"),
    errno.ETIMEDOUT: ("unreachable", "the operating system gave up connecting"),
    errno.EADDRNOTAVAIL: (
        "connect",
        "no local port or address left; connections of this machine may be waiting to close",
    ),
    errno.EMFILE: ("connect", "too many open files; raise the limit with `ulimit -n`"),
    errno.ENFILE: ("connect", "the system has too many open files"),
}
#: What OpenSSL says, in words; the first that matches counts.
_TLS_CAUSES = (
    (r"Hostname mismatch|IP address mismatch|not match", "the certificate is not for this host"),
    (r"not yet valid", "the certificate is not valid yet"),
    (r"has expired", "the certificate has expired"),
    (
        r"self.signed|unable to get|unable to verify|local issuer",
        "the certificate is not signed by a known authority; `--cacert` adds one",
    ),
    (r"revoked", "the certificate was revoked"),
    (
        r"HANDSHAKE_FAILURE|ALERT.*CERTIFICATE|CERTIFICATE_REQUIRED",
        "the server refused this side's certificate, or wants one; see `--cert` and `--key`",
    ),
    (
        r"WRONG_VERSION|RECORD_LAYER|HTTP_REQUEST|UNKNOWN_PROTOCOL",
        "the peer does not speak TLS on this port",
    ),
)


def connect_error(error: OSError, address: str) -> WireError:
    """Why `address` (as `host:port`) could not be connected to."""
    code, why = _CAUSES.get(error.errno or 0, ("connect", str(error)))
    return WireError(code, f"Cannot connect to `{address}`: {why}")


def lookup_error(error: Optional[socket.gaierror], host: str) -> WireError:
    """Why the name of a host gave no address."""
    number = error.errno if error else socket.EAI_NONAME
    if number == socket.EAI_AGAIN:
        why = "the name server did not answer"
    elif number in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
        why = "no such host"
    else:
        why = str(error)
    return WireError("dns", f"Cannot look up `{host}`: {why}")


def tls_error(error: OSError, host: str) -> WireError:
    """Why the TLS handshake with `host` failed."""
    said = f"{getattr(error, 'verify_message', '')} {error}"
    closed = isinstance(error, (ssl.SSLEOFError, ConnectionResetError))
    fallback = "the peer closed the connection" if closed else str(error)
    why = next(
        (words for pattern, words in _TLS_CAUSES if re.search(pattern, said, re.I)), fallback
    )
    return WireError("tls", f"No TLS with `{host}`: {why}")


def reset_reason(error: OSError) -> str:
    """Why an open connection broke; a TLS alert by its name in RFC 8446 section 6."""
    alert = re.match("[A-Z0-9]+_ALERT_([A-Z_]+)", getattr(error, "reason", None) or "")
    if alert:
        name = "".join(word.capitalize() for word in alert[1].split("_"))
        return f"received fatal alert: {name}"
    return str(error.strerror or error)
