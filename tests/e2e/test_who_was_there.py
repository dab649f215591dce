"""Who was there is written down when the service stops. A kill -9 takes the last minute of that, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from holmgang import Client
from holmgang.store.database import conninfo

from .running import serving

if TYPE_CHECKING:
    from uuid import UUID


def noted(database: str) -> set[str]:
    with psycopg.connect(conninfo(database)) as rows:
        found: list[tuple[UUID]] = rows.execute("SELECT player_id FROM presence").fetchall()
        return {str(player) for (player,) in found}


@pytest.mark.slow
def test_a_stop_keeps_it_and_a_kill_loses_a_minute(database: str) -> None:
    with serving(database) as service:
        with Client.register(service.url, "Dagny") as client:
            first = client.me()["player"]["id"]
            game = client.create_game("claim", seats=2)["id"]
        assert service.stop() == 0
        assert noted(database) == {first}
        service.start()
        with Client.register(service.url, "Eskil") as other:
            second = other.me()["player"]["id"]
            other.take_seat(game)
            service.kill(database=False)
            assert noted(database) == {first}
            service.start()
            before, own = other.presence(game)["seats"]
            assert (before["status"] == "here") == (before["away_since"] is None)
            assert own["status"] == "here"
        assert service.stop() == 0
        assert noted(database) == {first, second}
        service.start()
