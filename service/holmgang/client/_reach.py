"""Whether the service was ever reached, what keeps it out of reach, and who is told."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import httpx

from ._call import Call

Outcome = httpx.Response | httpx.TransportError
E = TypeVar("E", bound=BaseException)

log = logging.getLogger("holmgang")

TOLD_SECONDS = 5.0
"""Between two warnings."""


class Unreachable(httpx.TransportError):
    """There is no Holmgang at this address, or none that can be reached from here: since this client was made, nothing
    has answered as one does. It is not tried again; what to mend is said. Once the service has answered, a fault is
    taken for one that passes.
    """

    __module__ = "holmgang"


class Reach:
    """What one client knows of the way to its service; for threads."""

    def __init__(self, url: str, clock: Callable[[], float]) -> None:
        self.url = url
        self.met = False
        """Whether a Holmgang has answered."""
        self._clock = clock
        self._quiet_until = float("-inf")
        self._lock = threading.Lock()

    def lasting(self, outcome: Outcome) -> str | None:
        """What is wrong with the address by the first answer, or by what came instead; None where it may pass."""
        if self.met:
            return None
        if isinstance(outcome, httpx.Response):
            return None if _ours(outcome) else self._foreign(outcome)
        if _cause(outcome, ssl.SSLEOFError) is not None:  # also what a proxy does that is just starting
            return None
        return self._spoiled(outcome) if _cause(outcome, ssl.SSLError) is not None else None

    def doubts(self, outcome: Outcome) -> bool:
        """Whether a first answer leaves open if calls are to be made below this path: `decide` tells by another's."""
        return (
            not self.met
            and isinstance(outcome, httpx.Response)
            and outcome.status_code in (httpx.codes.NOT_FOUND, httpx.codes.METHOD_NOT_ALLOWED)
            and httpx.URL(self.url).path != "/"
            and _ours(outcome)
        )

    def decide(self, outcome: Outcome) -> None:
        """By the answer to a call that is always answered. Raises Unreachable."""
        if isinstance(outcome, httpx.Response) and outcome.status_code == httpx.codes.NOT_FOUND:
            origin = str(httpx.URL(self.url).copy_with(path="/")).rstrip("/")
            raise Unreachable(f"There is a Holmgang on this host, but not at {self.url}. Is its address {origin}?")
        self.met = True

    def fault(self, outcome: Outcome) -> str | None:
        """What is wrong with the address where a call comes to that; None for what went wrong with the call itself."""
        if self.met or isinstance(outcome, httpx.LocalProtocolError | httpx.UnsupportedProtocol):
            return None
        if isinstance(outcome, httpx.Response):
            return self.lasting(outcome)
        return self._never(outcome)

    def _never(self, fault: httpx.TransportError) -> str:
        """What is wrong with an address at which nothing has answered."""
        if _cause(fault, ssl.SSLError) is not None:
            return self._spoiled(fault)
        if _cause(fault, socket.gaierror) is not None:
            host = httpx.URL(self.url).host
            return f"No host of the name {host} is known here ({said(fault)}). Is {self.url} spelt right?"
        if isinstance(fault, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError):
            other = "http" if self.url.lower().startswith("https") else "https"
            return (
                f"What listens at {self.url} does not speak HTTP as it was spoken to ({said(fault)}). "
                f"Is the address {other}://{self.url.partition('://')[2]}, or the port another program's?"
            )
        if isinstance(fault, httpx.ReadTimeout):
            return f"Something listens at {self.url}, but never answers. Is the port another program's?"
        return f"Nothing answers at {self.url} ({said(fault)}). Does the service run, and are host and port right?"

    def heard(self, outcome: Outcome) -> None:
        """An answer came."""
        if not self.met and isinstance(outcome, httpx.Response) and _ours(outcome) and not self.doubts(outcome):
            self.met = True

    def tell(self, call: Call, outcome: Outcome, pause: float, left: float) -> None:
        """Log that a call is made again: as a warning, or where there was one a moment ago, for who debugs."""
        now = self._clock()
        with self._lock:
            loud = now >= self._quiet_until
            if loud:
                self._quiet_until = now + TOLD_SECONDS
        log.log(
            logging.WARNING if loud else logging.DEBUG,
            "waiting for %s: %s (%s %s); the next try is in %.1f s, and the last one in %.0f s",
            self.url,
            said(outcome),
            call.method,
            call.path,
            pause,
            left,
        )

    def _spoiled(self, fault: httpx.TransportError) -> str:
        """What is wrong with the TLS."""
        if _cause(fault, ssl.SSLCertVerificationError) is not None:
            return (
                f"The certificate at {self.url} cannot be trusted ({said(fault)}). Name the authority's file in the "
                "variable SSL_CERT_FILE, or give the client an httpx client of your own that knows it (`http`)."
            )
        plain = f"http://{self.url.partition('://')[2]}"
        return f"No TLS is spoken at {self.url} ({said(fault)}). Is the address {plain}?"

    def _foreign(self, answer: httpx.Response) -> str | None:
        """What is wrong with an answer that no Holmgang gives; None where a proxy says that it may pass."""
        if answer.status_code in (429, 502, 503, 504):
            return None
        if answer.has_redirect_location:
            place = httpx.URL(self.url).join(answer.headers["Location"])
            path = answer.request.url.path.removeprefix(httpx.URL(self.url).path.rstrip("/"))
            found = str(place.copy_with(query=None, fragment=None)).removesuffix(path)
            return f"{self.url} sends its callers on to {found}. Give that address."
        kind = answer.headers.get("Content-Type", "").partition(";")[0] or "no type"
        return (
            f"What answers at {self.url} is no Holmgang: to {answer.request.method} {answer.request.url.path} it said "
            f"{answer.status_code} {answer.reason_phrase} ({kind}). Is it the address of another service, or of a page?"
        )


def said(outcome: Outcome) -> str:
    """What came, in words."""
    if isinstance(outcome, httpx.Response):
        return f"it answers {outcome.status_code} {outcome.reason_phrase}"
    if (name := _cause(outcome, socket.gaierror)) is not None:
        return name.strerror or str(name)
    if (certificate := _cause(outcome, ssl.SSLCertVerificationError)) is not None:
        return certificate.verify_message
    if _cause(outcome, ConnectionRefusedError) is not None:
        return "the connection is refused"
    if isinstance(outcome, httpx.TimeoutException):
        return "nothing came in time" if isinstance(outcome, httpx.ReadTimeout) else "no connection came about in time"
    return str(outcome) or type(outcome).__name__


def _ours(answer: httpx.Response) -> bool:
    """Whether a Holmgang answers so: with JSON or nothing, or with a problem that has a code."""
    if answer.status_code in (httpx.codes.NO_CONTENT, httpx.codes.NOT_MODIFIED):
        return True
    try:
        body = answer.json()
    except ValueError:
        return False
    return answer.is_success or (isinstance(body, dict) and isinstance(body.get("code"), str))


def _cause(fault: BaseException, kind: type[E]) -> E | None:
    """The fault of that kind from which this one comes: what httpx raises is about what a socket raised."""
    return next((each for each in _causes(fault) if isinstance(each, kind)), None)


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    while fault is not None:
        yield fault
        if isinstance(fault, BaseExceptionGroup):  # one for each address of a host
            for each in fault.exceptions:
                yield from _causes(each)
        fault = fault.__cause__ or fault.__context__
