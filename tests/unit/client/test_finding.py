"""How a bot comes by games, and what it leaves behind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from holmgang import problems
from holmgang.client import _finding
from holmgang.client._finding import Entering, Laddering, Seeking


class Service:
    """What a bot asks of a service, answered from lists."""

    def __init__(self) -> None:
        self.sought: dict[str, dict[str, Any]] = {}
        self.ladders: list[dict[str, Any]] = []
        self.entries: dict[str, str | None] = {}
        self.status = "active"
        self.full: set[str] = set()

    @property
    def waiting(self) -> list[str]:
        return [ident for ident, seek in self.sought.items() if seek["status"] == "waiting"]

    async def ruleset(self, ruleset: str) -> Any:
        return {"seat_counts": [2, 3, 4]}

    async def create_seek(self, ruleset: str, **terms: Any) -> Any:
        if terms["seats"] > 4:
            raise problems.InvalidField(422, {"code": "invalid_field", "detail": "Claim takes 2 to 4 players, not 9."})
        ident = f"s{len(self.sought) + 1}"
        self.sought[ident] = {"id": ident, "ruleset": ruleset, "status": "waiting", "game": None, **terms}
        return self.sought[ident]

    async def seek(self, ident: str) -> Any:
        if ident not in self.sought:
            raise problems.NotFound(404, {"code": "not_found", "detail": ""})
        return self.sought[ident]

    async def my_seeks(self, *, status: str) -> AsyncIterator[Any]:
        for seek in list(self.sought.values()):
            if seek["status"] == status:
                yield seek

    async def withdraw_seek(self, ident: str) -> None:
        if self.sought[ident].pop("quick", False):
            self.sought[ident]["status"] = "matched"
            raise problems.SeekMatched(409, {"code": "seek_matched", "detail": ""})
        self.sought[ident]["status"] = "withdrawn"

    async def tournaments(self, **wanted: Any) -> AsyncIterator[Any]:
        for one in self.ladders:
            if one["status"] == wanted["status"]:
                yield one

    async def tournament(self, ident: str, *, invitation: str | None = None) -> Any:
        listed = {one["id"]: one["status"] for one in self.ladders}
        return {"id": ident, "name": "Ladder", "status": listed.get(ident, self.status)}

    async def me(self) -> Any:
        return {"player": {"id": "me"}}

    async def entry(self, tournament: str, entry: str, *, invitation: str | None = None) -> Any:
        if tournament not in self.entries:
            raise problems.NotFound(404, {"code": "not_found", "detail": ""})
        return {"out": self.entries[tournament]}

    async def enter(self, tournament: str, *, invitation: str | None = None) -> Any:
        if tournament in self.full:
            raise problems.TournamentFull(409, {"code": "tournament_full", "detail": ""})
        self.entries[tournament] = None

    async def leave_tournament(self, tournament: str, entry: str) -> None:
        assert entry == "me"
        self.entries[tournament] = "withdrawn"


@pytest.fixture
def service() -> Service:
    return Service()


def look(finding: Any, *playing: str) -> None:
    asyncio.run(finding.look(set(playing)))


def seeking(service: Any, at_once: int = 2, **terms: Any) -> Seeking:
    return Seeking(service, at_once, "claim", terms)


def test_it_seeks_one_game_at_a_time_while_it_plays_too_few(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    finding = seeking(service)
    with caplog.at_level(logging.INFO, logger="holmgang"):
        look(finding)
        look(finding)
        assert service.waiting == ["s1"]
        service.sought["s1"] |= {"status": "matched", "game": "g"}
        look(finding, "g")
    assert caplog.messages == ["seeking claim", "a seek has led to game g", "seeking claim"]
    assert service.waiting == ["s2"]
    service.sought["s2"]["status"] = "expired"
    look(finding, "g", "h")
    assert service.waiting == []
    look(finding, "g")
    assert service.waiting == ["s3"]


def test_it_seeks_on_terms_that_all_bots_have_unless_its_author_says_others(service: Service) -> None:
    look(seeking(service))
    look(seeking(service, seats=3, wanted="bots"))
    common = {"ruleset": "claim", "turn_seconds": 60, "rated": True}
    assert service.sought["s1"].items() >= {**common, "seats": 2}.items()
    assert service.sought["s2"].items() >= {**common, "seats": 3, "wanted": "bots"}.items()


def test_terms_that_are_refused_end_the_bot(service: Service) -> None:
    """Or it would be refused for ever."""
    with pytest.raises(ValueError, match="Claim takes 2 to 4 players, not 9"):
        look(seeking(service, seats=9))


def test_a_seek_that_has_been_forgotten_is_made_again(service: Service) -> None:
    finding = seeking(service)
    look(finding)
    del service.sought["s1"]
    look(finding)
    assert len(service.waiting) == 1


def test_what_a_run_that_was_killed_has_left_is_withdrawn(service: Service) -> None:
    look(seeking(service))
    look(seeking(service, turn_seconds=5))
    assert service.sought["s1"]["status"] == "withdrawn"
    assert service.waiting == ["s2"]


def test_it_leaves_no_seek_behind_also_if_one_is_matched_meanwhile(service: Service) -> None:
    finding = seeking(service)
    look(finding)
    service.sought["s1"]["quick"] = True
    asyncio.run(finding.leave())
    assert (service.sought["s1"]["status"], service.waiting) == ("matched", [])


def test_it_enters_a_tournament_and_comes_back_to_it(service: Any) -> None:
    finding = Entering(service, "t")
    look(finding)
    assert service.entries == {"t": None}
    service.entries["t"] = "absent"
    look(finding)
    assert service.entries == {"t": None}
    asyncio.run(finding.leave())
    assert service.entries == {"t": "withdrawn"}


@pytest.mark.parametrize("status", ["over", "cancelled"])
def test_with_the_tournament_it_is_over(service: Any, status: str) -> None:
    finding = Entering(service, "t")
    look(finding)
    assert not finding.over
    service.status = status
    service.entries["t"] = "absent"
    look(finding)
    assert finding.over
    assert service.entries == {"t": "absent"}, "it does not come back to what is over"


def test_it_is_on_the_oldest_ladder_that_has_begun(service: Any) -> None:
    service.ladders = [
        {"id": "open", "status": "open"},
        {"id": "new", "status": "active"},
        {"id": "old", "status": "active"},
    ]
    finding = Laddering(service, "claim", seeking(service))
    look(finding)
    assert (service.entries, service.sought) == ({"old": None}, {})
    asyncio.run(finding.leave())
    assert service.entries == {"old": "withdrawn"}


def test_without_a_ladder_it_seeks_until_there_is_one(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Laddering(service, "claim", seeking(service))
    look(finding)
    service.ladders = [{"id": "l", "status": "active"}]
    look(finding)
    assert (service.waiting, service.entries) == (["s1"], {}), "it does not look for a ladder each time"
    monkeypatch.setattr(_finding, "LADDER_SECONDS", 0.0)
    look(finding)
    assert (service.waiting, service.entries) == ([], {"l": None})


def test_a_ladder_that_never_starts_keeps_it_from_nothing(service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_finding, "LADDER_SECONDS", 0.0)
    service.ladders = [{"id": "idle", "status": "open"}]
    finding = Laddering(service, "claim", seeking(service))
    look(finding)
    look(finding)
    assert (service.entries, service.waiting) == ({"idle": None}, ["s1"])
    service.ladders.append({"id": "begun", "status": "active"})
    look(finding)
    assert (service.entries, service.waiting) == ({"idle": "withdrawn", "begun": None}, [])
    service.ladders[1]["status"] = "cancelled"
    look(finding)
    look(finding)
    assert (service.entries["idle"], service.waiting) == (None, ["s2"])
    asyncio.run(finding.leave())
    assert (service.entries["idle"], service.waiting) == ("withdrawn", [])


def test_it_passes_over_ladders_that_are_full(service: Any) -> None:
    service.ladders = [{"id": "roomy", "status": "active"}, {"id": "full", "status": "active"}]
    service.full = {"full"}
    look(Laddering(service, "claim", seeking(service)))
    assert (service.entries, service.waiting) == ({"roomy": None}, [])
    service.full = {"full", "roomy"}
    service.entries.clear()
    look(Laddering(service, "claim", seeking(service)))
    assert (service.entries, service.waiting) == ({}, ["s1"])
