"""A process that uses the embedded Postgres: `python embedded_user.py BASE [UID]`, run by the tests of it.

It prints the server's address, or `error: ...`, then obeys lines on standard input: `ensure` starts a dead server
again and answers `restarted True` or `restarted False`; `fork` lets a forked child call `stop`. SIGTERM and the end of
input end it properly.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from holmgang.store import embedded
from holmgang.store.postgres_binaries import Account, EmbeddedPostgresError, reachable_programs, wheel_version


def become(uid: int, base: Path) -> None:
    """Give up root for good. The programs are made reachable first, as an installation for that user would be."""
    account = Account(uid, uid, drop=True)
    programs = reachable_programs(account, base.parent)
    setattr(embedded, "reachable_programs", lambda *_: programs)  # noqa: B010 # a function stands in for another
    wheel_version()  # read now: this user may not be able to enter the folder of the packages
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)


def main() -> None:
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    base = Path(sys.argv[1])
    if len(sys.argv) > 2:
        become(int(sys.argv[2]), base)
    try:
        server = embedded.EmbeddedPostgres(base).start()
    except EmbeddedPostgresError as error:
        print("error:", " ".join(str(error).split()), flush=True)
        return
    print(server.url, flush=True)
    for line in sys.stdin:
        if line.strip() == "ensure":
            print("restarted", server.ensure_running(), flush=True)
        if line.strip() == "fork":
            child = os.fork()
            if child == 0:
                server.stop()
                os._exit(0)
            print("forked", os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
