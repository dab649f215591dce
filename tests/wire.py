"""A wire between two programs that a test can cut, delay or have swallow everything."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_AT_ONCE = 65_536
_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER for no time: whoever is at the other end is told that the connection was reset."""


class Wire:
    """Carries connections to `port` on to `target`, a port of this machine or a Unix socket."""

    def __init__(self, target: int | Path) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._lines: set[tuple[socket.socket, socket.socket]] = set()
        self._running = threading.Event()
        self._running.set()
        self._closed = threading.Event()
        self._marker: bytes | None = None
        self._kept = 0
        self.delay = 0.0
        """Seconds by which everything is late, in both directions."""
        self.open = True
        """Whether new connections are carried on; else they are closed at once."""
        self.cuts = 0
        """How many answers have been cut by `cut_answer`."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, name="wire", daemon=True).start()

    def freeze(self) -> None:
        """Carry nothing from now on, and close nothing: neither side notices."""
        self._running.clear()

    def thaw(self) -> None:
        """Carry on, with what was held back."""
        self._running.set()

    def cut(self) -> None:
        """Reset all connections that there are."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            self._end(line)

    def cut_answer(self, marker: bytes, kept: int) -> None:
        """Cut the next connection on which something with the marker was asked, after so many bytes of the answer."""
        with self._lock:
            self._marker, self._kept = marker, kept

    def lines(self) -> int:
        """How many connections are carried now."""
        with self._lock:
            return len(self._lines)

    def close(self) -> None:
        self._closed.set()
        self._running.set()
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self.open:
                near.close()
                continue
            try:
                far = self._connected()
            except OSError:
                near.close()
                continue
            line = near, far
            doomed = threading.Event()
            with self._lock:
                self._lines.add(line)
            for start, end, answers in ((near, far, False), (far, near, True)):
                pump = threading.Thread(target=self._pump, args=(line, start, end, doomed, answers), daemon=True)
                pump.start()

    def _connected(self) -> socket.socket:
        if isinstance(self._target, int):
            return socket.create_connection(("127.0.0.1", self._target), timeout=5)
        far = socket.socket(socket.AF_UNIX)
        far.connect(str(self._target))
        return far

    def _pump(
        self,
        line: tuple[socket.socket, socket.socket],
        start: socket.socket,
        end: socket.socket,
        doomed: threading.Event,
        answers: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            start.settimeout(None)
            while part := start.recv(_AT_ONCE):
                self._running.wait()
                if self.delay:
                    self._closed.wait(self.delay)
                if answers and doomed.is_set():
                    end.sendall(part[: self._kept])
                    self.cuts += 1
                    break
                if not answers:
                    self._look_for_marker(part, doomed)
                end.sendall(part)
        self._end(line)

    def _look_for_marker(self, part: bytes, doomed: threading.Event) -> None:
        with self._lock:
            if self._marker is not None and self._marker in part:
                self._marker = None
                doomed.set()

    def _end(self, line: tuple[socket.socket, socket.socket]) -> None:
        with self._lock:
            self._lines.discard(line)
        for each in line:
            with contextlib.suppress(OSError):
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads from it
            each.close()


@contextmanager
def wire(target: int | Path) -> Iterator[Wire]:
    """A wire for as long as the block lasts."""
    between = Wire(target)
    try:
        yield between
    finally:
        between.close()
