"""The documentation site: built without a warning, with links that lead somewhere, and nothing from elsewhere."""

from __future__ import annotations

import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.e2e.fenced import REPOSITORY, documents
from tests.site import builder, site

ELSEWHERE = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+(/\S*)?")
PLACEHOLDERS = ("<", "*", "{", "GAME", "NAME")
OUTSIDE_THE_SITE = {"../docs"}
"""By links of the site, what the service has beside it."""


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in ("next", "prev"):
            self.loaded.append(values["href"])
        self.loaded += [values[name] for name in ("src", "data", "poster") if name in values]
        self.loaded += [part.split()[0] for part in values.get("srcset", "").split(",") if part.strip()]


@cache
def read(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


@pytest.fixture(scope="module", name="site")
def built() -> Path:
    return site()


def pages(site: Path) -> Iterator[Path]:
    found = sorted(site.rglob("*.html"))
    assert len(found) > 20
    yield from found


def broken(site: Path, file: Path, link: str) -> bool:
    """Whether it leads nowhere. The site's addresses are those of folders."""
    parts = urlsplit(link)
    if parts.scheme:
        return ELSEWHERE.fullmatch(link) is None
    there = posixpath.normpath(posixpath.join(file.relative_to(site).parent.as_posix(), unquote(parts.path)))
    if there in OUTSIDE_THE_SITE:
        return False
    target = site / there if parts.path else file
    if target.is_dir():
        target /= "index.html"
    if there.startswith("..") or not target.is_file():
        return True
    return bool(parts.fragment) and target.suffix == ".html" and unquote(parts.fragment) not in read(target).ids


def test_every_link_leads_somewhere(site: Path) -> None:
    lost = [
        (file.relative_to(site).as_posix(), link)
        for file in pages(site)
        for link in read(file).links
        if broken(site, file, link)
    ]
    assert lost == []


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    loaded = [(file, each) for file in pages(site) for each in read(file).loaded]
    assert len(loaded) > 100
    for file, each in loaded:
        assert not urlsplit(each).scheme or each.startswith("data:"), (file, each)
        assert not urlsplit(each).netloc, (file, each)
        assert not broken(site, file, each), (file, each)
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\([\"']?(?!data:|#)[a-z]*:?//", text), sheet
    assert not [file for ending in ("woff", "woff2", "ttf") for file in site.rglob(f"*.{ending}")]


def test_every_page_is_in_the_navigation(site: Path) -> None:
    start = read(site / "index.html")
    listed = {posixpath.normpath(link.partition("#")[0]) for link in start.links}
    for page in builder().sources():
        assert posixpath.normpath(page.removesuffix("index.md").removesuffix(".md") or ".") in listed | {"."}, page


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[there](nowhere.md)", "page does not exist"),
        ("[there](index.md#nowhere)", "anchor does not exist"),
        ("::: holmgang.Nobody", "Nobody"),
    ],
)
def test_what_is_broken_ends_the_build(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/index.md").write_text(f"# A page\n\n{text}\n", encoding="utf-8")
    settings = (REPOSITORY / "docs/zensical.toml").read_text(encoding="utf-8")
    own = re.sub(r"nav = \[.*?\n\]\n", "", settings, flags=re.DOTALL)
    (tmp_path / "zensical.toml").write_text(own, encoding="utf-8")
    (tmp_path / "service").symlink_to(REPOSITORY / "service")
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run(
        [zensical, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert built.returncode != 0
    assert why in built.stdout + built.stderr


def test_links_between_documents_lead_to_files() -> None:
    for document in documents():
        text = (REPOSITORY / document).read_text(encoding="utf-8")
        for link in builder().LINK.finditer(builder().CODE.sub("", text)):
            target = link["target"].partition("#")[0]
            if target and not target.startswith(("https://", builder().REFERENCE)):
                assert ((REPOSITORY / document).parent / target).exists(), f"{document} links to {target}"
            elif "://" in target:
                assert ELSEWHERE.fullmatch(target), f"{document} links to {target}"


def test_paths_that_documents_name_are_there() -> None:
    """What the changelog names may be gone."""
    folders = "bench|deploy|docs|examples|migrations|openapi|service|tests"
    for document in set(documents()) - {"CHANGELOG.md"}:
        text = (REPOSITORY / document).read_text(encoding="utf-8")
        for path in re.findall(rf"`((?:{folders})/[^\s`:]*)", text):
            if not any(sign in path for sign in PLACEHOLDERS):
                assert (REPOSITORY / path).exists(), f"{document} names {path}"


def test_the_readme_is_one_that_people_read_to_its_end() -> None:
    assert (REPOSITORY / "README.md").stat().st_size <= 8 * 1024
