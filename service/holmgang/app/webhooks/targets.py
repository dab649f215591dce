"""Which URLs the service may call for others.

Whoever registers a webhook chooses what the service connects to, so nothing but public hosts may be called: otherwise
the service would reach into the network it runs in for anyone who asks. `parse` judges the text alone and is for
registering; `resolve` looks the host up and judges every address. Who connects must connect to one of the addresses
that `resolve` gave: a second look-up may answer otherwise.

The grammar is narrower than that of URLs, and on purpose this is the only place that reads one: where a checking and a
connecting parser differ there is a way round the check.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from holmgang.engine.messages import Said, say

LONGEST_URL = 2048
_DEFAULT_PORTS = {"http": 80, "https": 443}

Address = IPv4Address | IPv6Address
Lookup = Callable[[str, int], Sequence[str]]
"""Gives the addresses of a host as text; raises OSError where there are none."""

_URL = re.compile(
    r"(?P<scheme>https?)://(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<host>[a-z0-9._-]+))(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>/[^?#]*)?(?P<query>\?[^#]*)?",
    re.IGNORECASE,
)
_PATH_CHARACTERS = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
# What resolvers read as one part of an IPv4 address: decimal, octal or hexadecimal.
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")

# IANA's registries of special-purpose addresses, written out because the tables of Python's ipaddress differ between
# the versions that this project supports.
_SPECIAL_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this host
            "10.0.0.0/8",
            "100.64.0.0/10",  # shared by carriers
            "127.0.0.0/8",
            "168.63.129.16/32",  # Azure's service to its virtual machines, in a public range
            "169.254.0.0/16",  # link-local, and the metadata of most clouds
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",
            "198.18.0.0/15",  # measurements
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
# Global unicast is only this much of IPv6. Loopback, mapped, compatible, unique local, link-local, site-local and
# multicast addresses are all outside of it.
_UNICAST_6 = IPv6Network("2000::/3")
_SPECIAL_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments; Teredo, which embeds IPv4
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which embeds IPv4
            "3ffe::/16",  # given back
            "3fff::/20",  # documentation
        ),
    )
)
# Networks without IPv4 reach it by these addresses, whose last 32 bits are the IPv4 address.
_NAT64 = IPv6Network("64:ff9b::/96")


class Refused(ValueError):
    """A URL that is not called. The text is a sentence for its owner; it repeats no part of the URL but its host,
    and no address that a name led to, because that would tell about the network the service runs in."""

    def __init__(self, detail: Said) -> None:
        super().__init__(detail)
        self.detail = detail


class Unresolved(Exception):
    """A host of which no address could be learnt, now. The text is a sentence for the URL's owner."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart. `host` is lower case and without brackets; `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def literal(self) -> Address | None:
        """The address, where the host is one and no name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def is_public(address: Address) -> bool:
    """Whether an address is a global unicast one and no way to another."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    return address.scope_id is None and address in _UNICAST_6 and not any(address in each for each in _SPECIAL_6)


def parse(url: str, *, allow_http: bool = False, allow_private: bool = False) -> Target:
    """Judge a URL by its text: raise Refused or take it apart. No look-up is made.

    allow_private allows http too: what is not public seldom has a certificate.
    """
    if len(url) > LONGEST_URL:
        raise Refused(say("A URL has at most {most} characters.", most=LONGEST_URL))
    if not url.isascii():
        raise Refused(say("A URL is ASCII: write the host as xn--... and encode the rest with %."))
    if "#" in url:
        raise Refused(say("A URL to call has no fragment."))
    found = _URL.fullmatch(url)
    if not found:
        raise Refused(
            say("A URL is https://host/path, with a port and a query if need be, and without user or password.")
        )
    path = (found["path"] or "/") + (found["query"] or "")
    if not _PATH_CHARACTERS.fullmatch(path):
        raise Refused(say("The path or query of the URL has a character that must be encoded with %."))
    scheme = found["scheme"].lower()
    if scheme == "http" and not (allow_http or allow_private):
        raise Refused(say("Only https is called."))
    port = int(found["port"]) if found["port"] else _DEFAULT_PORTS[scheme]
    if not 1 <= port <= 65535:
        raise Refused(say("A port is from 1 to 65535."))
    host = _address_in_brackets(found["six"]) if found["six"] else _host(found["host"].lower(), allow_private)
    target = Target(scheme, host, port, path)
    if target.literal is not None and not allow_private and not is_public(target.literal):
        raise Refused(say("{host} is not a public address.", host=target.host))
    return target


def resolve(
    target: Target, *, allow_private: bool = False, lookup: Lookup | None = None, timeout: float | None = None
) -> tuple[Address, ...]:
    """The addresses of a target, in the order to try them, all of them judged; at least one.

    Raises Refused where any of them is not public, Unresolved where there is none or the look-up takes too long.
    """
    if target.literal is not None:
        addresses: tuple[Address, ...] = (target.literal,)
    else:
        texts = _looked_up(lookup or system_lookup, target, timeout)
        try:
            addresses = tuple(dict.fromkeys(map(ip_address, texts)))
        except ValueError:
            raise Unresolved(say("The addresses of {host} cannot be read.", host=target.host)) from None
        if not addresses:
            raise Unresolved(say("{host} has no address.", host=target.host))
    if not allow_private and not all(map(is_public, addresses)):
        raise Refused(say("{host} does not lead to public addresses only.", host=target.host))
    return addresses


def system_lookup(host: str, port: int) -> list[str]:
    """The addresses that this machine's resolver has for a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(each[4][0]) for each in found]


def _address_in_brackets(text: str) -> str:
    try:
        return str(IPv6Address(text))
    except ValueError:
        raise Refused(say("What is in brackets is not an IPv6 address.")) from None


def _host(host: str, allow_private: bool) -> str:
    labels = host.split(".")
    if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise Refused(say("The host is not a name: labels of letters, digits and hyphens, and no dot at the end."))
    if _NUMERIC_LABEL.fullmatch(labels[-1]):
        try:
            return str(IPv4Address(host))
        except ValueError:
            raise Refused(say("An IPv4 address is four decimal numbers without leading zeros.")) from None
    if len(labels) == 1 and not allow_private:
        raise Refused(say("The host is a name of this network only; a public one has a dot."))
    return host


def _looked_up(lookup: Lookup, target: Target, timeout: float | None) -> Sequence[str]:
    """The look-up's answer. It runs in a thread of its own, because a resolver cannot be told how long it may take."""
    answers: list[Sequence[str]] = []

    def look() -> None:
        # UnicodeError: a name that getaddrinfo cannot encode.
        try:
            answers.append(lookup(target.host, target.port))
        except (OSError, UnicodeError):
            answers.append(())

    thread = threading.Thread(target=look, name="webhook-lookup", daemon=True)
    thread.start()
    thread.join(timeout)
    if not answers:
        raise Unresolved(say("Looking up {host} took too long.", host=target.host))
    return answers[0]
