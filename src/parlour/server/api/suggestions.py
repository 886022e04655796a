"""The suggestion box of the server, over HTTP."""

from __future__ import annotations

from parlour.server.api.routing import STORE_READ, Access, ApiCall, Routes
from parlour.server.api.schema import NewSuggestion
from parlour.tables.suggestions import Suggestion, SuggestionBox

routes = Routes("suggestions")


def _box(call: ApiCall) -> SuggestionBox:
    return SuggestionBox(call.site.parlour.store, call.site.parlour.clock)


@routes.add("GET", "/api/v1/suggestions", access=Access.ANYONE, answer=list[Suggestion], cost=STORE_READ)
async def suggestions(call: ApiCall) -> list[Suggestion]:
    """The last ten suggestions, the newest first."""
    return await _box(call).newest()


@routes.add("POST", "/api/v1/suggestions", access=Access.ANYONE, body=NewSuggestion, answer=Suggestion, status=201)
async def suggest(call: ApiCall) -> Suggestion:
    """Put a suggestion into the box."""
    call.site.admission.suggestion(call.address)
    return await _box(call).add(call.body.title, call.body.suggestion)
