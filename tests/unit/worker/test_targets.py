"""Which URLs may be called: tables of texts and of addresses, and what a look-up may answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Sequence
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.app.webhooks import targets
from holmgang.app.webhooks.targets import Refused, Target, Unresolved, parse, resolve

PUBLIC = "93.184.216.34"
PUBLIC_6 = "2606:2800:220:1:248:1893:25c8:1946"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", Target("https", "example.org", 443, "/")),
        ("https://example.org/", Target("https", "example.org", 443, "/")),
        ("HTTPS://Example.ORG/Path", Target("https", "example.org", 443, "/Path")),
        ("https://example.org?a=1", Target("https", "example.org", 443, "/?a=1")),
        ("https://example.org:443/x", Target("https", "example.org", 443, "/x")),
        ("https://example.org:8443/a/../b?c=d&e=%20/?", Target("https", "example.org", 8443, "/a/../b?c=d&e=%20/?")),
        ("https://example.org/@user:pass", Target("https", "example.org", 443, "/@user:pass")),
        ("https://xn--brn-0ra.example/", Target("https", "xn--brn-0ra.example", 443, "/")),
        ("https://my_service.example.org/", Target("https", "my_service.example.org", 443, "/")),
        ("https://1.example/", Target("https", "1.example", 443, "/")),
        (f"https://{PUBLIC}/", Target("https", PUBLIC, 443, "/")),
        (f"https://[{PUBLIC_6.upper()}]:444/", Target("https", PUBLIC_6, 444, "/")),
        ("https://[2606:2800:0220:0001:0248:1893:25c8:1946]", Target("https", PUBLIC_6, 443, "/")),
    ],
)
def test_taken_apart(url: str, expected: Target) -> None:
    assert parse(url) == expected


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("https://example.org", "example.org"),
        ("https://example.org:443", "example.org"),
        ("https://example.org:80", "example.org:80"),
        ("http://example.org:80", "example.org"),
        (f"https://[{PUBLIC_6}]:8443", f"[{PUBLIC_6}]:8443"),
    ],
)
def test_the_host_header_names_a_port_only_where_it_is_unusual(url: str, authority: str) -> None:
    assert parse(url, allow_http=True).authority == authority


# Texts that are refused whatever is allowed: no URLs of ours, or spellings that parsers disagree about.
MALFORMED = [
    "",
    "example.org",
    "//example.org/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "unix:/run/docker.sock",
    "https:/example.org",
    "https:example.org",
    "https:///example.org",
    "https://",
    "https:///",
    "https://:443/",
    "https://?a",
    "https://user@example.org/",
    "https://user:password@example.org/",
    "https://@example.org/",
    "https://example.org@127.0.0.1/",
    "https://127.0.0.1\\@example.org/",
    "https://example.org\\@127.0.0.1/",
    "https:\\\\example.org/",
    "https://example.org\\",
    "https://example.org#@127.0.0.1/",
    "https://example.org/#fragment",
    "https://example.org#",
    " https://example.org/",
    "https://example.org/ ",
    "https://example.org/\n",
    "https://example.org\n.evil.example/",
    "https://example.org/\r\nHost: internal",
    "https://example.org/\tx",
    "ht\ntps://example.org/",
    "https://exam\tple.org/",
    "https://example.org/\x00",
    "https://example.org\x00.evil.example/",
    "https://example.org/a b",
    "https://example.org/<script>",
    "https://example.org/%",
    "https://example.org/%2",
    "https://example.org/%zz",
    "https://example.org:/",
    "https://example.org:0/",
    "https://example.org:65536/",
    "https://example.org:99999999999/",
    "https://example.org:-1/",
    "https://example.org:+443/",
    "https://example.org:44 3/",
    "https://example.org:443:80/",
    "https://example.org:https/",
    "https://example.org:0x1bb/",
    "https://example.org./",
    "https://example.org../",
    "https://127.0.0.1./",
    "https://localhost./",
    "https://./",
    "https://.example.org/",
    "https://a..example.org/",
    "https://-a.example.org/",
    "https://a-.example.org/",
    "https://*.example.org/",
    "https://exa%6dple.org/",
    "https://127%2e0.0.1/",
    "https://" + "a" * 64 + ".example.org/",
    "https://" + "a." * 127 + "org/",
    "https://example.org/" + "a" * 2048,
    # Dots, digits and letters that IDNA maps to plain ones, and letters that casefold to them.
    "https://127。0。0。1/",
    "https://127．0．0．1/",
    "https://１２７.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://ⓛocalhost/",
    "https://ſervice.example.org/",
    "https://e\u212aample.org/",
    "https://faß.example.org/",
    "https://example\u00ad.org/",
    "https://example\u200b.org/",
    "https://björn.example.org/",
    # Other spellings of 127.0.0.1 and its neighbours.
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://0X7F.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0177.0.0.01/",
    "https://127.0.0.01/",
    "https://127.0.0.0x1/",
    "https://127.0.0.0x/",
    "https://127.0.0.1.1/",
    "https://127.0.0.256/",
    "https://0/",
    "https://00/",
    "https://4294967297/",
    "https://example.1/",
    "https://example.0x7f/",
    f"https://{PUBLIC}.5/",
    "https://[]/",
    "https://[127.0.0.1]/",
    "https://[::1/",
    "https://::1/",
    "https://[::1]x/",
    "https://[::1]]/",
    "https://[[::1]]/",
    "https://[fe80::1%25eth0]/",
    "https://[fe80::1%eth0]/",
    "https://[v1.fe80::a]/",
    "https://[1:2:3:4:5:6:7]/",
    "https://[::ffff:127.1]/",
    "https://[::12345]/",
]


@pytest.mark.parametrize("url", MALFORMED)
def test_malformed(url: str) -> None:
    for allowed in (False, True):
        with pytest.raises(Refused):
            parse(url, allow_http=allowed, allow_private=allowed)


@pytest.mark.parametrize("url", ["http://example.org/", "HTTP://example.org:443/", f"http://{PUBLIC}/"])
def test_http_needs_to_be_allowed(url: str) -> None:
    with pytest.raises(Refused, match="Only https"):
        parse(url)
    assert parse(url, allow_http=True).scheme == "http"
    assert parse(url, allow_private=True).scheme == "http"


SPECIAL = [
    "0.0.0.0",
    "0.0.0.1",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::127.0.0.1",
    f"::{PUBLIC}",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    f"::ffff:{PUBLIC}",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::169.254.169.254",
    "64:ff9b::224.0.0.1",
    "64:ff9b:1::127.0.0.1",
    f"64:ff9b:1::{PUBLIC}",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::1",
    "2002:5db8:d822::1",
    "3ffe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fdff:ffff::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]

ORDINARY = [
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "126.255.255.255",
    "128.0.0.1",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "192.169.0.1",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    PUBLIC,
    PUBLIC_6,
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2a00:1450:4001::1",
    f"64:ff9b::{PUBLIC}",
]


def written(address: str) -> str:
    return f"https://[{address}]/" if ":" in address else f"https://{address}/"


@pytest.mark.parametrize("address", SPECIAL)
def test_special_addresses_are_refused_as_text_and_as_answers(address: str) -> None:
    with pytest.raises(Refused, match="not a public address"):
        parse(written(address))
    with pytest.raises(Refused, match="public addresses only"):
        resolve(parse("https://example.org/"), lookup=lambda _host, _port: [address])
    allowed = parse(written(address), allow_private=True)
    assert resolve(allowed, allow_private=True) == (ip_address(address),)
    # A target that another setting let through is judged again.
    with pytest.raises(Refused):
        resolve(allowed)


@pytest.mark.parametrize("address", ORDINARY)
def test_ordinary_addresses_are_allowed_as_text_and_as_answers(address: str) -> None:
    assert resolve(parse(written(address))) == (ip_address(address),)
    assert resolve(parse("https://example.org/"), lookup=lambda _host, _port: [address]) == (ip_address(address),)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_what_the_standard_library_calls_special_is_never_public(address: targets.Address) -> None:
    special = (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_reserved
        or address.is_unspecified
    )
    if special and address not in ip_network("64:ff9b::/96"):
        assert not targets.is_public(address)


@pytest.mark.parametrize(
    "addresses",
    [[PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, PUBLIC_6, "::1"], [PUBLIC, "fe80::1%1"], ["fe80::1%lo"]],
)
def test_one_address_that_is_not_public_is_enough_to_refuse(addresses: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        resolve(parse("https://example.org/"), lookup=lambda _host, _port: addresses)
    assert str(refused.value) == "example.org does not lead to public addresses only."


def test_a_scoped_address_is_never_public() -> None:
    assert targets.is_public(ip_address("2606::1"))
    assert not targets.is_public(ip_address("2606::1%1"))


def test_addresses_keep_their_order_and_come_once() -> None:
    asked: list[tuple[str, int]] = []

    def lookup(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return [PUBLIC_6, PUBLIC, PUBLIC_6]

    assert resolve(parse("https://Example.org:8443/"), lookup=lookup) == (ip_address(PUBLIC_6), ip_address(PUBLIC))
    assert asked == [("example.org", 8443)]


def test_an_address_is_not_looked_up() -> None:
    def lookup(host: str, port: int) -> list[str]:
        raise AssertionError

    assert resolve(parse(f"https://{PUBLIC}/"), lookup=lookup) == (ip_address(PUBLIC),)


@pytest.mark.parametrize("host", ["localhost", "intranet", "kubernetes", "metadata"])
def test_names_of_one_label_are_for_private_use(host: str) -> None:
    with pytest.raises(Refused, match="has a dot"):
        parse(f"https://{host}/")
    assert parse(f"https://{host}/", allow_private=True).host == host


def failing(error: Exception) -> targets.Lookup:
    def lookup(host: str, port: int) -> Sequence[str]:
        raise error

    return lookup


@pytest.mark.parametrize(
    "lookup",
    [
        failing(socket.gaierror(socket.EAI_NONAME, "Name or service not known")),
        failing(OSError("no network")),
        failing(UnicodeError("label too long")),
        lambda _host, _port: [],
        lambda _host, _port: ["nonsense"],
        lambda _host, _port: ["127.1"],
    ],
)
def test_hosts_without_addresses(lookup: targets.Lookup) -> None:
    for allowed in (False, True):
        with pytest.raises(Unresolved, match=r"example\.org"):
            resolve(parse("https://example.org/"), lookup=lookup, allow_private=allowed)


def test_a_lookup_that_hangs_is_given_up() -> None:
    go_on = threading.Event()

    def lookup(host: str, port: int) -> list[str]:
        go_on.wait(20)
        return [PUBLIC]

    with pytest.raises(Unresolved, match="too long"):
        resolve(parse("https://example.org/"), lookup=lookup, timeout=0.01)
    go_on.set()


def test_the_systems_lookup_answers_with_addresses() -> None:
    found = targets.system_lookup("localhost", 80)
    assert found
    assert all(ip_address(each).is_loopback for each in found)
    with pytest.raises(Refused):
        resolve(parse("https://localhost/", allow_private=True))


@pytest.mark.parametrize("url", [each for each in MALFORMED if "password" in each or "fragment" in each])
def test_refusals_do_not_repeat_what_may_be_secret(url: str) -> None:
    with pytest.raises(Refused) as refused:
        parse(url.replace("password", "s3cret").replace("fragment", "s3cret"))
    assert "s3cret" not in str(refused.value)
