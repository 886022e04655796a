import json

import jsonschema_rs
import msgspec
import pytest
from structlog.testing import capture_logs

from parlour.games.chess import Chess
from parlour.games.contract import Action, Illegal
from parlour.games.registry import Listing, Registry, installed


def test_the_installed_games_are_found_by_their_entry_points():
    assert "chess" in {game.name for game in installed()}
    assert Registry()["chess"].title == "Chess"


BROKEN = {
    "gone": ("", "no_such_module:Gone"),
    "unmade": ("raise RuntimeError('made for another version')", "unmade:Unmade"),
    "stranger": ("class Stranger:\n    pass", "stranger:Stranger"),
    "misnamed": ("from parlour.games.chess import Chess", "misnamed:Chess"),
    "wordless": (
        "from parlour.games.chess import Chess\nclass Wordless(Chess):\n    name, action_types = 'wordless', (3,)",
        "wordless:Wordless",
    ),
}


def test_a_broken_package_is_left_out_and_named_in_the_log(tmp_path, monkeypatch):
    for name, (code, point) in BROKEN.items():
        (tmp_path / f"{name}.py").write_text(code)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[parlour.games]\n{name} = {point}\n")
    whole = list(Registry())
    monkeypatch.syspath_prepend(tmp_path)
    with capture_logs() as lines:
        assert list(Registry()) == whole
    told = {line["game"]: line["error"] for line in lines if line["event"] == "game_left_out"}
    assert set(told) == set(BROKEN)
    assert "no_such_module" in told["gone"]
    assert "made for another version" in told["unmade"]


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


SENT = {
    "holdem": [{"type": "raise", "amount": 60}, {"type": "sit_in", "post": True}, {"type": "rebuy"}, {"type": "fold"}],
    "chess": [{"type": "move", "uci": "e2e4"}, {"type": "claim_draw"}, {"type": "resign"}],
}


@pytest.mark.parametrize("game", installed(), ids=lambda game: game.name)
def test_the_schemas_of_the_actions_take_what_the_game_takes(game):
    listing = Listing(game)
    assert len(listing.action_schemas) == len(game.action_types)
    for action in SENT[game.name]:
        word, fields = action["type"], {name: value for name, value in action.items() if name != "type"}
        validator = jsonschema_rs.Draft202012Validator(listing.action_schemas[word])
        listing.action(action)
        validator.validate(fields)
        wrong = {**fields, "nonsense": 1}
        assert not validator.is_valid(wrong)
        with pytest.raises(Illegal):
            listing.action({**action, **wrong})


@pytest.mark.parametrize("game", installed(), ids=lambda game: game.name)
def test_every_action_and_every_field_says_what_it_is_for(game):
    for word, schema in Listing(game).action_schemas.items():
        assert schema["description"], word
        for name, field in schema["properties"].items():
            assert field.get("description"), (word, name)


class Bid(msgspec.Struct, frozen=True):
    tricks: int


class Declare(Action, frozen=True):
    """Say how many tricks you will take."""

    bid: Bid


def test_an_action_with_parts_has_a_schema_that_stands_alone():
    class Bridge(Chess):
        action_types = (Declare,)

    (schema,) = Listing(Bridge()).action_schemas.values()
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert validator.is_valid({"bid": {"tricks": 7}})
    assert not validator.is_valid({"bid": {"tricks": "seven"}})
    assert not validator.is_valid({})


@pytest.mark.parametrize("data", [{"minutes": "x"}, {"minutes": 0}, {"colour": "red"}, {"increment": -1}])
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
