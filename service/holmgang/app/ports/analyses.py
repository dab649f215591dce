"""What analyses need of the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from holmgang.app.records.analyses import ClaimedAnalysis, KeptAnalysis


class AnalysesTable(Protocol):
    """Analyses of games that are over: one a game, asked for once, made by a worker."""

    def analysis(self, game: UUID) -> KeptAnalysis | None:
        """None where nobody has asked for it."""
        ...

    def ask_for_analysis(self, game: UUID, player: UUID) -> bool:
        """Let it wait for a worker, from now on, for this player; whether it did not wait and was not there."""
        ...

    def analyses_waiting(self, player: UUID) -> int:
        """How many wait or run that the player has asked for. The player is locked."""
        ...

    def claim_analysis(self, seconds: float, but: Sequence[UUID] = ()) -> ClaimedAnalysis | None:
        """The one that waits longest, or whose worker is gone, but for these; claimed for so many seconds."""
        ...

    def note_analysis(
        self, claimed: ClaimedAnalysis, seq: int, total: int, steps: Sequence[str], seconds: float, *, done: bool
    ) -> ClaimedAnalysis | None:
        """Note JSON of further steps, up to that of the position `seq`, and claim it for so many seconds more, or end
        it. None if somebody else has claimed it since: then nothing is noted."""
        ...

    def keep_analysis(self, claimed: ClaimedAnalysis, seconds: float) -> bool:
        """Claim it for so many seconds more; whether it was still claimed."""
        ...

    def release_analysis(self, claimed: ClaimedAnalysis, *, tried: bool) -> bool:
        """Let others claim it; unless it was `tried`, as if this claim had not been. Whether it was still claimed."""
        ...

    def fail_analysis(self, claimed: ClaimedAnalysis) -> bool:
        """End it as failed; whether it was still claimed."""
        ...
