"""The pages that the `type` of a problem leads to: what it means and what to do."""

from __future__ import annotations

import html

from service.engine.messages import Said, say
from service.languages.catalogue import sentence, translation

from .frame import frame, prose
from .table import PROBLEMS, Problem

_AGAIN = {
    True: say("The same request may succeed later."),
    False: say("Repeating the same request will not help."),
}
_PROBLEMS, _REFERENCE = say("Problems"), say("API reference")
_CODE, _STATUS, _TITLE = say("Code"), say("Status"), say("Title")
_MEANS, _REMEDY = say("What it means"), say("What to do")
_ABOUT = say(
    "Every error is a problem document (RFC 9457, `application/problem+json`). Its `code` is stable; its `type` leads "
    "to one of these pages."
)


def problem_page(problem: Problem, base: str, language: str) -> str:
    def shown(said: Said) -> str:
        return prose(sentence(said, language))

    title, meaning, remedy = (translation(text, language) for text in (problem.title, problem.meaning, problem.remedy))
    status = sentence(say("HTTP status {status}", status=f"{problem.status.value} {problem.status.phrase}"), language)
    return frame(
        f"{title} - Holmgang",
        f'<main class="page"><p class="soft"><a href="{html.escape(base)}/problems">{shown(_PROBLEMS)}</a></p>'
        f"<h1>{prose(title)}</h1><p><code>{problem.code}</code>, {status}</p>"
        f"<h2>{shown(_MEANS)}</h2><p>{prose(meaning)}</p>"
        f"<h2>{shown(_REMEDY)}</h2><p>{prose(remedy)}</p><p>{shown(_AGAIN[problem.retryable])}</p></main>",
        language=language,
    )


def index_page(base: str, language: str) -> str:
    def shown(said: Said) -> str:
        return prose(sentence(said, language))

    rows = "".join(
        f'<tr><td><a href="{html.escape(base)}/problems/{row.code}"><code>{row.code}</code></a></td>'
        f"<td>{row.status.value}</td><td>{prose(translation(row.title, language))}</td></tr>"
        for row in PROBLEMS.values()
    )
    return frame(
        f"{sentence(_PROBLEMS, language)} - Holmgang",
        f'<main class="page"><p class="soft"><a href="{html.escape(base)}/docs">{shown(_REFERENCE)}</a></p>'
        f"<h1>{shown(_PROBLEMS)}</h1><p>{shown(_ABOUT)}</p>"
        f"<table><tr><th>{shown(_CODE)}</th><th>{shown(_STATUS)}</th><th>{shown(_TITLE)}</th></tr>{rows}</table></main>",
        language=language,
    )
