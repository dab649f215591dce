"""Headers by which clients choose: as RFC 9110 has them, however they are written, and however proxies changed tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.languages.negotiation import negotiate
from holmgang.negotiation import matches, media_type, preferred_wait, takes_gzip

JSON, STREAM = "application/json", "text/event-stream"


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", JSON),
        ("*/*", JSON),
        (STREAM, STREAM),
        ("Text/Event-Stream", STREAM),
        ("TEXT/EVENT-STREAM ; Q=1", STREAM),
        ("text/event-stream;charset=utf-8", STREAM),
        ("text/event-stream; charset=UTF-8;q=0.9, application/json;q=0.8", STREAM),
        ("text/event-stream, */*", STREAM),
        ("text/*", STREAM),
        ("text/event-stream;q=0.001", STREAM),
        ("text/event-stream;q=0.9, application/json;q=0.8", STREAM),
        ("application/json;q=0.8,text/event-stream;q=0.9", STREAM),
        (",, ,text/event-stream,", STREAM),
        ("application/json;q=0, text/event-stream", STREAM),
        ("application/json;q=0, */*;q=0.1", STREAM),
        ("application/json, text/event-stream;q=0", JSON),
        ("application/json, text/event-stream", JSON),
        ("text/event-stream;q=0", JSON),
        ("text/event-stream;q=0, */*", JSON),
        ("*/*, text/event-stream;q=0", JSON),
        ("text/*, text/event-stream;q=0", JSON),
        ("text/event-stream;q=0.5, */*;q=0.8", JSON),
        ("text/event-stream-not", JSON),
        ("x-text/event-stream", JSON),
        ('application/json;about="text/event-stream, x"', JSON),
        ('application/json;about="text/event-stream", */*;q=0.1', JSON),
        ("image/png", JSON),
        ("*/*;q=0", JSON),
        ("nonsense", JSON),
        ("text/event-stream;q=nonsense", JSON),
    ],
)
def test_media_types_are_chosen_by_quality_and_specificity(accept: str, wanted: str) -> None:
    assert media_type(accept, JSON, STREAM) == wanted


@pytest.mark.parametrize(
    ("accept_encoding", "taken"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("x-gzip", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.001", True),
        ("deflate,,gzip ;q=1", True),
        ("*", True),
        ("identity;q=0, *;q=0.5", True),
        ("identity;q=0.5, gzip;q=0.5", True),
        ("", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("x-gzip;q=0, *", False),
        ("*;q=0", False),
        ("identity", False),
        ("identity, gzip;q=0.5", False),
        ("br", False),
        ("gzipped, not-gzip", False),
        ("gzip;q=2", False),
    ],
)
def test_gzip_is_sent_to_who_takes_it(accept_encoding: str, taken: bool) -> None:
    assert takes_gzip(accept_encoding) is taken


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [
        ("wait=10", 10),
        ("WAIT = 10", 10),
        ('wait="10"', 10),
        ("respond-async, wait=10", 10),
        ("respond-async,wait=10; x=1", 10),
        ("wait=10, wait=20", 10),
        ("wait=1000000000000", 1000000000000),
        ("wait", None),
        ("wait=", None),
        ("wait=x, wait=10", None),
        ("wait=1.5", None),
        ("wait=-1", None),
        ("await=10", None),
        ("foo; wait=10", None),
        ('foo="x, wait=10"', None),
        ("foo=x wait=10", None),
        ("", None),
    ],
)
def test_a_preference_is_one_of_its_own(prefer: str, seconds: int | None) -> None:
    assert preferred_wait(prefer) == seconds


@pytest.mark.parametrize(
    ("accept_language", "language"),
    [
        ("nl", "nl"),
        ("NL-be;Q=0.5, en;q=0.4", "nl"),
        ("fr;q=0.4, nl;q=0.5", "nl"),
        ("fr;q=0.001", "fr"),
        ("fr;q=0", "en"),
        ("en;q=0, *", "fr"),
        ("en;q=0, fr;q=0, *;q=0.1", "nl"),
        ("*, en;q=0.5, fr;q=0.5", "nl"),
        ("de, *;q=0.5", "en"),
        ("de, *;q=0.5, nl;q=0.7", "nl"),
        ("*;q=0", "en"),
        ("fr-CH;q=0, fr", "fr"),
        ("fr-CH, fr-CH-x;q=0.5, nl;q=0.9", "fr"),
        (",,nl,", "nl"),
        ("x" * 295 + ";q=0,nl;q=0.5", "en"),
        ("nl;q=0.5, " * 29 + "fr-FR;q=0.9", "nl"),
        ("fr;q=x, nl;q=0.1", "nl"),
    ],
)
def test_languages_are_chosen_by_quality(accept_language: str, language: str) -> None:
    assert negotiate(accept_language) == language


OPAQUE = ("12.s.0.v1", "12.0.3.tv2", "7.2.0.e1.0.50", "b8e0f3a1c9d84e5f60718293", "4.s.0.p2.auto.nl.at7.1", "3.l1")
CODINGS = ("gzip", "br", "zstd", "deflate", "compress")
ENDINGS = ("", *(f"{mark}{coding}" for mark in ("-", "--", ";", "+", ":") for coding in CODINGS), "-GZIP", ";gz", ";;;")
ending, opaque = st.sampled_from(ENDINGS), st.sampled_from(OPAQUE)
weak = st.sampled_from(["", "W/", "w/", "W/W/"])


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, str]:
    """A tag of ours, and what proxies in a row have made of it."""
    ours = draw(opaque)
    within = "".join(draw(st.lists(ending, max_size=2)))
    return ours, f'{draw(weak)}"{ours}{within}"{draw(ending)}'


@given(changed(), st.lists(st.sampled_from(['"other"', 'W/"x-gzip"', "", '"a,b"', "nonsense"]), max_size=3), st.data())
def test_a_tag_is_known_however_a_proxy_changed_it(
    tag: tuple[str, str], others: list[str], data: st.DataObject
) -> None:
    ours, given = tag
    listed = others.copy()
    listed.insert(data.draw(st.integers(0, len(others))), given)
    header = data.draw(st.sampled_from([", ", ",", " , "])).join(listed)
    assert matches(header, f'W/"{ours}"')
    assert matches(header, f'"{ours}"')
    assert not matches(", ".join(others), f'W/"{ours}"')


@given(opaque, changed())
def test_another_tag_is_not_taken_for_it(ours: str, other: tuple[str, str]) -> None:
    assert matches(other[1], f'W/"{ours}"') is (other[0] == ours)


@pytest.mark.parametrize(
    "header",
    [
        '"12.s.0.v1x"',
        '"12.s.0.v1-"',
        '"12.s.0.v1-foo"',
        '"12.s.0.v1-gzip-foo"',
        '"12.s.0.v1gzip"',
        '"12.s.0.v"',
        '"-gzip"',
        '"x12.s.0.v1"',
        '"12.s.0.v1"-foo',
        '"12.s.0.v1"x',
        "12.s.0.v1",
        '"a,*,b"',
        '"*"',
        'W/"*"',
        "",
        ",",
        '"',
        '""',
        'W/""',
    ],
)
def test_what_never_was_ours_is_no_tag(header: str) -> None:
    assert not matches(header, 'W/"12.s.0.v1"')
