"""What is written about views, in the OpenAPI document and in the client's types, is what the server sends."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from tests.patience import time_limit

from parlour.client import views
from parlour.games.registry import AnyGame, installed
from parlour.server.api.openapi import REFERENCE, document
from parlour.server.app import RESOURCES

SPEC = document(RESOURCES, installed())
DOCS = Path(__file__).parents[2] / "docs"
Schema = dict[str, Any]


class Schemas:
    """The same shape described twice: the parts of each are looked up in its own components."""

    def __init__(self, own: Schema, theirs: Schema) -> None:
        self.own, self.theirs = own, theirs

    def differences(self, own: Any, theirs: Any, at: str) -> Iterator[str]:
        """Where a value that fits `theirs` need not fit `own`. `own` may say `str` where `theirs` lists the words."""
        own, theirs = self.follow(own, self.own), self.follow(theirs, self.theirs)
        kinds, other_kinds = self.choices(own, self.own), self.choices(theirs, self.theirs)
        if set(kinds) != set(other_kinds):
            yield f"{at}: {sorted(kinds)} is not {sorted(other_kinds)}"
            return
        for kind, mine in kinds.items():
            yield from self.parts(mine, other_kinds[kind], at)

    def parts(self, own: Schema, theirs: Schema, at: str) -> Iterator[str]:
        if (words := own.get("words")) and words != theirs.get("words"):
            yield f"{at}: {sorted(words)} is not {sorted(theirs.get('words', ()))}"
        if "properties" in own or "properties" in theirs:
            fields, other_fields = own.get("properties", {}), theirs.get("properties", {})
            if set(fields) != set(other_fields) or set(own.get("required", ())) != set(theirs.get("required", ())):
                yield f"{at}: {sorted(fields)} is not {sorted(other_fields)}, or others are required"
                return
            for name, part in fields.items():
                yield from self.differences(part, other_fields[name], f"{at}.{name}")
        for inner in ("items", "additionalProperties"):
            if isinstance(own.get(inner), dict) or isinstance(theirs.get(inner), dict):
                yield from self.differences(own.get(inner), theirs.get(inner), f"{at}[]")
        for i, part in enumerate(own.get("prefixItems", ())):
            yield from self.differences(part, theirs["prefixItems"][i], f"{at}[{i}]")

    @staticmethod
    def follow(schema: Any, components: Schema) -> Schema:
        while isinstance(schema, dict) and "$ref" in schema:
            schema = components[schema["$ref"].rpartition("/")[2]]
        return schema if isinstance(schema, dict) else {}

    def choices(self, schema: Schema, components: Schema) -> dict[str, Schema]:
        """JSON type → the schema for it; all lists of words in one."""
        found: dict[str, Schema] = {}
        for choice in schema.get("anyOf", [schema]):
            one = self.follow(choice, components)
            words = one.get("enum", [one["const"]] if "const" in one else None)
            if words is not None:
                found.setdefault("string", {"words": set()})["words"] |= set(words)
            else:
                found[one.get("type", "any")] = one
        return found


@pytest.mark.parametrize(("kind", "name"), [(views.HoldemView, "HoldemView"), (views.ChessView, "ChessView")])
def test_the_types_of_the_client_are_those_of_the_document(kind: type, name: str) -> None:
    (schema,), own = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    components = SPEC["components"]["schemas"]
    assert list(Schemas(own, components).differences(schema, components[name], name)) == []


def test_a_type_that_says_something_else_is_noticed() -> None:
    class Wrong(views.TableView):
        game: str
        state: dict[str, int]
        private: views.HoldemPrivate | None

    (schema,), own = msgspec.json.schema_components([Wrong], ref_template=REFERENCE)
    components = SPEC["components"]["schemas"]
    assert list(Schemas(own, components).differences(schema, components["HoldemView"], "view"))


def test_a_view_is_only_taken_for_the_game_that_it_is_of() -> None:
    view = {"game": "holdem"}
    assert views.holdem(view) is view
    with pytest.raises(ValueError, match="not of chess"):
        views.chess(view)


def check(spec: Schema, view: dict[str, Any]) -> None:
    """The view fits the schema of its own game."""
    schema = {"$ref": "#/components/schemas/View", "components": spec["components"]}
    jsonschema_rs.validator_for(schema).validate(view)


@pytest.mark.parametrize("variant", ["holdem", "omaha5", "short-deck"])
async def test_every_view_of_a_hand_is_as_described(house, variant: str) -> None:
    names = ("Ann", "Ben", "Cid")
    tables = await house.table("holdem", *names, seats=4, variant=variant, ante=1, hand_delay=0, action_seconds=0)
    dice, seen, stranger = random.Random(variant), 0, (await house.client()).table(tables[0].code)
    async with time_limit():
        while (page := await stranger.view())["state"]["hand"] < 6:
            check(SPEC, page)
            actor = page["state"]["actor"]
            if actor is None:
                break
            view = await tables[actor].view()
            check(SPEC, view)
            legal = view["legal"]
            kind = dice.choice([kind for kind in legal["actions"] if kind != "allin"])
            action = {"type": kind, "amount": legal["min"]} if kind in ("bet", "raise") else {"type": kind}
            await tables[actor].act(action, view["turn"])
            seen += 1
    assert seen > 15


async def test_every_view_of_a_game_is_as_described(house) -> None:
    tables = await house.table("chess", "Ann", "Ben", side="white", start=False)
    check(SPEC, await tables[0].view())
    await tables[0].start()
    for ply, uci in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):
        for table in tables:
            check(SPEC, await table.view())
        await tables[ply % 2].act({"type": "move", "uci": uci})
    over = await tables[0].view()
    assert over["state"]["result"] == {"winner": "black", "reason": "checkmate"}
    check(SPEC, over)
    with pytest.raises(jsonschema_rs.ValidationError):
        check(SPEC, {**over, "game": "holdem"})
    with pytest.raises(jsonschema_rs.ValidationError):
        check(SPEC, {**over, "state": {**over["state"], "fen": None}})


@pytest.fixture(scope="module")
def high_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnyGame]:
    """The game of docs/adding-a-game.md, which does not describe its views."""
    code = re.findall(r"^```python\n(.*?)^```$", (DOCS / "adding-a-game.md").read_text(), re.DOTALL | re.MULTILINE)
    path = tmp_path_factory.mktemp("page") / "high_card_views.py"
    path.write_text("\n\n".join(code))
    spec = importlib.util.spec_from_file_location("high_card_views", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["high_card_views"] = module
    spec.loader.exec_module(module)
    yield module.HighCard()
    del sys.modules["high_card_views"]


async def test_a_game_that_describes_nothing_has_open_parts(house, high_card: AnyGame) -> None:
    spec = document(RESOURCES, [*installed(), high_card])
    view = await (await house.table("chess", "Ann", "Ben"))[0].view()
    check(spec, {**view, "game": "high-card", "state": {"points": {}}, "private": {"card": "As"}, "legal": None})
    with pytest.raises(jsonschema_rs.ValidationError):
        check(spec, {**view, "game": "high-card", "state": 7})


async def test_a_game_nobody_knows_is_played_from_its_card(serve, high_card: AnyGame) -> None:
    """The card says what an action is for and which fields it has; the view says which of them are open."""
    house = await serve(games=[*installed(), high_card])
    cards = {card["name"]: card for card in await (await house.client()).request("GET", "/api/v1/games")}
    actions = cards["high-card"]["actions"]
    assert {word: (schema["title"], schema["description"]) for word, schema in actions.items()} == {
        "keep": ("Keep", "Keep the card."),
        "swap": ("Swap", "Swap it for the next card of the deck."),
    }
    tables = await house.table("high-card", "Ann", "Ben", points=1)
    for table in tables:
        legal = (await table.view())["legal"]
        assert set(legal["actions"]) == set(actions)
        fields = {name: field["default"] for name, field in actions["swap"]["properties"].items()}
        await table.act({"type": "swap", **fields})
    assert (await tables[0].view())["state"]["last"] is not None
