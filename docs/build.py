"""Build the documentation site: `make docs` writes it into `build/docs`.

The pages are those of `docs/pages`, with the help of all commands, and the documents of the repository that `COPIED`
names. Any warning ends the build with exit code 1.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / "service"))  # nothing has to be installed of it

import click  # noqa: E402

from holmgang.cli.main import holmgang  # noqa: E402

PAGES = "docs/pages"
SITE = REPOSITORY / "build/docs"
COPIED = {
    "CHANGELOG.md": "reference/changelog.md",
    "CONTRIBUTING.md": "explanation/contributing.md",
    "SECURITY.md": "explanation/security.md",
    "bench/README.md": "explanation/benchmarks.md",
    **{
        file.relative_to(REPOSITORY).as_posix(): f"reference/rules/{file.parent.name}.md"
        for file in sorted(REPOSITORY.glob("service/holmgang/games/*/RULES.md"))
    },
}
"""Documents that stand elsewhere in the repository, and where the site has them."""
RULES = '"reference/rules/*.md"'
"""In the navigation: the rules of all games."""
COMMANDS = "reference/commands.md"
REFERENCE = "service:/docs"
"""As a link's target: the API reference, which the service makes itself."""
CODE = re.compile(r"(^[ ]*(?:`{3,}|~{3,}).*?^[ ]*(?:`{3,}|~{3,})[ ]*$|`[^`\n]+`(?!\]))", re.M | re.S)
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)")


def sources() -> dict[str, tuple[str, str]]:
    """Of each page, by its path in the site: where its text stands in the repository, and the text."""
    found = {
        file.relative_to(REPOSITORY / PAGES).as_posix(): file.relative_to(REPOSITORY).as_posix()
        for file in (REPOSITORY / PAGES).rglob("*.md")
    }
    found |= {page: source for source, page in COPIED.items()}
    texts = {page: (source, (REPOSITORY / source).read_text(encoding="utf-8")) for page, source in found.items()}
    source, text = texts[COMMANDS]
    return {**texts, COMMANDS: (source, "".join([text, *_commands()]))}


def linked(page: str, source: str, text: str, places: dict[str, str]) -> str:
    """The text with links that fit the site: between pages, and none to other files of the repository.

    `places` has the page of each source.
    """

    def of_the_site(link: re.Match[str]) -> str:
        target, _, anchor = link["target"].partition("#")
        if link["target"].startswith(("https://", "#")):
            return link[0]
        if target == REFERENCE:
            return f"[{link['text']}]({'../' * page.count('/')}../docs)"
        there = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if there in places:
            relative = posixpath.relpath(places[there], posixpath.dirname(page))
            return f"[{link['text']}]({relative}{'#' if anchor else ''}{anchor})"
        return link["text"]  # the tests see to it that there is such a file

    return _outside_code(text, lambda part: LINK.sub(of_the_site, part))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    return "".join(part if n % 2 else change(part) for n, part in enumerate(CODE.split(text)))


def _commands() -> Iterator[str]:
    """What the commands print for help."""
    with click.Context(holmgang, info_name="holmgang") as context:
        for name in holmgang.list_commands(context):
            command = holmgang.get_command(context, name)
            assert command is not None
            with click.Context(command, info_name=name, parent=context) as called:
                yield f"\n## holmgang {name}\n\n```text\n{command.get_help(called)}\n```\n"


def build(site: Path) -> None:
    """Write the site into this folder, in the place of what is there.

    Raises CalledProcessError where Zensical warns of anything.
    """
    pages = sources()
    places = {source: page for page, (source, _) in pages.items()}
    site.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=site.parent, prefix=".docs") as folder:
        work = Path(folder)
        rules = ", ".join(f'"{page}"' for page in COPIED.values() if page.startswith("reference/rules/"))
        settings = (REPOSITORY / "docs/zensical.toml").read_text(encoding="utf-8")
        (work / "zensical.toml").write_text(settings.replace(RULES, rules), encoding="utf-8")
        shutil.copytree(REPOSITORY / PAGES, work / "pages", ignore=shutil.ignore_patterns("*.md"))
        for page, (source, text) in pages.items():
            (work / "pages" / page).parent.mkdir(parents=True, exist_ok=True)
            (work / "pages" / page).write_text(linked(page, source, text, places), encoding="utf-8")
        (work / "service").symlink_to(REPOSITORY / "service")
        zensical = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
        subprocess.run(zensical, cwd=work, check=True)
        for name in ("404.html", "sitemap.xml"):  # these have to know the site's address
            (work / "site" / name).unlink()
        shutil.rmtree(site, ignore_errors=True)
        (work / "site").rename(site)


if __name__ == "__main__":
    try:
        build(SITE)
    except subprocess.CalledProcessError as failed:
        sys.exit(str(failed))
    print(f"The documentation is in {SITE}; a service that is started now serves it below /docs/.")
