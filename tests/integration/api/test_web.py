"""The web table's files: closed in themselves, cached by tag, and served beside the API."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from holmgang import registry
from holmgang.engine.palette import style
from holmgang.languages.catalogue import LANGUAGES
from holmgang.web.files import FOLDER, digest, files, page
from holmgang.web.pages import POLICY
from tests.games import MODULE

from .calling import Api

ISLAND = [{"part": part, "x": 0, "y": y, "turn": 0} for part, y in (("single", 0), ("double", 4), ("double", 8))]
"""One that is higher than the usual island."""

NAMES = sorted(files())
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_its_type_its_policy_and_a_tag(api: Api, name: str) -> None:
    answer = api.call("GET", f"/web/{name}", status=200)
    kinds = {
        "css": "text/css",
        "html": "text/html",
        "js": "text/javascript",
        "png": "image/png",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    }
    assert answer.mimetype == kinds[name.rpartition(".")[2]]
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "public, no-cache"
    tag = answer.headers["ETag"]
    assert not tag.startswith("W/")
    again = api.call("GET", f"/web/{name}", status=304, If_None_Match=tag)
    assert again.get_data() == b""
    assert again.headers["ETag"] == tag
    assert api.call("HEAD", f"/web/{name}", status=200).get_data() == b""


def test_a_file_is_kept_for_ever_by_the_address_that_names_what_all_are(api: Api) -> None:
    (shown,) = re.findall(r"/web/(\w+)/app.js", api.call("GET", "/", status=200, Accept=BROWSER).get_data(as_text=True))
    assert shown == digest()
    for name in NAMES:
        kept = api.call("GET", f"/web/{shown}/{name}", status=200)
        assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert kept.headers["Content-Security-Policy"] == POLICY
        plain = api.call("GET", f"/web/{name}", status=200)
        assert (kept.get_data(), kept.headers["ETag"]) == (plain.get_data(), plain.headers["ETag"])
    other = api.call("GET", f"/web/{'0' * 16}/app.js", status=200)  # of a page that was there before this release
    assert other.headers["Cache-Control"] == "public, no-cache"
    for path in (f"{shown}/nothing.js", f"{shown}/", shown, f"{shown}/{shown}/app.js"):
        api.problem("GET", f"/web/{path}", 404, "not_found")


def test_the_page_names_files_by_that_address_alone() -> None:
    text = page("/below").content.decode()
    named = ("icon.svg", "icon-180.png", "app.webmanifest", "style.css", "app.js")
    assert set(re.findall(r'="/[^"]*"', text)) - {'="/below/docs"'} == {
        f'="/below/web/{digest()}/{name}"' for name in named
    }


@pytest.mark.parametrize("known", ["*", '"other", W/{tag}'])
def test_every_way_to_say_what_one_has_is_understood(api: Api, known: str) -> None:
    tag = api.call("GET", "/web/style.css", status=200).headers["ETag"]
    assert api.call("GET", "/web/style.css", status=304, If_None_Match=known.format(tag=tag)).get_data() == b""


def test_what_nobody_changes_has_no_conditions_to_fail(api: Api) -> None:
    for path in ("/", "/games/019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff"):
        for known in ("*", '"other"'):
            assert api.call("GET", path, status=200, Accept=BROWSER, If_Match=known).mimetype == "text/html"


def test_the_page_is_the_same_for_every_game_and_everybody(api: Api) -> None:
    first = api.call("GET", "/", status=200, Accept=BROWSER)
    other = api.call("GET", "/games/019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff", status=200)
    assert first.get_data() == other.get_data() == page("").content
    assert first.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        (BROWSER, "text/html"),
        ("text/html", "text/html"),
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/json, text/html;q=0.9", "application/json"),
        ("image/png", "application/json"),
    ],
)
def test_programs_get_the_index_and_browsers_the_page(api: Api, accept: str, mimetype: str) -> None:
    for method in ("GET", "HEAD"):
        answer = api.call(method, "/", status=200, Accept=accept)
        assert answer.mimetype == mimetype
        assert "Accept" in answer.headers["Vary"]
    assert api.get("/")["links"]["games"] == "/v1/games"


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = dict(part.strip().partition(" ")[::2] for part in POLICY.split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["manifest-src"] == "'self'"
    assert policy["img-src"] == "'self' data:"
    assert "unsafe" not in POLICY


@pytest.mark.parametrize("name", NAMES)
def test_a_file_names_no_other_server_and_nothing_that_the_policy_forbids(name: str) -> None:
    text = files()[name].content.decode(errors="replace")
    links = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
    assert not links
    assert not re.search(r"\sstyle=|\son[a-z]+=\"|\beval\(|innerHTML|new Function", text)
    assert not name.endswith((".html", ".svg")) or not re.search(r"<style|<script>", text)


def test_modules_import_only_what_there_is() -> None:
    for name, found in files().items():
        if not name.endswith(".js"):
            continue
        folder = name.rpartition("/")[0]
        for path in re.findall(r"""(?:from|import)\s*\(?["'](\.[^"']+)["']""", found.content.decode()):
            parts = folder.split("/") if folder else []
            for step in path.split("/"):
                if step == "..":
                    parts.pop()
                elif step != ".":
                    parts.append(step)
            assert "/".join(parts) in files(), f"{name} imports {path}"


def told() -> list[dict[str, Any]]:
    """What the page is told of games."""
    (listed,) = re.findall(r"const \$default = (\[.*\]);\n", files()["app.js"].content.decode())
    found: list[dict[str, Any]] = json.loads(listed)
    return found


def test_the_page_is_told_of_every_game() -> None:
    assert [one["ruleset"] for one in told()] == list(registry.names())
    for one in told():
        assert one["usual"] in one["seats"]
        assert len({text for text in one["blurb"].values() if text}) == len(LANGUAGES)
        served = {name.removeprefix(f"games/{one['ruleset']}/") for name in files() if one["ruleset"] in name}
        assert one["lesson"] == ("lesson.js" in served), "it is fetched by those who learn"
        assert one["screen"] is True
        assert one["style"] == ("style.css" in served)
        assert base64.b64decode(one["sign"].partition(",")[2]) == files()[f"games/{one['ruleset']}/sign.svg"].content


@pytest.mark.parametrize("name", registry.names())
def test_nothing_of_the_house_names_a_game(name: str) -> None:
    for path in FOLDER.iterdir():
        assert name not in path.read_text(errors="replace").lower(), path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_there_is_a_board_for_those_who_wait(api: Api, name: str, language: str) -> None:
    for seats in registry.latest(name).seat_counts:
        answer = api.call("GET", f"/web/{digest()}/boards/{name}-{seats}.{language}.svg", status=200)
        assert answer.mimetype == "image/svg+xml"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        picture = answer.get_data(as_text=True)
        assert f'lang="{language}"' in picture
        assert len(set(re.findall(r' data-seat="(\d)"', picture))) == seats
        view = api.call("GET", f"/web/boards/{name}-{seats}.{language}.json", status=200)
        assert view.mimetype == "application/json"
        shown = json.loads(view.data)
        assert (len(shown["seats"]), shown["players"]) == (seats, seats)
    least = f"/web/boards/{name}-{min(registry.latest(name).seat_counts)}.{language}.svg"
    own = {"drakkars": {"fjords": [1, 20]}, "claim": {"layout": ISLAND}}.get(name, {})
    usual, by_options = (
        api.call("GET", f"{least}?{urlencode({'options': json.dumps(options)})}", status=200).data
        for options in ({}, own)
    )
    assert (usual == by_options) == (not own)
    for refused in ('{"none": 1}', "[]", "{", '{"a": 1, "a": 1}', "[" * 99):
        api.problem("GET", f"{least}?{urlencode({'options': refused})}", 404, "not_found")
    for other in (f"{name}-1.{language}", f"{name}-2.xx", f"{name}-2", f"x{name}-2.{language}"):
        api.problem("GET", f"/web/boards/{other}.svg", 404, "not_found")


def test_boards_in_the_page_wear_the_colours_of_pictures() -> None:
    assert style("auto") in files()["style.css"].content.decode()


@pytest.mark.parametrize("path", ["/web/", "/web/nothing.js", "/web/../pages.py", "/web/%2e%2e/files.py", "/games/x"])
def test_what_is_not_there_is_a_problem(api: Api, path: str) -> None:
    api.problem("GET", path, 404, "not_found")


def test_files_are_only_read(api: Api) -> None:
    api.problem("POST", "/", 405, "method_not_allowed", json={})


@pytest.fixture
def toy_files(toy: Path) -> Iterator[Path]:
    """The web folder of a game that is a package, which is served with the others."""
    anew()
    yield toy / MODULE / "web"
    anew()


def anew() -> None:
    for made in (files, digest, page):
        made.cache_clear()


def test_games_of_packages_are_served_alike(toy_files: Path, api: Api) -> None:
    for name, kind in (("screen.js", "text/javascript"), ("style.css", "text/css"), ("sign.svg", "image/svg+xml")):
        answer = api.call("GET", f"/web/games/toy/{name}", status=200)
        assert (answer.mimetype, answer.headers["Content-Security-Policy"]) == (kind, POLICY)
        brought = (toy_files / name).read_text()
        assert answer.get_data(as_text=True) == brought or brought[-60:].partition("\n")[2] in answer.get_data(
            as_text=True
        )
        assert api.call("GET", f"/web/games/toy/{name}", status=304, If_None_Match=answer.headers["ETag"])
    assert "toy" in [one["ruleset"] for one in told()]


def test_of_a_game_only_what_browsers_show_is_served(toy_files: Path, api: Api) -> None:
    secret = toy_files.parent / "secret.json"
    secret.write_text("{}")
    (toy_files / "more" / "deep").mkdir(parents=True)
    (toy_files / "more" / "deep" / "piece.png").write_bytes(b"\x89PNG")
    for name in ("page.html", "notes.txt", "tool.py", "bare", ".js"):
        (toy_files / name).write_text("no")
    (toy_files / "round").symlink_to(toy_files.parent)
    (toy_files / "again").symlink_to(toy_files)
    anew()
    served = {name for name in files() if name.startswith("games/toy/")}
    assert served == {f"games/toy/{n}" for n in ("screen.js", "style.css", "sign.svg", "more/deep/piece.png")}
    assert api.call("GET", "/web/games/toy/more/deep/piece.png", status=200).mimetype == "image/png"
    for name in (
        "page.html",
        "secret.json",
        "link.json",
        "../secret.json",
        "..%2fbot.py",
        "more",
        "",
        "../../RULES.md",
    ):
        api.problem("GET", f"/web/games/toy/{name}", 404, "not_found")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_files_that_cannot_be_read_take_nothing_else_along(toy_files: Path, api: Api) -> None:
    (toy_files / "style.css").chmod(0)
    anew()
    api.problem("GET", "/web/games/toy/screen.js", 404, "not_found")
    assert "Toy" in [one["title"] for one in told()]


@pytest.mark.parametrize(
    "path",
    [
        "games/", "games/claim", "games/claim/", "games/claim/bot.py", "games/claim/RULES.md",
        "games/claim/../RULES.md",
        "games/claim/rules/rules.py", "games/claim/..%2fbot.py", "games/nothing/screen.js", "games/../files.py",
        "games/__init__.py", "games/drakkars/../claim/none.js", "claim.svg",
    ],
)  # fmt: skip
def test_what_a_game_does_not_have_is_a_problem(api: Api, path: str) -> None:
    api.problem("GET", f"/web/{path}", 404, "not_found")
