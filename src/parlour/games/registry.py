"""Which games there are, and how their words are read.

Games are found by entry points of the group `parlour.games`, so that another package can bring one:

    [project.entry-points."parlour.games"]
    war = "my_package.war:War"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Union, cast

import msgspec
import structlog

from parlour.games.contract import Action, Event, Game, Illegal

logger = structlog.get_logger(__name__)

GROUP = "parlour.games"

AnyGame = Game[Any, Any]


def _union(types: tuple[type[Any], ...]) -> Any:
    return Union[types]  # noqa: UP007 the members are known at run time only


def _schema(struct: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a struct, with all that it refers to."""
    (schema,), components = msgspec.json.schema_components((struct,), ref_template="#/$defs/{name}")
    top = cast("dict[str, Any]", components.pop(struct.__name__, schema))
    return {**top, "$defs": components} if components else top


class Listing:
    """A game with the readers of its settings, actions and events, made once."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.name = game.name
        self.title = game.title
        self._actions: msgspec.json.Decoder[Action] = msgspec.json.Decoder(_union(game.action_types))
        self._events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(_union(game.event_types))
        self.bounds = frozenset(kind for kind in game.event_types if kind.begins_round or kind.ends_round)
        """The events with which rounds begin or end."""
        self.open = frozenset(kind for kind in game.event_types if kind.audience is Event.audience)
        """The events that are always for everyone: nobody has to ask each of them."""

    def settings(self, data: Mapping[str, Any]) -> Any:
        """The host's choices, checked, with the defaults filled in. Unknown names and bad values are `Illegal`."""
        unknown = sorted(set(data) - self.settings_names)
        if unknown:
            raise Illegal("bad_settings", f"{self.title} has no setting {unknown[0]!r}")
        try:
            settings = msgspec.convert(dict(data), self.game.settings_type)
        except msgspec.ValidationError as error:
            raise Illegal("bad_settings", str(error)) from None
        self.game.check(settings)
        return settings

    @cached_property
    def settings_names(self) -> frozenset[str]:
        """The names of the game's own settings."""
        return frozenset(field.encode_name for field in msgspec.structs.fields(self.game.settings_type))

    @cached_property
    def settings_schema(self) -> dict[str, Any]:
        """The settings as JSON Schema, self-contained."""
        return _schema(self.game.settings_type)

    @cached_property
    def action_schemas(self) -> dict[str, dict[str, Any]]:
        """The `type` of each action → its other fields as JSON Schema, self-contained, described by its docstring."""
        found: dict[str, dict[str, Any]] = {}
        for kind in self.game.action_types:
            word, schema = str(kind.__struct_config__.tag), _schema(kind)
            schema["title"] = word.replace("_", " ").capitalize()
            del schema["properties"]["type"]
            schema["required"].remove("type")
            found[word] = schema
        return found

    def action(self, data: bytes | Mapping[str, Any]) -> Action:
        """Read an action, from JSON or from what JSON was read into. A malformed one is `Illegal`."""
        try:
            if isinstance(data, bytes):
                return self._actions.decode(data)
            return msgspec.convert(data, self._actions.type)
        except msgspec.DecodeError as error:
            raise Illegal("bad_action", str(error)) from None

    def event(self, data: bytes) -> Event:
        """Read an event of this game back from the log."""
        return self._events.decode(data)


class Registry(Mapping[str, Listing]):
    """The games by name. `Registry()` holds what is installed; a test may hand in its own."""

    def __init__(self, *games: AnyGame) -> None:
        self._listings = {game.name: Listing(game) for game in games or installed()}

    def __getitem__(self, name: str) -> Listing:
        return self._listings[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listings)

    def __len__(self) -> int:
        return len(self._listings)


def installed() -> list[AnyGame]:
    """One instance of each game that an installed package offers, in the order of their names.

    A package may be broken, or meant for another version. Its game is left out, with a line in the log: the other games
    can be played all the same.
    """
    games = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            games.append(_load(point))
        except Exception as error:
            logger.error(
                "game_left_out", game=point.name, entry_point=point.value, error=f"{type(error).__name__}: {error}"
            )
    return games


def _load(point: EntryPoint) -> AnyGame:
    game = point.load()()
    if not isinstance(game, Game):
        raise TypeError(f"{point.value} is not a Game but {type(game).__name__}")
    if game.name != point.name:
        raise ValueError(f"the entry point is called {point.name!r}, its game {game.name!r}")
    Listing(game)  # words that cannot be read are a fault of the package, too
    return game
