"""The OpenAPI 3.1 document, made from the routes and their structs, and a page that shows it to people."""

from __future__ import annotations

import html
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

import msgspec

import parlour
from parlour.games.registry import AnyGame
from parlour.server.access.admission import OPERATOR_HEADER
from parlour.server.api import views
from parlour.server.api.auth import COOKIE, SECURE_COOKIE
from parlour.server.api.problems import MEDIA_TYPE, Problem
from parlour.server.api.routing import (
    CODE,
    KEY_HEADER,
    KEY_LIMIT,
    KEY_SIGNS,
    PARAMETER,
    PUBLIC_ID,
    Access,
    Endpoint,
    Routes,
)
from parlour.server.transport.frames import AnyAnswer, AnyFrame

REFERENCE = "#/components/schemas/{name}"
DESCRIPTION = """\
Table games for people and bots. An identity is a token: send it as `Authorization: Bearer …`, or as the cookie that
a browser is given. A command is acknowledged when it is durably committed; a repeat with the same Idempotency-Key gets
the first answer. Every error is problem details JSON with a `code` for programs and a `detail` for people."""
PATH_PARAMETERS = {
    "code": {"description": "The table's code.", "schema": {"type": "string", "pattern": f"^{CODE}$"}},
    "number": {"description": "The number of the hand or game.", "schema": {"type": "integer", "minimum": 1}},
    "suffix": {"description": "A notation of the game, such as phh or pgn.", "schema": {"type": "string"}},
    "token": {
        "description": "The id of a token, out of GET /api/v1/me/tokens.",
        "schema": {"type": "string", "pattern": f"^{PUBLIC_ID}$"},
    },
    "preset": {
        "description": "The id of a preset, out of GET /api/v1/me/presets.",
        "schema": {"type": "string", "pattern": f"^{PUBLIC_ID}$"},
    },
    "person": {
        "description": "The id of a person.",
        "schema": {"type": "string", "pattern": f"^{PUBLIC_ID}$"},
    },
    "game": {"description": "The name of a game.", "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,32}$"}},
    "power": {"description": "What the host does.", "schema": {"type": "string"}},
}


def document(resources: Iterable[Routes], games: Iterable[AnyGame]) -> dict[str, Any]:
    """The OpenAPI document of these resources, on a server where these games are played."""
    resources = list(resources)
    endpoints = [e for resource in resources for e in resource.endpoints]
    kinds = _kinds(endpoints)
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    schema_of = dict(zip(map(str, kinds), schemas, strict=True))
    components.update(views.by_game(components["View"], games, REFERENCE))
    paths: dict[str, dict[str, Any]] = {}
    for resource in resources:
        for endpoint in resource.endpoints:
            path = PARAMETER.sub(r"{\1}", endpoint.path)
            paths.setdefault(path, {})[endpoint.method.lower()] = _operation(endpoint, resource.tag, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Parlour",
            "version": parlour.__version__,
            "description": DESCRIPTION,
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "tags": [{"name": resource.tag} for resource in resources],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": f"Over https its name is {SECURE_COOKIE}.",
                },
                "operator": {"type": "apiKey", "in": "header", "name": OPERATOR_HEADER},
            },
        },
    }


def _kinds(endpoints: Iterable[Endpoint]) -> list[Any]:
    """Every type that the document speaks of, once."""
    found: dict[str, Any] = {str(Problem): Problem, str(AnyFrame): AnyFrame, str(AnyAnswer): AnyAnswer}
    for endpoint in endpoints:
        for kind in (endpoint.body, endpoint.answer):
            if kind is not None:
                found.setdefault(str(kind), kind)
    return list(found.values())


def _operation(endpoint: Endpoint, tag: str, schema_of: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTPStatus(endpoint.status).phrase}
    if endpoint.answer is not None:
        answer["content"] = {endpoint.media: {"schema": schema_of[str(endpoint.answer)]}}
    elif endpoint.media != "application/json":
        answer["content"] = {endpoint.media: {"schema": {"type": "string"}}}
    refusals = {
        str(status): {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": schema_of[str(Problem)]}},
        }
        for status in sorted(endpoint.refusals)
    }
    operation: dict[str, Any] = {
        "operationId": f"{tag}_{endpoint.handler.__name__}",
        "tags": [tag],
        "summary": endpoint.summary,
        "description": endpoint.description,
        "parameters": _parameters(endpoint),
        "responses": {str(endpoint.status): answer, **refusals},
        "security": _SECURITY[endpoint.access],
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": _has_required_fields(endpoint.body),
            "content": {"application/json": {"schema": schema_of[str(endpoint.body)]}},
        }
    return operation


_SECURITY: dict[Access, list[dict[str, list[str]]]] = {
    Access.ANYONE: [],
    Access.KNOWN_OR_NOT: [{}, {"token": []}, {"cookie": []}],
    Access.KNOWN: [{"token": []}, {"cookie": []}],
    Access.OPERATOR: [{"operator": []}],
}


def _has_required_fields(kind: Any) -> bool:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(field.required for field in msgspec.structs.fields(kind))
    return False


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    parameters = [
        {"name": name, "in": "path", "required": True, **PATH_PARAMETERS[name]}
        for name, _ in PARAMETER.findall(endpoint.path)
    ]
    if endpoint.query is not None:
        properties = msgspec.json.schema_components([endpoint.query], ref_template=REFERENCE)[1]
        schema = properties[endpoint.query.__name__]
        required = schema.get("required", ())
        parameters += [
            {"name": name, "in": "query", "required": name in required, "schema": part}
            for name, part in schema["properties"].items()
        ]
    if endpoint.keyed:
        schema = {"type": "string", "minLength": 1, "maxLength": KEY_LIMIT, "pattern": f"^{KEY_SIGNS}$"}
        parameters.append({"name": KEY_HEADER, "in": "header", "required": False, "schema": schema})
    return parameters


def page(spec: dict[str, Any]) -> str:
    """The document as one plain page."""
    parts = []
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            answers = "".join(
                f"<li><b>{status}</b> {html.escape(answer['description'])} {_linked(answer)}</li>"
                for status, answer in operation["responses"].items()
            )
            parameters = "".join(
                f"<li><code>{html.escape(p['name'])}</code> ({p['in']}) {_words(p['schema'])}</li>"
                for p in operation["parameters"]
            )
            parts.append(
                f"<section><h2><b>{method.upper()}</b> <code>{html.escape(path)}</code></h2>"
                f"<p>{html.escape(operation['description'])}</p>"
                + (f"<h3>Parameters</h3><ul>{parameters}</ul>" if parameters else "")
                + (f"<h3>Body</h3><p>{_words(body)}</p>" if body else "")
                + f"<details><summary>Answers</summary><ul>{answers}</ul></details></section>"
            )
    structs = "".join(
        f'<section id="{html.escape(name)}"><h2>{html.escape(name)}</h2><p>{html.escape(schema.get("description", ""))}'
        f"</p><pre>{html.escape(_pretty(schema))}</pre></section>"
        for name, schema in spec["components"]["schemas"].items()
    )
    return _PAGE.format(
        version=html.escape(spec["info"]["version"]),
        description=html.escape(spec["info"]["description"]),
        operations="".join(parts),
        structs=structs,
    )


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _words(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = html.escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    return f"<code>{html.escape(msgspec.json.encode(schema).decode())}</code>"


def _linked(answer: dict[str, Any]) -> str:
    return " ".join(_words(content["schema"]) for content in answer.get("content", {}).values())


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parlour: the API</title>
<link rel="stylesheet" href="/plain.css">
<main><h1>Parlour {version}: the API</h1><p>{description}</p><p><a href="/openapi.json">openapi.json</a></p>
{operations}<h1>Words</h1>{structs}</main></html>
"""


def encode(spec: dict[str, Any]) -> bytes:
    return msgspec.json.encode(spec)
