"""The pages that the `type` of a problem leads to: what it means and what to do."""

from __future__ import annotations

from .pages import frame, prose
from .problem_table import PROBLEMS, Problem


def problem_page(problem: Problem, base: str) -> str:
    again = "The same request may succeed later." if problem.retryable else "Repeating the same request will not help."
    return frame(
        f"{problem.title} - Holmgang",
        f'<main class="page"><p class="soft"><a href="{base}/problems">Problems</a></p><h1>{prose(problem.title)}</h1>'
        f"<p><code>{problem.code}</code>, HTTP status {problem.status.value} {problem.status.phrase}</p>"
        f"<h2>What it means</h2><p>{prose(problem.meaning)}</p>"
        f"<h2>What to do</h2><p>{prose(problem.remedy)}</p><p>{again}</p></main>",
    )


def index_page(base: str) -> str:
    rows = "".join(
        f'<tr><td><a href="{base}/problems/{row.code}"><code>{row.code}</code></a></td>'
        f"<td>{row.status.value}</td><td>{prose(row.title)}</td></tr>"
        for row in PROBLEMS.values()
    )
    return frame(
        "Problems - Holmgang",
        f'<main class="page"><p class="soft"><a href="{base}/docs">API reference</a></p><h1>Problems</h1>'
        "<p>Every error is a problem document (RFC 9457, <code>application/problem+json</code>). Its "
        "<code>code</code> is stable; its <code>type</code> leads to one of these pages.</p>"
        f"<table><tr><th>Code</th><th>Status</th><th>Title</th></tr>{rows}</table></main>",
    )
