"""Play a game through whatever code of the service is on the path: run by test_migration_rules with that of a release
before. Prints its schema version, its folder, the game's status at the end, and what its readiness is."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import psycopg

# The service once was a package of its own.
CODE = "service" if find_spec("service") else "holmgang"
create_app = import_module(f"{CODE}.bootstrap").create_app
Settings = import_module(f"{CODE}.config").Settings
SCHEMA_VERSION = import_module(f"{CODE}.store.schema_version").SCHEMA_VERSION
conninfo = import_module(f"{CODE}.store.database").conninfo
keep = import_module(f"{CODE}.store.distribution").keep


def main(url: str) -> None:
    with psycopg.connect(conninfo(url), autocommit=True) as connection:
        keep(connection)  # its functions, which it made when it was newest; `migrate` leaves them
    app = create_app(Settings(database_url=url, log_level="error"))
    client = app.test_client()

    def call(method: str, path: str, token: str = "", body: Any = None) -> Any:
        answer = client.open(
            path, method=method, json=body, headers={"Authorization": f"Bearer {token}"} if token else {}
        )
        assert answer.status_code < 300, answer.get_data(as_text=True)
        return answer.get_json()

    tokens = [call("POST", "/v1/players", body={"name": name})["token"] for name in ("Astrid", "Bjorn")]
    game = call("POST", "/v1/games", tokens[0], {"ruleset": "claim", "seats": 2})["id"]
    call("POST", f"/v1/games/{game}/seats", tokens[1], {})
    path = f"/v1/games/{game}"
    while (summary := call("GET", path))["status"] == "active":
        for seat in summary["awaited"]:
            turn = call("GET", f"{path}/turn", tokens[seat])
            legal = turn["legal"]
            action = legal["actions"][-1] if "actions" in legal else legal["sample"]
            call("POST", f"{path}/submissions", tokens[seat], {"turn": turn["turn"], "action": action})
    call("GET", f"{path}/record")
    ready = client.get("/readyz").status_code
    print(SCHEMA_VERSION, sys.modules[CODE].__file__, summary["status"], ready, flush=True)
    app.extensions["holmgang"].store.close()


if __name__ == "__main__":
    main(sys.argv[1])
