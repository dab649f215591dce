"""A service with games of packages, some of them broken, as its users run it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import httpx
import pytest

from holmgang import Client, any_action
from tests.e2e.running import serving
from tests.packages import but, package
from tests.waiting import wait_until

HANGS = but("def picture(self, *these):", "    while True: pass")
RAISES = but("def view(self, state, seat): raise ValueError('no view')")
ODD = but(
    "def picture(self, view, theme, tongue=None):",
    "    if view.seat is None and tongue is not None: raise ValueError('no picture in a request')",
    "    return super().picture(view, theme)",
)
"""It fails in requests alone, which give a language."""
LAZY = but(
    "def picture(self, view, theme, tongue=None):",
    "    while tongue is not None: pass",
    "    return super().picture(view, theme)",
)


def lobby(url: str) -> set[str]:
    return {each["ruleset"] for each in httpx.get(f"{url}/v1/rulesets").json()["items"]}


@pytest.mark.timeout(900)
@pytest.mark.slow
def test_broken_packages_are_told_and_the_others_served(open_folder: Path) -> None:
    package(open_folder, "pebbles")
    package(open_folder, "odd", rules=ODD)
    package(open_folder, "lazy", rules=LAZY)
    package(open_folder, "hanging", rules=HANGS)
    package(open_folder, "raising", rules=RAISES)
    package(open_folder, "missing", game="import nothing_of_that_name\n")
    package(open_folder, "claim", distribution="duplicate")
    with serving(PYTHONPATH=str(open_folder), GAME_TRIAL_SECONDS="8", WORKERS="1") as service:
        assert lobby(service.url) == {"eketorp", "drakkars", "claim", "pebbles", "odd", "lazy"}
        lines = [json.loads(line) for line in service.log().splitlines() if '"holmgang.games"' in line]
        left_out = {line["game"]: line["event"] for line in lines}
        assert left_out.keys() == {"hanging", "raising", "missing", "claim"}
        assert len(lines) == len(left_out), "each is told once"
        for game, sentence in left_out.items():
            package_name = "duplicate" if game == "claim" else game
            assert sentence.startswith(f"The package {package_name} 1.0 was left out: "), sentence
        assert "did not end within 8 s" in left_out["hanging"]
        assert "in `picture`" in left_out["hanging"]

        with Client.register(service.url, "Astrid") as astrid:
            for ruleset in ("odd", "lazy"):
                bad = astrid.create_game(ruleset, seats=2)["id"]
                astrid.seat_bot(bad, "random")
                failed = httpx.get(f"{service.url}/v1/games/{bad}/board.svg", timeout=55)
                assert (failed.status_code, failed.json()["code"]) == (500, "internal_error"), ruleset
            game = astrid.create_game("pebbles", seats=2)["id"]
            astrid.seat_bot(game, "random")
            for _ in range(4):
                wait_until(lambda: astrid.turn(game)["yours"], "the bot of the game has chosen")
                turn = astrid.turn(game)
                assert turn["legal"] is not None
                astrid.submit(game, turn["turn"], any_action(turn["legal"]))
            assert httpx.get(f"{service.url}/v1/games/{game}/board.svg").status_code == 200
            asked = astrid.turn(game)["turn"]

            kept, gone_for_good = open_folder / "away", open_folder / "gone"
            kept.mkdir()
            gone_for_good.mkdir()
            assert service.stop() == 0
            for part in [each for each in open_folder.iterdir() if each not in (kept, gone_for_good)]:
                shutil.move(part, kept if part.name.startswith("pebbles") else gone_for_good)
            service.start()
            assert "pebbles" not in lobby(service.url)
            gone = httpx.get(f"{service.url}/v1/games/{game}/view")
            assert (gone.status_code, gone.json()["code"]) == (503, "ruleset_unavailable")

            assert service.stop() == 0
            service.settings["PYTHONPATH"] += f":{kept}"
            service.start()
            wait_until(lambda: astrid.turn(game)["yours"], "the game goes on")
            turn = astrid.turn(game)
            assert turn["turn"] >= asked
            assert turn["legal"] is not None
            astrid.submit(game, turn["turn"], any_action(turn["legal"]))
