"""The presets of the caller, over HTTP."""

from __future__ import annotations

from parlour.server.api.routing import PUBLIC_ID, STORE_READ, STORE_WRITE, ApiCall, Routes
from parlour.server.api.schema import NewPreset
from parlour.tables.presets import Preset, Presets

routes = Routes("presets")


def _presets(call: ApiCall) -> Presets:
    return Presets(call.site.parlour.store, call.site.parlour.games)


@routes.add("GET", "/api/v1/me/presets", answer=list[Preset], cost=STORE_READ)
async def presets(call: ApiCall) -> list[Preset]:
    """The tables that you saved to open them again, by name."""
    return await _presets(call).of(call.caller)


@routes.add(
    "POST", "/api/v1/me/presets", body=NewPreset, answer=Preset, status=201, refusals=(404, 409), cost=STORE_WRITE
)
async def save(call: ApiCall) -> Preset:
    """Save settings under a name. A preset that has the name already is replaced."""
    call.site.admission.personal_command(call.caller.id)
    return await _presets(call).save(call.caller, call.body.name, call.body.game, call.body.settings)


@routes.add("DELETE", f"/api/v1/me/presets/{{preset:{PUBLIC_ID}}}", answer=list[Preset], cost=STORE_WRITE)
async def delete(call: ApiCall) -> list[Preset]:
    """Delete a preset. Gives what is left."""
    call.site.admission.personal_command(call.caller.id)
    await _presets(call).delete(call.caller, call.request.match_info["preset"])
    return await _presets(call).of(call.caller)
