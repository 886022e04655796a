import json

import jsonschema_rs
import pytest

from parlour.games.chess import Chess
from parlour.games.contract import Illegal
from parlour.games.registry import Listing, Registry, installed


def test_the_installed_games_are_found_by_their_entry_points():
    assert "chess" in {game.name for game in installed()}
    assert Registry()["chess"].title == "Chess"


def test_a_registry_holds_only_the_games_it_was_given():
    registry = Registry(Chess())
    assert list(registry) == ["chess"]
    assert len(registry) == 1


@pytest.mark.parametrize("game", installed(), ids=lambda game: game.name)
def test_the_schema_of_the_settings_takes_the_defaults_and_stands_alone(game):
    listing = Listing(game)
    schema = listing.settings_schema
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert set(schema["properties"]) == listing.settings_names
    validator.validate({})
    assert not validator.is_valid({name: [] for name in listing.settings_names})
    assert json.dumps(schema)
    listing.settings({})


@pytest.mark.parametrize("game", installed(), ids=lambda game: game.name)
def test_every_setting_says_what_it_means(game):
    for name, field in Listing(game).settings_schema["properties"].items():
        assert field.get("description"), name


@pytest.mark.parametrize("data", [{"minutes": "x"}, {"minutes": 0}, {"colour": "red"}, {"increment": 1.5}])
def test_bad_settings_are_refused(data):
    with pytest.raises(Illegal) as refusal:
        Listing(Chess()).settings(data)
    assert refusal.value.code == "bad_settings"


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b'{"type":"fly"}', b'{"type":"move"}', b'{"type":"move","uci":1}', b'{"type":"resign","x":1}', {}],
)
def test_a_malformed_action_is_refused(data):
    with pytest.raises(Illegal) as refusal:
        Listing(Chess()).action(data)
    assert refusal.value.code == "bad_action"


def test_an_action_is_read_from_json_and_from_a_mapping_alike():
    listing = Listing(Chess())
    assert listing.action(b'{"type":"move","uci":"e2e4"}') == listing.action({"type": "move", "uci": "e2e4"})
