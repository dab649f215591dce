"""All of one's finished games, read line by line over as many connections as it takes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import httpx

from holmgang.answers import GameRecord

from ._call import Call
from ._flow import Caller, Connection, Flow, Open, Pause, Read
from ._reach import Outcome
from ._retry import Tries


class Export:
    """Records as they come. What breaks off goes on after the last whole line."""

    open: httpx.Response | None = None

    def __init__(self, caller: Caller, first: Call) -> None:
        self._caller = caller
        self._call = replace(first, headers={**first.headers, "Accept": "application/x-ndjson"}, wait=30)
        self._texts: Any = None
        self._rest = ""
        """What was read after the last line."""
        self._tries = Tries(self._call, caller.patience, caller._reach)

    def more(self) -> Flow[list[GameRecord] | None]:
        while True:
            if self._texts is None:
                yield from self._connect()
            text = yield Read(self._texts)
            if text is None:
                if self._rest:  # a proxy has made an end of what broke off
                    text = httpx.RemoteProtocolError("The export broke off.")
                else:
                    return None
            if not isinstance(text, str):
                self._texts = None
                yield from self._pause(text)
                continue
            *lines, self._rest = (self._rest + text).split("\n")
            if lines:
                records: list[GameRecord] = [json.loads(line) for line in lines]
                self._call = replace(self._call, params={**self._call.params, "cursor": records[-1]["game"]})
                self._tries = Tries(self._call, self._caller.patience, self._caller._reach)
                return records

    def _connect(self) -> Flow[None]:
        while not isinstance(opened := (yield Open(self._caller._begin(self._call).request)), Connection):
            yield from self._pause(opened)
        self._caller._reach.met = True
        self.open, self._texts = opened
        self._rest = ""

    def _pause(self, outcome: Outcome) -> Flow[None]:
        """Until another try; raises what is not worth one."""
        if (pause := self._tries.pause_after(outcome)) is None:
            raise self._caller._failure(outcome)
        yield Pause(pause)
