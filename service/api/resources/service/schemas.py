"""What is answered about the service."""

from __future__ import annotations

from marshmallow import fields

from service.api.operation.schemas import Answer, need


class Health(Answer):
    status = need(fields.String)


class Index(Answer):
    name = need(fields.String)
    version = need(fields.String)
    links = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
