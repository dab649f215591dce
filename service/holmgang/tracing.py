"""Traces by OpenTelemetry, for who sets OTEL_EXPORTER_OTLP_ENDPOINT and has installed `holmgang[otel]`.

Nothing of it is imported otherwise, and a span that nobody wants costs a comparison. Spans hold the text of statements
and never their parameters, the route of a request and never its headers, query or body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from holmgang.release import release

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

_NOTHING = nullcontext()

_provider: TracerProvider | None = None


def start(endpoint: str | None, exporter: SpanExporter | None = None) -> None:
    """Send this process's traces to `endpoint` from now on, or give them at once to `exporter`. After forking only.

    How they are sent, sampled and named can be set by OpenTelemetry's own variables.
    """
    global _provider
    if _provider is not None or (endpoint is None and exporter is None):
        return
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

    # Of the two, what the environment says comes first.
    resource = Resource({SERVICE_NAME: "holmgang", SERVICE_VERSION: release()}).merge(_of_environment())
    _provider = TracerProvider(resource=resource)
    if exporter is not None:
        _provider.add_span_processor(SimpleSpanProcessor(exporter))
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces")))


def _of_environment() -> Any:
    from opentelemetry.sdk.resources import OTELResourceDetector

    return OTELResourceDetector().detect()


def stop() -> None:
    """Send what is left, and trace no more."""
    global _provider
    if _provider is not None:
        _provider.shutdown()
    _provider = None


def on() -> bool:
    return _provider is not None


def span(name: str, **attributes: Any) -> AbstractContextManager[Any]:
    """A span as long as the block lasts: a piece of work of this process."""
    return _NOTHING if _provider is None else _tracer().start_as_current_span(name, attributes=attributes)


def statement(text: str) -> AbstractContextManager[Any]:
    """A statement of the database, where it is part of something that is traced."""
    if _provider is None:
        return _NOTHING
    from opentelemetry import trace

    if not trace.get_current_span().is_recording():
        return _NOTHING
    words = text.split(None, 1)
    attributes = {"db.system.name": "postgresql", "db.query.text": text}
    name = words[0].upper() if words else "statement"
    return _tracer().start_as_current_span(name, kind=trace.SpanKind.CLIENT, attributes=attributes)


@contextmanager
def request(method: str, headers: Mapping[str, str]) -> Iterator[Any]:
    """A request that is answered; the span goes on, though not as the current one, until it is ended. The caller's
    trace, if it names one (W3C Trace Context), is gone on with."""
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract(dict(headers))
    opened = _tracer().start_span(
        method, context=parent, kind=trace.SpanKind.SERVER, attributes={"http.request.method": method}
    )
    with trace.use_span(opened, end_on_exit=False):
        yield opened


def _tracer() -> Tracer:
    assert _provider is not None
    return _provider.get_tracer("holmgang")
