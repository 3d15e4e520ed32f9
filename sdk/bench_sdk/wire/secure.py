"""TLS to the target: whom to trust, and what to show."""

from __future__ import annotations

import os
import socket
import ssl
from typing import NamedTuple, Optional, Union

from ..errors import InputError

#: A file's path.
Path = Union[str, "os.PathLike[str]"]
UNVERIFIED = (
    "certificates were not verified (insecure): anybody could have answered in the target's place"
)
#: Said by name, so that a server that also speaks h2 does not choose it.
_ALPN = ["http/1.1"]


class TlsOptions(NamedTuple):
    """PEM files, as `bench run` takes them.

    :ivar cacert: authorities besides the system's
    :ivar cert: this side's certificate; needs `key`
    :ivar insecure: takes any certificate
    """

    cacert: Optional[Path] = None
    cert: Optional[Path] = None
    key: Optional[Path] = None
    insecure: bool = False


class Secure:
    """Makes the TLS handshakes of one execution."""

    def __init__(self, options: TlsOptions) -> None:
        """:raises InputError: `tls-files`"""
        self._context: Optional[ssl.SSLContext] = None
        # Reading the system's authorities takes a while, so only who needs them does.
        if options != TlsOptions():
            self._context = _make_context(options)

    def wrap(self, link: socket.socket, host: str) -> ssl.SSLSocket:
        """The handshake; its errors are the platform's."""
        if self._context is None:
            self._context = _make_context(TlsOptions())
        return self._context.wrap_socket(link, server_hostname=host)


def _make_context(options: TlsOptions) -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(_ALPN)
    # As the engine, and the same in every version of Python: names stand in
    # `subjectAltName`, and an authority's certificate need not be flawless.
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    _load(context, options)
    if options.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _load(context: ssl.SSLContext, options: TlsOptions) -> None:
    cacert, cert, key, _ = options
    if cert is None and key is not None:
        raise _refuse("key", "`key` needs `cert` as well")
    if key is None and cert is not None:
        raise _refuse("cert", "`cert` needs `key` as well")
    if cacert is not None:
        _check_pem(cacert, "cacert", "CERTIFICATE")
        try:
            context.load_verify_locations(cafile=cacert)
        except ssl.SSLError:
            raise _not_pem(cacert, "cacert", "CERTIFICATE") from None
    if cert is not None and key is not None:
        _check_pem(cert, "cert", "CERTIFICATE")
        _check_pem(key, "key", "PRIVATE KEY")
        try:
            # Without a password OpenSSL would ask for one on the terminal.
            context.load_cert_chain(cert, key, password="")
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                message = f"{os.fspath(key)} (key) is not the key of {os.fspath(cert)} (cert)"
                raise _refuse(key, message) from None
            broken = key if _is_certificate(cert) else cert
            kind = "PRIVATE KEY" if broken is key else "CERTIFICATE"
            raise _not_pem(broken, "key" if broken is key else "cert", kind) from None


def _check_pem(path: Path, name: str, kind: str) -> None:
    """:raises InputError: for a file that cannot be read, or is of another kind"""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except FileNotFoundError:
        raise _refuse(path, f"there is no file {os.fspath(path)} ({name})") from None
    except OSError as error:
        raise _refuse(path, f"cannot read {os.fspath(path)} ({name}): {error.strerror}") from None
    if f"{kind}-----" not in text:
        raise _not_pem(path, name, kind)


def _is_certificate(path: Path) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except ssl.SSLError:
        return False
    return True


def _not_pem(path: Path, name: str, kind: str) -> InputError:
    return _refuse(path, f"{os.fspath(path)} ({name}) is not a PEM file with a {kind.lower()}")


def _refuse(path: Path, message: str) -> InputError:
    return InputError("tls-files", message, file=os.fspath(path))
