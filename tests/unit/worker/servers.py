"""Servers on loopback that answer whatever a test wants, byte for byte."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

CERTIFICATES = Path(__file__).parent / "certificates"
NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"


@dataclass
class Server:
    """A running server: its port and the requests it has got."""

    port: int
    stopped: threading.Event = field(default_factory=threading.Event)
    requests: list[bytes] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    connections: int = 0

    def url(self, host: str = "127.0.0.1", scheme: str = "http", path: str = "/") -> str:
        return f"{scheme}://{host}:{self.port}{path}"


Answer = Callable[[socket.socket, Server], None]


def saying(answer: bytes) -> Answer:
    return lambda connection, _: connection.sendall(answer)


def silent(connection: socket.socket, server: Server) -> None:
    server.stopped.wait()


def dripping(start: bytes, drop: bytes) -> Answer:
    """Says `start`, then `drop` again and again, each time well within any timeout of a single read."""

    def answer(connection: socket.socket, server: Server) -> None:
        connection.sendall(start)
        while not server.stopped.wait(0.01):
            connection.sendall(drop)

    return answer


def flooding(start: bytes, wave: bytes) -> Answer:
    """Says `start`, then `wave` without end."""

    def answer(connection: socket.socket, server: Server) -> None:
        connection.sendall(start)
        while not server.stopped.is_set():
            connection.sendall(wave)

    return answer


@contextlib.contextmanager
def serving(answer: Answer, *, certificate: str | None = None, unread: bool = False) -> Iterator[Server]:
    """A server on 127.0.0.1 that gives every connection the same answer, after its request unless `unread`.

    `certificate` names a file of certificates/: then it speaks TLS.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    # The connection that ends the server comes after all others, so that none of them is missed.
    last = socket.socket()
    last.bind(("127.0.0.1", 0))
    server = Server(listener.getsockname()[1])
    context = _context(certificate, server) if certificate else None
    threads: list[threading.Thread] = []

    def converse(connection: socket.socket) -> None:
        # A client that has heard enough hangs up, and one that trusts nothing does so at once.
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.enter_context(connection)
            connection.settimeout(20)
            if context:
                connection = stack.enter_context(context.wrap_socket(connection, server_side=True))
            if not unread:
                server.requests.append(_request(connection))
            answer(connection, server)

    def accept() -> None:
        while True:
            connection, peer = listener.accept()
            if peer == last.getsockname():
                connection.close()
                return
            server.connections += 1
            threads.append(threading.Thread(target=converse, args=(connection,)))
            threads[-1].start()

    acceptor = threading.Thread(target=accept)
    acceptor.start()
    try:
        yield server
    finally:
        server.stopped.set()
        last.connect(("127.0.0.1", server.port))
        for thread in [acceptor, *threads]:
            thread.join(20)
        last.close()
        listener.close()


def _request(connection: socket.socket) -> bytes:
    got = b""
    while b"\r\n\r\n" not in got:
        if not (chunk := connection.recv(65536)):
            return got
        got += chunk
    head, _, body = got.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < int(lengths[0]):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def _context(certificate: str, server: Server) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / certificate)
    context.sni_callback = lambda _, name, __: server.names.append(name)
    return context
