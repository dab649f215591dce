"""What the worker does for those who ask what the bot that looks ahead thinks of a game: one game at a time, in a
process of its own (`judging`).

What was judged is noted every few seconds, in a transaction that holds only if nobody else has claimed the game since.
A worker that is killed loses what it has not noted; another goes on from there once the claim has expired. A process
that ends in the middle, or takes too long for a position, is tried again some times.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import msgspec

from holmgang import logs, metrics
from holmgang.app.errors import Refusal
from holmgang.app.ports import Store
from holmgang.app.reading import analyses
from holmgang.app.reading.analyses import Plan
from holmgang.app.records.analyses import ClaimedAnalysis
from holmgang.interrupts import undivided

from .judging import Judged
from .pauses import Pauses

ANALYSE_SECONDS = 2.0
"""How often it looks without being woken."""
NOTE_SECONDS = 2.0
"""How long what was judged waits for more before it is noted."""
POSITION_SECONDS = 600.0
"""How long a position may take, where others leave it hardly any time of the processor."""
CLAIM_SECONDS = 60.0
KEEP_SECONDS = 20.0
"""How often a claim is made to last longer while nothing is noted."""
ATTEMPTS = 3
PAUSE_SECONDS = 60.0
"""How long a game that cannot be judged here is left to other workers."""
_STOP_SECONDS = 0.2
"""How soon it notices that it is told to stop."""

_log = logs.get_logger("holmgang.worker")
_line = msgspec.json.Decoder(Judged)


class Analysing:
    """A chore over a store, until it is told to stop. It belongs to one thread."""

    def __init__(self, store: Store, stopping: threading.Event) -> None:
        self._store = store
        self._stopping = stopping
        self._pauses = Pauses()

    def __call__(self) -> bool:
        """Analyse one game; whether there was any."""
        with self._store.reading() as tables:
            claimed = tables.claim_analysis(CLAIM_SECONDS, self._pauses.games())
        if claimed is None:
            return False
        if claimed.attempts > ATTEMPTS:
            self._end(claimed, failed=True)
            return True
        try:
            with self._store.reading() as tables:
                plan = analyses.plan(tables, claimed)
        except Refusal as fault:
            self._pauses.begin(claimed.game, PAUSE_SECONDS)
            _log.warning("an analysis is left to others for a while", game=str(claimed.game), fault=str(fault))
            self._end(claimed)
            return True
        if plan is None:
            self._end(claimed, failed=True)
        else:
            self._analyse(claimed, plan)
        return True

    def _analyse(self, claimed: ClaimedAnalysis, plan: Plan) -> None:
        now = claimed
        found: list[Judged] = []
        noted = time.monotonic()
        with _process(plan) as process:
            for each in self._lines(process):
                if each is None:
                    if time.monotonic() >= noted + KEEP_SECONDS:
                        noted = time.monotonic()
                        if not self._keep(now):
                            return
                    continue
                found.append(each)
                metrics.ANALYSED.labels(plan.ruleset).observe(each.seconds)
                done = each.seq == plan.log[-1][0]
                if done or time.monotonic() >= noted + NOTE_SECONDS:
                    further = self._note(now, found, done=done)
                    if done or further is None:
                        return  # it is done, or another worker is at it
                    now, found, noted = further, [], time.monotonic()
        if self._stopping.is_set():
            self._end(now)
            return
        metrics.WORKER_FAULTS.inc()
        _log.error("a game could not be analysed to its end", game=str(claimed.game), attempt=now.attempts)
        if now.attempts >= ATTEMPTS:
            self._end(now, failed=True)
        else:
            self._end(now, tried=True)

    def _keep(self, claimed: ClaimedAnalysis) -> bool:
        with self._store.reading() as tables:
            return tables.keep_analysis(claimed, CLAIM_SECONDS)

    def _lines(self, process: subprocess.Popen[bytes]) -> Iterator[Judged | None]:
        """What the process answers, until it ends or takes too long, or the worker is told to stop; None now and then
        while it answers nothing."""
        assert process.stdout is not None
        source, rest, until = process.stdout.fileno(), b"", time.monotonic() + POSITION_SECONDS
        while not self._stopping.is_set() and time.monotonic() < until:
            if not select.select([source], [], [], _STOP_SECONDS)[0]:
                yield None
                continue
            came = os.read(source, 1 << 16)
            if not came:
                return
            *lines, rest = (rest + came).split(b"\n")
            for line in lines:
                yield _line.decode(line)
                until = time.monotonic() + POSITION_SECONDS

    def _note(self, claimed: ClaimedAnalysis, found: list[Judged], *, done: bool) -> ClaimedAnalysis | None:
        last, steps = found[-1], [bytes(each.step).decode() for each in found]
        with self._store.transaction() as tables:
            return analyses.note(tables, claimed, last.seq, last.total, steps, CLAIM_SECONDS, done=done)

    def _end(self, claimed: ClaimedAnalysis, *, tried: bool = False, failed: bool = False) -> None:
        with self._store.transaction() as tables:
            if failed:
                analyses.fail(tables, claimed)
            else:
                analyses.release(tables, claimed, tried=tried)


@contextmanager
def _process(plan: Plan) -> Iterator[subprocess.Popen[bytes]]:
    """One that judges the game, until the block ends."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with undivided():
        process = subprocess.Popen(  # this program, no shell
            [sys.executable, "-P", "-m", "holmgang.worker.judging"],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C is for the worker
        )
    try:
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended, which is seen where it is listened to
            process.stdin.write(msgspec.json.encode(plan) + b"\n")
            process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.communicate()
