"""The documentation site as the service has it below /docs/, and what is there where it was not built."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holmgang.web import docs

from .calling import Api

PAGE = "<!doctype html><title>Guide</title><script>first()</script><script src='a.js'></script><p>" + "x" * 2000


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Has the service look for the site in a folder."""

    def forget() -> None:
        for kept in (docs.names, docs._folder, docs._file):
            kept.cache_clear()

    def look(folder: Path) -> None:
        monkeypatch.setattr(docs, "BUILT", (folder.parent / "nowhere", folder))
        forget()

    yield look
    monkeypatch.undo()
    forget()


@pytest.fixture
def site(tmp_path: Path, lying: Callable[[Path], None]) -> Path:
    folder = tmp_path / "site"
    (folder / "how-to/operate").mkdir(parents=True)
    (tmp_path / "secret.html").write_text("hidden")
    (folder / "index.html").write_text("start")
    (folder / "how-to/operate/index.html").write_text(PAGE)
    (folder / "a.js").write_text("first()")
    (folder / "search.json").write_text("{}")
    (folder / "objects.inv").write_bytes(b"\x00")
    lying(folder)
    return folder


def test_its_pages_and_files_are_served_with_their_types_and_tags(api: Api, site: Path) -> None:
    for path, kind in [("", "text/html"), ("how-to/operate/", "text/html"), ("a.js", "text/javascript")]:
        answer = api.call("GET", f"/docs/{path}", status=200)
        assert answer.mimetype == kind
        assert answer.headers["Cache-Control"] == "public, no-cache"
        again = api.call("GET", f"/docs/{path}", status=304, If_None_Match=answer.headers["ETag"])
        assert again.headers["ETag"] == answer.headers["ETag"]
        head = api.call("HEAD", f"/docs/{path}", status=200)
        assert (head.get_data(), head.headers["ETag"]) == (b"", answer.headers["ETag"])
        assert head.headers["Content-Length"] == str(len(answer.get_data()))


def test_a_page_is_packed_and_lets_run_what_stands_in_it(api: Api, site: Path) -> None:
    answer = api.call("GET", "/docs/how-to/operate/", status=200, Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    # printf 'first()' | openssl dgst -sha256 -binary | base64
    assert "script-src 'self' 'sha256-fDYmfWjvur9AxjhDbjHe6RvExc05MbXhhrbgz2vvy/A=';" in policy


def test_a_page_is_found_without_the_slash_at_its_end(api: Api, site: Path) -> None:
    answer = api.call("GET", "/docs/how-to/operate", status=308)
    assert answer.headers["Location"] == "operate/"  # also below a path


@pytest.mark.parametrize(
    "path",
    [
        "nowhere",
        "how-to",
        "how-to/",
        "../secret.html",
        "%2e%2e/secret.html",
        "/etc/passwd",
        "objects.inv",
        "a.js/",
        "index",
        "a.js\x00",
    ],
)
def test_nothing_else_is_found(api: Api, site: Path, path: str) -> None:
    answer = api.call("GET", f"/docs/{path}", Accept_Language="fr")
    assert answer.status_code in (400, 404)
    assert answer.mimetype == "application/problem+json"
    assert b"hidden" not in answer.get_data()


def test_what_is_missing_is_told_in_the_language_of_the_reader(api: Api, site: Path) -> None:
    answer = api.call("GET", "/docs/nowhere", status=404, Accept_Language="fr")
    assert answer.headers["Content-Language"] == "fr"


def test_a_service_without_the_site_says_how_to_build_it(
    api: Api, tmp_path: Path, lying: Callable[[Path], None]
) -> None:
    lying(tmp_path / "site")
    answer = api.call("GET", "/docs/", status=200)
    told = answer.get_data(as_text=True)
    assert "<code>make docs</code>" in told
    assert re.findall(r'href="(.*?)"', told) == ["../docs"]
    api.call("GET", "/docs/how-to/operate/", status=404)
    reference = api.call("GET", "/docs", status=200).get_data(as_text=True)
    assert "API reference" in reference
    assert 'href="/docs/"' in reference
