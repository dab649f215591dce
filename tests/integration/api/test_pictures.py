"""Pictures of boards over HTTP: who may see them, what they are sent with, and how they are asked for."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from holmgang import registry
from holmgang.app.play.position import position
from holmgang.engine.palette import THEMES
from holmgang.languages.catalogue import tongue
from tests.games import MODULE, install, known
from tests.pictures.drawing import NAMESPACE, Drawn

from .calling import Api, Table

UNKNOWN = "019a0c5f-ff00-7d20-8a70-0f4be9c3d1ff"


def drawn(api: Api, table: Table, token: str | None = None, query: str = "") -> str:
    answer = api.call("GET", f"{table.path}/board.svg{query}", token=token, status=200)
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    return answer.get_data(as_text=True)


def seat_of(picture: str) -> list[str]:
    """The texts by which a picture tells whose it is."""
    return [text.text or "" for text in Drawn(picture).texts() if re.search(r"\byou\b", text.text or "")]


@pytest.mark.parametrize("ruleset", registry.names())
def test_it_is_drawn_from_the_callers_view(api: Api, ruleset: str) -> None:
    table = api.table(3, ruleset=ruleset)
    table.play(6)
    rules = registry.latest(ruleset)
    pictures = [drawn(api, table, token) for token in (None, *(person.token for person in table.people))]
    assert len(set(pictures)) == 4
    assert [len(seat_of(picture)) for picture in pictures] == [0, 1, 1, 1]
    with api.app.extensions["holmgang"].store.reading() as tables:
        place = position(tables, tables.game_row(UUID(table.game), lock=False))
    for seat, picture in zip((None, 0, 1, 2), pictures, strict=True):
        assert picture == rules.picture(rules.view(place.state, seat), "auto")


@pytest.mark.parametrize("theme", THEMES)
def test_a_theme_is_fixed_and_its_style_is_all_that_the_policy_allows(api: Api, theme: str) -> None:
    table = api.table(2, ruleset="claim")
    answer = api.call("GET", f"{table.path}/board.svg?theme={theme}", status=200)
    (sheet,) = Drawn(answer.get_data(as_text=True)).root.iter(f"{NAMESPACE}style")
    assert ("prefers-color-scheme" in (sheet.text or "")) == (theme == "auto")
    digest = base64.b64encode(hashlib.sha256((sheet.text or "").encode()).digest()).decode()
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "sandbox": "",
    }
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_without_a_theme_it_follows_the_reader(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    assert drawn(api, table) == drawn(api, table, query="?theme=auto")


def test_head_tells_the_same_without_the_picture(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    path = f"{table.path}/board.svg"
    whole, head = api.call("GET", path, status=200), api.call("HEAD", path, status=200)
    assert head.get_data() == b""
    for name in ("Content-Type", "Content-Length", "ETag", "Content-Security-Policy", "Vary"):
        assert head.headers[name] == whole.headers[name]


@pytest.mark.parametrize(
    "query", ["?theme=blue", "?theme=", "?theme=light&theme=dark", "?as_seat=x", "?as_seat=-1", "?wait=5", "?n=1"]
)
def test_what_it_does_not_know_is_refused(api: Api, query: str) -> None:
    table = api.table(2, ruleset="claim")
    api.problem("GET", f"{table.path}/board.svg{query}", 422, "invalid_request")


def test_it_is_refused_as_the_view_is(api: Api) -> None:
    open_game = api.table(3, taken=1)
    closed = api.table(spectators=False)
    private = api.table(visibility="private")
    stranger = api.register("stranger").token
    reader = {"label": "t", "scopes": ["manage"]}
    no_reader = api.call("POST", "/v1/me/tokens", token=stranger, json=reader, status=201).get_json()["token"]
    asked: list[tuple[str, str | None, dict[str, Any]]] = [
        (open_game.path, open_game.token(0), {}),
        (open_game.path, None, {"If_None_Match": "*"}),
        (closed.path, None, {}),
        (closed.path, stranger, {}),
        (private.path, stranger, {}),
        (private.path, None, {}),
        (private.path, None, {"Holmgang_Invitation": "hgi_nothing"}),
        (f"/v1/games/{UNKNOWN}", stranger, {}),
        (closed.path, "hg_nothing", {}),
        (api.table().path, no_reader, {}),
        (api.table().path, stranger, {}),
    ]
    statuses = set()
    for path, token, more in asked:
        for query in ("", "?as_seat=0", "?as_seat=9"):
            answers = [api.call("GET", f"{path}/{part}{query}", token=token, **more) for part in ("view", "board.svg")]
            assert answers[0].status_code == answers[1].status_code
            statuses.add(answers[1].status_code)
            if answers[0].status_code != 200:
                told = [{**answer.get_json(), "request_id": ""} for answer in answers]
                assert told[0] == told[1]
    assert statuses >= {200, 401, 403, 404, 409}


def test_an_invitation_shows_it(api: Api) -> None:
    table = api.table(visibility="private", taken=3)
    secret = api.invite(table, uses=1)["secret"]
    answer = api.call("GET", f"{table.path}/board.svg", status=200, Holmgang_Invitation=secret)
    assert seat_of(answer.get_data(as_text=True)) == []
    assert len(seat_of(drawn(api, table, table.token(1)))) == 1


def test_who_practises_looks_as_each_seat(api: Api) -> None:
    table = api.table(practice=True)
    owner, path = table.people[0], f"{table.path}/board.svg"
    tags = set()
    for seat in range(3):
        answer = api.call("GET", f"{path}?as_seat={seat}", token=owner.token, status=200)
        tags.add(answer.headers["ETag"])
        (mine,) = [
            village for village in Drawn(answer.get_data(as_text=True)).groups("village")
            if any(re.search(r"\byou\b", text.text or "") for text in village.iter(f"{NAMESPACE}text"))
        ]  # fmt: skip
        assert mine.attrib["data-seat"] == str(seat)
        api.call("GET", f"{path}?as_seat={seat}", token=owner.token, status=304, If_None_Match=answer.headers["ETag"])
    assert len(tags) == 3


def test_it_stays_when_the_game_is_over(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    assert "The game is over." in drawn(api, table)


@pytest.mark.parametrize("part", ["board.svg", "view", "turn", "turn?include=view"])
def test_another_release_of_a_package_is_news(api: Api, tmp_path: Path, part: str) -> None:
    """Else browsers, which keep answers with their tags, would show old pictures and choices until the game goes on."""
    folders = [install(tmp_path / name) for name in ("first", "same", "edited")]
    (folders[2] / MODULE / "rules" / "more.py").write_text("MORE = 1\n")
    tags = []
    table = None
    for folder in folders:
        with known(folder):
            table = table or api.table(2, ruleset="toy")
            path, token = f"{table.path}/{part}", table.token(0)
            tags.append(api.call("GET", path, token=token, status=200).headers["ETag"])
            api.call("GET", path, token=token, status=304, If_None_Match=tags[-1])
            api.call("GET", path, token=token, status=200 if len(tags) == 3 else 304, If_None_Match=tags[0])
    assert tags[0] == tags[1] != tags[2]


@pytest.mark.parametrize("ruleset", registry.names())
def test_it_is_in_the_readers_language(api: Api, ruleset: str) -> None:
    table = api.table(3, ruleset=ruleset)
    path, rules = f"{table.path}/board.svg", registry.latest(ruleset)
    with api.app.extensions["holmgang"].store.reading() as tables:
        view = rules.view(position(tables, tables.game_row(UUID(table.game), lock=False)).state, 1)
    tags = {}
    for language, asked in {"en": "de, en", "fr": "fr-BE, nl;q=0.5", "nl": "nl"}.items():
        answer = api.call("GET", path, token=table.token(1), status=200, Accept_Language=asked)
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
        assert answer.get_data(as_text=True) == rules.picture(view, "auto", tongue(language))
        tags[language] = answer.headers["ETag"]
    assert len(set(tags.values())) == 3
    for language in tags:
        for other, tag in tags.items():
            status = 304 if other == language else 200
            told: dict[str, Any] = {"If_None_Match": tag, "Accept_Language": language}
            api.call("GET", path, token=table.token(1), status=status, **told)


def test_a_past_board_is_in_the_readers_language(api: Api) -> None:
    table = api.table(2, ruleset="claim")
    api.call("POST", f"{table.path}/resignations", token=table.token(0), json={}, status=201)
    path = f"{table.path}/board.svg?at=0"
    french = api.call("GET", path, status=200, Accept_Language="fr")
    assert '<title id="title">Claim, tour ' in french.get_data(as_text=True)
    api.call("GET", path, status=304, Accept_Language="fr", If_None_Match=french.headers["ETag"])
    dutch = api.call("GET", path, status=200, Accept_Language="nl", If_None_Match=french.headers["ETag"])
    assert '<title id="title">Claim, beurt ' in dutch.get_data(as_text=True)
