"""The suggestion box of the house."""

from __future__ import annotations

import secrets

import msgspec

from parlour.server.routing import Access, Call, Routes
from parlour.server.schema import NewSuggestion, Suggestion

routes = Routes("suggestions")

SHELF = "suggestions"
SHOWN = 10
KEPT = 500

_read = msgspec.json.Decoder(Suggestion).decode


@routes.add("GET", "/api/v1/suggestions", access=Access.ANYONE, answer=list[Suggestion])
async def suggestions(call: Call) -> list[Suggestion]:
    """The last ten suggestions, the newest first."""
    documents = await call.site.parlour.store.documents(SHELF)
    return [_read(body) for _, body in documents[: -SHOWN - 1 : -1]]


@routes.add("POST", "/api/v1/suggestions", access=Access.ANYONE, body=NewSuggestion, answer=Suggestion, status=201)
async def suggest(call: Call) -> Suggestion:
    """Put a suggestion into the box."""
    call.site.guard.suggestions.check(call.address)
    parlour = call.site.parlour
    made = Suggestion(call.body.title, call.body.suggestion, parlour.clock.now())
    await parlour.store.keep(SHELF, f"{made.at:015}-{secrets.token_hex(4)}", msgspec.json.encode(made))
    for key, _ in (await parlour.store.documents(SHELF))[:-KEPT]:
        await parlour.store.drop(SHELF, key)
    return made
