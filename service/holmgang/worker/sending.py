"""One attempt to deliver a webhook: a POST to a URL that may name any host.

The request goes through httpcore, which httpx is built on, because only there a connection can be bound to an address
that was checked (see `targets`). The host is looked up once; afterwards its name is used only for SNI, the certificate
and the Host header. At this level there are no redirects, proxies, cookies or settings from the environment. One
deadline holds for all of it, the look-up included, however slowly the answer arrives.
"""

from __future__ import annotations

import functools
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from holmgang.app.webhooks import targets
from holmgang.client._retry import seconds_of

TIMEOUT_SECONDS = 15.0
MOST_RECEIVED = 64 * 1024
MOST_ADDRESSES = 4
"""How many addresses of a host one attempt tries."""

# These are made here: a second one could make the receiver read another request than the one that was written.
_OUR_HEADERS = frozenset({"host", "connection", "content-length", "transfer-encoding"})
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[!-~]+(?: +[!-~]+)*")

_CERTIFICATE_FAULTS = {
    10: "The certificate of the host has expired.",
    62: "The certificate is not valid for the host.",
    64: "The certificate is not valid for the host.",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attempt: a status, or a sentence for the webhook's owner that says why there is none.

    The sentence is made of fixed words and the host: no path, header, body or address gets into it.
    """

    status: int | None
    error: str | None
    seconds: float
    retry_after: float = 0.0
    """For how many seconds the receiver wants no other attempt (RFC 9110, 10.2.3); 0 if it does not say."""

    @property
    def delivered(self) -> bool:
        """Whether the status is 200 to 299; a redirect is not a delivery."""
        return self.status is not None and 200 <= self.status <= 299


def post(
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    allow_private: bool,
    timeout: float = TIMEOUT_SECONDS,
    allow_http: bool = False,
    lookup: targets.Lookup | None = None,
    context: ssl.SSLContext | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Make one attempt, in at most about `timeout` seconds.

    Whatever the receiver does ends in an Outcome. Raises ValueError for headers that cannot be given. The status counts
    as soon as it arrives; at most 64 KiB of the answer, its head included, are received and thrown away.
    """
    for name, value in headers.items():
        if name.lower() in _OUR_HEADERS or not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"not a header that a caller can give: {name!r}")
    began = clock()
    deadline = _Deadline(began + timeout, clock)
    status: int | None = None
    error: str | None = None
    asked = 0.0
    try:
        target = targets.parse(url, allow_http=allow_http, allow_private=allow_private)
        addresses = targets.resolve(
            target, allow_private=allow_private, lookup=lookup, timeout=max(0.0, deadline.at - clock())
        )
        status, asked = _exchange(target, addresses, headers, body, deadline, context)
    except (targets.Refused, targets.Unresolved) as fault:
        error = str(fault)
    except ssl.SSLCertVerificationError as fault:
        error = _CERTIFICATE_FAULTS.get(fault.verify_code, "The certificate of the host is not trusted.")
    except ssl.SSLError:
        error = "The host does not speak TLS as it should."
    except TimeoutError:
        error = "The host took too long."
    except _TooMuch:
        error = "The head of the answer is too long."
    except httpcore.ProtocolError:
        error = "The answer is not HTTP, or it broke off."
    except OSError:
        error = "The host cannot be reached, or it closed the connection."
    return Outcome(status, error, clock() - began, asked)


class _TooMuch(Exception):
    """More was received than is read."""


@dataclass(frozen=True, slots=True)
class _Deadline:
    at: float
    clock: Callable[[], float]

    def left(self) -> float:
        """The seconds that are left; raises TimeoutError when there are none."""
        left = self.at - self.clock()
        if left <= 0:
            raise TimeoutError
        return left


class _Stream(httpcore.NetworkStream):
    """A connection that ends at the deadline and receives no more than so much. Errors are those of sockets."""

    def __init__(self, connected: socket.socket, deadline: _Deadline) -> None:
        self._socket = connected
        self._deadline = deadline
        self._received = 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._received >= MOST_RECEIVED:
            raise _TooMuch
        self._socket.settimeout(self._deadline.left())
        chunk = self._socket.recv(min(max_bytes, MOST_RECEIVED - self._received))
        self._received += len(chunk)
        return chunk

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            self._socket.settimeout(self._deadline.left())
            try:
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                raise
            except OSError as fault:
                # An answer may be there already, and after this error httpcore looks for it.
                raise httpcore.WriteError from fault

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            self._socket.settimeout(self._deadline.left())
            self._socket = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        self._socket.close()

    def get_extra_info(self, info: str) -> Any:
        return None


class _Judged(httpcore.NetworkBackend):
    """Connects to the given addresses and to nothing else, whatever host it is asked for."""

    def __init__(self, addresses: Sequence[targets.Address], deadline: _Deadline) -> None:
        self._addresses = addresses[:MOST_ADDRESSES]
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        failed: OSError = OSError("no address")
        for position, address in enumerate(self._addresses):
            # An address that does not answer must leave time for those after it.
            share = self._deadline.left() / (len(self._addresses) - position)
            try:
                connected = socket.create_connection((str(address), port), share)
            except OSError as fault:
                failed = fault
                continue
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return _Stream(connected, self._deadline)
        raise failed


def _exchange(
    target: targets.Target,
    addresses: Sequence[targets.Address],
    headers: Mapping[str, str],
    body: bytes,
    deadline: _Deadline,
    context: ssl.SSLContext | None,
) -> tuple[int, float]:
    """Send the request to one of the addresses and give the status of its answer, and for how long it asks to wait."""
    own = {"Host": target.authority, "Connection": "close", "Content-Length": str(len(body))}
    url = httpcore.URL(
        scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
    )
    secure = (context or _trust()) if target.scheme == "https" else None
    backend = _Judged(addresses, deadline)
    with httpcore.HTTPConnection(url.origin, ssl_context=secure, network_backend=backend) as connection:
        request = httpcore.Request("POST", url, headers=[*own.items(), *headers.items()], content=body)
        response = connection.handle_request(request)
        try:
            # Hearing the answer out spares the other side an error while it writes; it changes nothing any more.
            for _ in response.iter_stream():
                pass
        except (OSError, _TooMuch, httpcore.ProtocolError):
            pass
        finally:
            response.close()
    asked = (value.decode("latin-1") for name, value in response.headers if name.lower() == b"retry-after")
    return response.status, max(map(seconds_of, asked), default=0.0)


@functools.cache
def _trust() -> ssl.SSLContext:
    """The authorities that httpx brings along, made once: reading them takes a while."""
    return httpx.create_ssl_context(trust_env=False)
