"""Whatever shows a name has another tag once its player is called otherwise: every address with a tag is asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import pytest

from tests.api_document import api_document
from tests.integration.tournaments import made

from .calling import Api, Person

if TYPE_CHECKING:
    from holmgang.store.database import PostgresStore

TAGGED = [
    path
    for path, verbs in api_document()["paths"].items()
    if "get" in verbs and "ETag" in verbs["get"]["responses"]["200"].get("headers", {})
]
NAME = "Zyxwulf the Unusual"
FORMS = ("application/json", "text/csv")


def told(api: Api, path: str, form: str, token: str, tag: str | None = None) -> tuple[int, str | None, str]:
    """Status, tag and text of an answer."""
    more = {} if tag is None else {"If-None-Match": tag}
    answer = api.client.get(path, headers={"Accept": form, "Authorization": f"Bearer {token}", **more})
    return answer.status_code, answer.headers.get("ETag"), answer.get_data(as_text=True)


@pytest.mark.parametrize("deleted", [False, True])
def test_tags_change_with_names(api: Api, deleted: bool) -> None:
    event = made(cast("PostgresStore", api.app.extensions["holmgang"].store), people=2)
    event.begin()
    while not event.rounds():
        event.advance()
    me, *_ = [ident for ident in event.people if ident != event.maker.player]
    mine = Person(str(me), event.secrets[me], "")
    event.sql("UPDATE players SET name = %s WHERE id = %s", NAME, me)
    table, other = api.table(2, ruleset="claim", rated=True, turn_seconds=600), event.secrets[event.maker.player]
    asked = api.call(
        "POST", "/v1/challenges", token=other, json={"ruleset": "claim", "players": [mine.id]}, status=201
    ).get_json()["id"]
    sought = api.call("POST", "/v1/seeks", token=other, json={"ruleset": "claim", "seats": [2]}, status=201)
    ids = {
        **{"game": table.game, "challenge": asked, "tournament": str(event.ident), "entry": mine.id, "number": "1"},
        **{"seek": sought.get_json()["id"], "ruleset": "claim", "player": str(event.maker.player), "seat": "0"},
    }
    addresses = [re.sub(r"{(\w+)}", lambda name: ids[name[1]], path) for path in TAGGED]
    before = {(path, form): told(api, path, form, other) for path in addresses for form in FORMS}
    if deleted:
        api.call("DELETE", "/v1/me", token=mine.token, json={"name": NAME}, status=204)
    else:
        api.call("PATCH", "/v1/me", token=mine.token, json={"name": "Somebody else"}, status=200)
    changed = set()
    for (path, form), (status, tag, text) in before.items():
        if status == 200 and NAME in text:
            again, _, now = told(api, path, form, other, tag)
            assert (again, NAME in now) == (200, False), path
            changed.add(path)
    of_it = f"/v1/tournaments/{event.ident}"
    shown = {f"{of_it}/standings", f"{of_it}/crosstable", f"{of_it}/entries", f"{of_it}/entries/{mine.id}"}
    assert changed >= {*shown, f"/v1/challenges/{asked}", "/v1/me/challenges"}
