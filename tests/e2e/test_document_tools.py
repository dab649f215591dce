"""Others' tools take the API's document without an error or a warning, and clients made by them play whole games.

`TOOLS` says which, in the versions of the locks; a page of the docs names the same.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from holmgang import Client, Problem, problems, registry
from tests.e2e.npm import CLIENTS, PACKAGES, REPOSITORY, packages, run, tools
from tests.e2e.running import Running, serving
from tests.unit.games import of_each_game
from tests.waiting import wait_until

DOCUMENT = REPOSITORY / "openapi/openapi.json"
PAGE = REPOSITORY / "docs/pages/how-to/write-a-client.md"


@dataclass(frozen=True)
class Tool:
    """One by its name in a lock, and how it is called: in an empty folder, with the document in place of `{document}`.

    What it writes goes into `made`, which `checked` looks through. Of what it complains, `known` says why it stays.
    """

    name: str
    command: str
    checked: str | None = None
    known: Mapping[str, str] = field(default_factory=dict)


TSC = "{tools}/node_modules/tsc/bin/tsc"
STRICT_TSC = (
    f"node {TSC} --strict --noEmit --target es2022 --lib es2022,dom,dom.iterable --module esnext"
    " --moduleResolution bundler --typeRoots {tools}/node_modules/@types --types node"
)
STRICT_MYPY = "{python}/mypy --strict --config-file= --cache-dir=cache"

UNUSED = "Problems that a request meets before its operation is known are not those of an operation."
MORE = "Members that a schema does not name may follow, such as a problem's own (RFC 9457); the linter allows none."

TOOLS = [
    Tool("@apidevtools/swagger-parser", "node {tools}/resolve.mjs {document}"),
    Tool(
        "@stoplight/spectral-cli",
        "spectral lint {document} --ruleset {clients}/spectral.yaml --format text",
        known={
            "info-contact": "The document does not know who runs the service.",
            "oas3-unused-component": UNUSED,
        },
    ),
    Tool(
        "@redocly/cli",
        "redocly lint {document} --format stylish",
        known={
            "no-unused-components": UNUSED,
            "must NOT have unevaluated properties": MORE,
            "You have ": "How many these are.",
        },
    ),
    Tool("@hey-api/openapi-ts", "openapi-ts -i {document} -o made", STRICT_TSC),
    Tool("orval", "orval --input {document} --output made/client.ts --client fetch", STRICT_TSC),
    Tool("openapi-typescript", "openapi-typescript {document} -o made/schema.ts", STRICT_TSC),
    Tool(
        "openapi-python-client",
        "{python}/openapi-python-client generate --path {document} --config"
        " {clients}/python.yaml --output-path made --fail-on-warning",
        STRICT_MYPY,
    ),
    Tool(
        "datamodel-code-generator",
        "{python}/datamodel-codegen --input {document} --output made/models.py --formatters builtin"
        " --output-model-type pydantic_v2.BaseModel --use-annotated --use-type-alias --deserialize-default-values enum",
        STRICT_MYPY,
    ),
]
BY_NAME = {tool.name: tool for tool in TOOLS}
PROXY = "@stoplight/prism-cli"

COMPLAINT = re.compile(r"warn|error|fail|unable|unsupported|deprecat|⚠", re.IGNORECASE)


def locked() -> dict[str, str]:
    """The versions of all packages, npm's and Python's."""
    npm = json.loads((CLIENTS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    python = (REPOSITORY / "locks/development.lock").read_text(encoding="utf-8")
    return {
        **{name.removeprefix("node_modules/"): each["version"] for name, each in npm.items() if name},
        **dict(re.findall(r"^([\w.-]+)==([\w.]+)", python, re.MULTILINE)),
    }


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as service:
        yield service


@dataclass(frozen=True)
class Workshop:
    """A folder in which tools work. They may talk to this machine alone."""

    tools: Path
    folder: Path

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": f"{self.tools}/node_modules/.bin:{os.environ['PATH']}",
            "NODE_OPTIONS": f"--require={CLIENTS / 'at_home.cjs'}",
            "CALLED": str(self.folder / "called"),
            "REDOCLY_TELEMETRY": "off",
            "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
        }

    def command(self, text: str) -> list[str]:
        places = {
            "document": DOCUMENT,
            "tools": self.tools,
            "clients": CLIENTS,
            "python": Path(sys.executable).parent,
        }
        return [word.format(**places) for word in text.split()]

    def run(self, text: str, *more: str | Path) -> str:
        done = run(*self.command(text), *more, folder=self.folder, **self.environ)
        return done.stdout + done.stderr

    def called(self) -> str:
        """The hosts that somebody wanted to talk to."""
        called = self.folder / "called"
        return called.read_text(encoding="utf-8") if called.exists() else ""


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    installed = tools()
    shutil.copy(CLIENTS / "resolve.mjs", installed)
    return Workshop(installed, tmp_path)


def complaints(said: str) -> list[str]:
    return [line.strip() for line in said.splitlines() if COMPLAINT.search(line)]


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_a_tool_takes_the_document_and_what_it_makes_compiles(workshop: Workshop, name: str) -> None:
    tool = BY_NAME[name]
    said = complaints(workshop.run(tool.command))
    assert [line for line in said if not any(each in line for each in tool.known)] == []
    assert [each for each in tool.known if not any(each in line for line in said)] == []
    assert workshop.called() == ""
    if tool.checked is not None:
        suffix = ".py" if tool.checked == STRICT_MYPY else ".ts"
        made = sorted((workshop.folder / "made").rglob(f"*{suffix}"))
        assert made
        workshop.run(tool.checked, *made)
        numbered = {each for file in made for each in re.findall(r"^class (Type\d+)\b", file.read_text("utf-8"), re.M)}
        assert numbered == set()


@pytest.mark.slow
def test_a_tool_that_calls_home_is_seen(workshop: Workshop) -> None:
    workshop.run("node -e", "fetch('http://192.0.2.1/').catch(() => undefined)")
    assert workshop.called() == "192.0.2.1\n"


class Judged(httpx.BaseTransport):
    """The way through Prism, which says in each answer how that or its request goes against the document."""

    def __init__(self) -> None:
        self._way = httpx.HTTPTransport()
        self.calls = 0
        self.violations: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._way.handle_request(request)
        self.calls += 1
        if said := response.headers.get("sl-violations"):
            self.violations.append(f"{request.method} {request.url.path} {response.status_code}: {said}")
        return response

    def close(self) -> None:
        self._way.close()


@pytest.fixture(scope="module")
def prism(running: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of Prism before the service. Its document is wrong in one place: that `/healthz` answers a text."""
    workshop = Workshop(tools(), tmp_path_factory.mktemp("prism"))
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    document["paths"]["/healthz"]["get"]["responses"]["200"]["content"]["application/json"] = {
        "schema": {"type": "string"}
    }
    wrong = workshop.folder / "openapi.json"
    wrong.write_text(json.dumps(document), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = workshop.folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*workshop.command(f"prism proxy {wrong} {running.url} --port {port} --cors false")],
            env={**os.environ, **workshop.environ},
            stdout=out,
            stderr=out,
        )

    def ready() -> bool:
        assert process.poll() is None, f"Prism ended: {log.read_text(encoding='utf-8')[-2000:]}"
        return "Prism is listening" in log.read_text(encoding="utf-8")

    try:
        wait_until(ready, "Prism listens", 60)
        yield f"http://127.0.0.1:{port}"
        assert workshop.called() == ""
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", registry.names())
def test_no_call_of_a_game_goes_against_the_document(prism: str, ruleset: str) -> None:
    """Each in the form in which the Python client asks, and as the service answers."""
    through, luck = Judged(), random.Random(1)
    with Client.register(prism, f"Through {ruleset}", transport=through) as client:
        seats = client.ruleset(ruleset)["seat_counts"][0]
        game = client.create_game(ruleset, seats)["id"]
        for _ in range(seats - 1):
            client.seat_bot(game, "greedy")
        while client.game(game)["status"] == "active":
            client.waiting_turns()
            turn = client.turn(game, wait=20)
            if (legal := turn["legal"]) is not None:
                client.view(game)
                action = luck.choice(legal["actions"]) if legal.get("actions") else legal["sample"]
                client.check(game, turn["turn"], action)
                client.submit(game, turn["turn"], action)
        assert client.record(game)["game"] == game
        assert client.me()
        for listing in (client.events(game), client.combats(game), client.rulesets(), client.leaderboard(ruleset)):
            list(listing)
    assert through.calls > 60
    assert through.violations == []


@pytest.mark.slow
def test_no_refusal_and_no_call_about_an_account_goes_against_the_document(prism: str) -> None:
    through = Judged()
    with Client.register(prism, "Through accounts", transport=through) as client:
        made = client.create_game("claim", 2, visibility="private")["id"]
        refused: list[tuple[type[Problem], Callable[[], object]]] = [
            (problems.NotFound, lambda: client.game(str(uuid4()))),
            (problems.GameNotActive, lambda: client.view(made)),
            (problems.InvalidField, lambda: client.create_game("claim", 5)),
        ]
        for problem, call in refused:
            with pytest.raises(problem):
                call()
        with Client(prism, "nobody", transport=through) as nobody, pytest.raises(problems.InvalidToken):
            nobody.me()
        invitation = client.create_invitation(made)["id"]
        client.invitation(made, invitation)
        token = client.create_token("spare", ["read"])["id"]
        assert [len(list(each)) for each in (client.invitations(made), client.tokens(), client.webhooks())] == [1, 2, 0]
        client.revoke_invitation(made, invitation)
        client.revoke_token(token)
        client.seat_bot(made, "random")
        while (legal := client.turn(made, wait=20)["legal"]) is None:
            pass  # luck has the bot start
        with pytest.raises(problems.StaleTurn):
            client.check(made, 9, legal["sample"])
        client.resign(made)
    assert through.violations == []


@pytest.mark.slow
def test_prism_sees_what_goes_against_the_document(prism: str) -> None:
    through = Judged()
    with httpx.Client(base_url=prism, transport=through) as client:
        assert client.get("/healthz").status_code == 200
        client.post("/v1/players", json={"name": 7})
    assert ["response" in said or "request" in said for said in through.violations] == [True, True]


def test_a_generated_python_client_plays_a_game(running: Running, tmp_path: Path) -> None:
    tool = BY_NAME["openapi-python-client"]
    assert complaints(Workshop(tmp_path, tmp_path).run(tool.command)) == []
    command = (sys.executable, CLIENTS / "play.py", running.url, "claim")
    played = run(*command, folder=tmp_path, PYTHONPATH=str(tmp_path / "made"))
    assert int(played.stdout.split()[1]) > 5


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The program of the TypeScript client; generator, compiler and library are kept for the next run."""
    packages()
    for name in ("tsconfig.json", "play.ts"):
        shutil.copy(CLIENTS / name, PACKAGES)
    programs = PACKAGES / "node_modules/.bin"
    wanted = ("--default-non-nullable", "false", "-o", "schema.d.ts")
    made = run(programs / "openapi-typescript", DOCUMENT, *wanted, folder=PACKAGES)
    assert complaints(made.stdout + made.stderr) == []
    run(programs / "tsc", "-p", ".", folder=PACKAGES)
    return PACKAGES / "out/play.js"


@of_each_game("ruleset", "claim")
def test_a_generated_typescript_client_plays_a_game(running: Running, compiled: Path, ruleset: str) -> None:
    told = json.loads(run("node", compiled, running.url, ruleset, folder=PACKAGES).stdout)
    assert told["status"] == "over"
    assert told["choices"] > 5


def test_the_lock_of_the_packages_names_no_registry() -> None:
    packages_of = json.loads((CLIENTS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(packages_of) > 5
    assert [name for name, package in packages_of.items() if name and "integrity" not in package] == []
    assert [name for name, package in packages_of.items() if "resolved" in package] == []


def test_the_docs_name_every_tool_in_the_version_that_is_tried() -> None:
    rows = re.findall(r"^\| `(.+?)` \| ([\d.]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {name: locked()[name] for name in (PROXY, *BY_NAME)}
