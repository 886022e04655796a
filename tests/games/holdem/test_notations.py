"""Open Hand History and PokerStars text, and hands that are read from PHH, also from hostile files."""

import json
import random
import re

import jsonschema_rs
import msgspec
import pytest
from proofs.retelling import from_ohh, from_pokerstars

import parlour
from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem, events
from parlour.games.testing import Lots, Trial


def table(stacks, seed=1, **choices):
    trial = Trial(Holdem(), {"seats": len(stacks), "min_buy_in": 2, "max_buy_in": 10_000, **choices}, Lots(seed))
    for seat, chips in enumerate(stacks):
        trial.join(seat, buy_in=chips)
    trial.start()
    return trial


def run_down(trial):
    """Check or call to the end."""
    while trial.game.actors(trial.state):
        words = trial.game.legal(trial.state, trial.actor)["actions"]
        trial.act(trial.actor, "check" if "check" in words else "call")


def test_the_text_reads_as_one_of_pokerstars():
    trial = table([200, 200, 200])
    first = trial.actor
    trial.act(first, "raise", amount=6)
    trial.act(trial.actor, "fold")
    trial.act(trial.actor, "call")
    trial.act(trial.actor, "check")
    trial.act(trial.actor, "bet", amount=10)
    trial.act(trial.actor, "fold")
    text = trial.game.export("txt", trial.played(None, {0: "Ann", 1: "Ben", 2: "Cora"}, first))
    name = {0: "Ann", 1: "Ben", 2: "Cora"}[first]
    lines = text.splitlines()
    assert re.fullmatch(r"PokerStars Hand #\d+:  Hold'em No Limit \(\$1/\$2\) - 2023/11/14 22:13:20 UTC", lines[0]), (
        lines[0]
    )
    assert re.fullmatch(r"Table 'Parlour' 3-max Seat #[123] is the button", lines[1])
    assert f"{name}: raises $4 to $6" in lines
    assert any(line.endswith(": calls $4") for line in lines)
    assert f"{name}: bets $10" in lines
    assert f"Uncalled bet ($10) returned to {name}" in lines
    assert f"{name} collected $13 from pot" in lines
    assert "Total pot $13 | Rake $0" in lines
    assert [line for line in lines if line.startswith("Dealt to")] == [
        f"Dealt to {name} [{' '.join(trial.game.private(trial.state, first)['cards'])}]"
    ]


@pytest.mark.parametrize(
    ("choices", "sign"),
    [
        ({}, "$"),
        ({"rebuy": False}, "$"),
        ({"absent": "blind_out", "rebuy": True}, "$"),
        ({"absent": "blind_out", "rebuy": False}, ""),  # as at the tables of a tournament
        ({"freeze_out": True, "rebuy": False}, ""),
        ({"levels": [[10, 1, 2, 0]], "rebuy": False}, ""),
    ],
)
def test_chips_are_written_as_money_in_cash_games_alone(choices, sign):
    trial = table([200, 200], **choices)
    run_down(trial)
    text = trial.game.export("txt", trial.played())
    assert f"({sign}1/{sign}2) - " in text
    assert f"Total pot {sign}4 | Rake {sign}0" in text
    assert ("$" in text) == bool(sign)
    assert sum(from_pokerstars(text).finished.values()) == 400


def test_each_pot_is_collected_by_itself():
    trial = table([30, 80, 200])
    while trial.game.actors(trial.state):
        trial.act(trial.actor, "allin" if trial.game.legal(trial.state, trial.actor)["all_in"] else "call")
    played = trial.played()
    (ended,) = [event for _, event in played.events if isinstance(event, events.HandEnded)]
    assert len(ended.pots) == 2
    text = trial.game.export("txt", played)
    names = {0: "Player 1", 1: "Player 2", 2: "Player 3"}
    for seat, shown in trial.game.public(trial.state)["result"]["shown"].items():
        cards = " ".join(trial.game.private(trial.state, int(seat))["cards"])
        assert f"{names[int(seat)]}: shows [{cards}] ({shown['name']})" in text
    assert f"Total pot ${30 * 3 + 50 * 2} Main pot $90. Side pot $100. | Rake $0" in text
    assert sum(map(int, re.findall(r"collected \$(\d+) from main pot", text))) == 90
    assert sum(map(int, re.findall(r"collected \$(\d+) from side pot", text))) == 100
    pots = json.loads(trial.game.export("ohh", played))["ohh"]["pots"]
    assert [(pot["number"], pot["amount"]) for pot in pots] == [(0, 90), (1, 100)]


def test_a_name_cannot_pass_for_another_line_or_another_player():
    trial = table([100, 100, 100])
    run_down(trial)
    names = {0: "Ben", 1: "Ben", 2: "Ben: folds\n*** FLOP *** [As Kd Qc] (9 in chips)"}
    text = trial.game.export("txt", trial.played(None, names))
    told = from_pokerstars(text)
    assert len(told.stacks) == 3
    assert {"Ben", "Ben 2"} < set(re.findall(r"^Seat \d: (.+) \(\$\d+ in chips\)$", text, re.MULTILINE))
    assert text.count("*** FLOP ***") == 1
    assert sum(told.finished.values()) == 300
    read = json.loads(trial.game.export("ohh", trial.played(None, names)))["ohh"]
    assert [player["name"] for player in read["players"]] == [names[seat] for seat in range(3)]


@pytest.mark.parametrize("suffix", ["ohh", "txt", "phh"])
def test_a_notation_has_the_cards_of_its_reader_and_no_others(suffix):
    trial = table([100, 100, 100])
    reader, other = trial.actor, (trial.actor + 1) % 3
    holes = {seat: trial.game.private(trial.state, seat)["cards"] for seat in range(3)}
    trial.act(trial.actor, "fold")
    trial.act(trial.actor, "fold")
    text = trial.game.export(suffix, trial.played(None, None, reader))
    assert all(card in text for card in holes[reader])
    assert not any(
        re.search(rf"\b{card}|{card}\b", text) for seat in range(3) if seat != reader for card in holes[seat]
    )
    everyone = Holdem().export(suffix, trial.played(None, None, 99))
    assert not any(re.search(rf"\b{card}|{card}\b", everyone) for cards in holes.values() for card in cards)
    assert other != reader


def test_open_hand_history_names_the_reader_as_hero_and_a_watcher_as_observer():
    trial = table([100, 100])
    run_down(trial)
    own = json.loads(trial.game.export("ohh", trial.played(None, None, 1)))["ohh"]
    assert (own["hero_player_id"], own["flags"]) == (1, [])
    watched = json.loads(trial.game.export("ohh", trial.played(None, None, 99)))["ohh"]
    assert (watched["hero_player_id"], watched["flags"]) == (None, ["Observed"])
    assert [one["street"] for one in watched["rounds"]] == ["Preflop", "Flop", "Turn", "River", "Showdown"]


def test_what_is_not_as_the_specification_wants_it_is_noticed():
    trial = table([100, 100])
    run_down(trial)
    text = trial.game.export("ohh", trial.played())
    from_ohh(text)
    for broken in (text.replace('"Post BB"', '"Posts"'), text.replace('"XPM"', '"chips"'), text.replace("rounds", "r")):
        with pytest.raises(jsonschema_rs.ValidationError):
            from_ohh(broken)


# Reading PHH

HAND = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [110, 220, 330]
actions = [
  "d dh p1 AcKc", "d dh p2 ????", "d dh p3 QhQd",
  "p3 cbr 7", "p1 cc", "p2 f",
  "d db 2s3s4s", "p1 cc", "p3 cc", "d db 9h", "p1 cbr 10", "p3 cc", "d db Ah", "p1 cc", "p3 cc",
  "p1 sm AcKc", "p3 sm QhQd",
]
players = ["Ada", "Bo", "Cy"]
"""


def read(text):
    return Holdem().read("phh", text)


def test_a_hand_of_another_program_is_told_as_ours_are():
    (played,) = read(HAND)
    told = [event for _, event in played.events]
    assert [event.seat for event in told if isinstance(event, events.Dealt)] == [0, 2], (
        "no card that is not in the file"
    )
    (ended,) = [event for event in told if isinstance(event, events.HandEnded)]
    assert ended.payouts == {0: 36}
    assert ended.stacks == {0: 129, 1: 218, 2: 313}
    assert played.names == {0: "Ada", 1: "Bo", 2: "Cy"}
    assert Holdem().summary(played).facts["net"] == {"0": 19, "1": -2, "2": -17}
    assert Holdem().export("phh", played).count("??") == 2, "it can be written again"


def test_several_hands_and_fractions_of_chips_are_read():
    cents = HAND.replace("[1, 2, 0]", "[0.5, 1, 0]").replace("min_bet = 2", "min_bet = 1").replace("cbr 7", "cbr 3.5")
    first, second = read(f"[1]\n{HAND}\n[2]\n{cents}")
    opening = next(event for _, event in second.events if isinstance(event, events.HandStarted))
    assert (opening.blinds, opening.stacks[0]) == ((50, 100), 11_000)
    assert first.events != second.events


ALL_IN = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = [
  "d dh p1 AcKc", "d dh p2 QhQd", "d dh p3 JsJd", "p3 cbr 100", "p1 cc", "p2 cc",
  "d db 2s3s4h", "d db 9h", "d db 9d", "p1 sm AcKc", "p2 sm QhQd", "p3 sm JsJd",
]
"""


def test_chances_are_told_only_where_every_hand_that_ran_out_is_in_the_file():
    """All three were all-in before the flop: what two of three hands win says nothing of a pot that three contest."""
    (whole,) = read(ALL_IN)
    assert [len(step.chances) for step in Holdem().details(whole)["run_out"]] == [3, 3, 3, 3]
    for missing in (["JsJd"], ["JsJd", "AcKc"]):
        text = ALL_IN
        for cards in missing:
            text = text.replace(cards, "????").replace(f', "p3 sm {cards}"', "")
        first, second = read(f"[1]\n{text.replace('p1 sm ????', 'p1 sm -')}\n[2]\n{HAND}")
        assert Holdem().details(first)["run_out"] is None
        assert Holdem().summary(first).facts["net"] == {"0": -100, "1": 200, "2": -100}
        assert Holdem().details(second)["run_out"] is None


def test_half_chips_that_the_file_tells_are_no_odd_chips():
    """A pot of 41 between two is 20.5 each in `finishing_stacks`: chips are counted in hundredths then."""
    split = HAND.replace("QhQd", "AhKh").replace("cbr 7", "cbr 7.0").replace('"d db Ah"', '"d db As"')
    split = split.replace("[1, 2, 0]", "[1, 3, 0]").replace('"p1 cbr 10", "p3 cc", ', '"p1 cc", "p3 cc", ')
    payouts = []
    for text in (split, split + "finishing_stacks = [111.5, 217, 331.5]\n"):
        (played,) = read(text)
        payouts += [event.payouts for _, event in played.events if isinstance(event, events.HandEnded)]
    assert payouts == [{0: 9, 2: 8}, {0: 850, 2: 850}]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("not toml [", "bad_toml"),
        ("a = " + "[" * 5000, "bad_toml"),
        ("a = 1" + "0" * 5000, "bad_toml"),
        ("", "bad_hand"),
        ("a = 1", "bad_hand"),
        ("variant = 3", "bad_hand"),
        (HAND.replace('"NT"', '"F7S"'), "unknown_game"),
        (HAND.replace("[110, 220, 330]", "[110, 220]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[110, 220, inf]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[110, 220, nan]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[110, 220, 1e300]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[110, 220, -5]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[110, 220, true]"), "bad_hand"),
        (HAND.replace("[110, 220, 330]", "[" + "1," * 11 + "]"), "bad_hand"),
        (HAND.replace("p3 cbr 7", "p9 cbr 7"), "bad_hand"),
        (HAND.replace("p3 cbr 7", "p1 cbr 7"), "bad_turn"),
        (HAND.replace("p3 cbr 7", "p3 cbr 3"), "illegal_action"),
        (HAND.replace("p3 cbr 7", "p3 cbr x"), "bad_hand"),
        (HAND.replace("p3 cbr 7", "p3 dances"), "bad_hand"),
        (HAND.replace("QhQd", "QhQh"), "bad_hand"),
        (HAND.replace("QhQd", "AcQd"), "bad_hand"),
        (HAND.replace("QhQd", "QhQdQc"), "bad_hand"),
        (HAND.replace("2s3s4s", "2s3s"), "bad_board"),
        (HAND.replace('"d db Ah", "p1 cc", "p3 cc",', ""), "unfinished"),
        (HAND.replace("AcKc", "????").replace("QhQd", "????"), "unknown_winner"),
        ("".join(f"[{number}]\nvariant = 'NT'\n" for number in range(201)), "too_many_hands"),
        (HAND.replace('"p2 f"', '"p2 f", ' + '"p2 f", ' * 500 + '"p2 f"'), "bad_hand"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_a_file_that_cannot_be_read_is_refused_with_a_reason(text, code):
    with pytest.raises(Illegal) as refused:
        read(text)
    assert refused.value.code == code
    assert len(str(refused.value)) <= 320


@pytest.mark.parametrize("limit", ["no-limit", "pot-limit", "fixed-limit"])
@pytest.mark.parametrize("variant", ["holdem", "short-deck", "omaha", "omaha5", "omaha6"])
def test_what_we_write_we_read_to_the_same_stacks(variant, limit):
    for seed in range(6):
        trial = table([30, 80, 200][: 2 + seed % 2], seed, variant=variant, limit=limit, ante=seed % 3)
        run_down(trial)
        played = trial.played()
        (again,) = trial.game.read("phh", trial.game.export("phh", played))
        ends = [
            next(event for _, event in one.events if isinstance(event, events.HandEnded)) for one in (played, again)
        ]
        assert ends[0].payouts == ends[1].payouts
        assert ends[0].stacks == ends[1].stacks


# The host's extras


def all_in(trial):
    while trial.game.actors(trial.state):
        legal = trial.game.legal(trial.state, trial.actor)
        trial.act(trial.actor, "allin" if legal["all_in"] else "call")
        if not trial.state.record.live or trial.state.record.offer is not None:
            return


@pytest.mark.parametrize("variant", ["holdem", "short-deck"])
def test_the_line_of_a_hand_that_was_run_out_tells_what_it_was_won_with(variant):
    trial = table([100, 100], variant=variant)
    all_in(trial)
    facts = Holdem().summary(trial.played()).facts
    assert facts["showdown"]
    assert facts["made"] == {
        seat: parlour.evaluate([*cards, *facts["board"]], game=variant).made for seat, cards in facts["shown"].items()
    }
    assert set(facts["made"]) == {"0", "1"}


def test_a_hand_that_is_run_twice_has_two_boards_in_every_notation():
    trial = table([100, 100], run_it=2)
    all_in(trial)
    for seat in (0, 1):
        trial.act(seat, "run", times=2)
    played = trial.played()
    boards = Holdem().summary(played).facts["boards"]
    assert [len(board) for board in boards] == [5, 5]
    assert not set(boards[0]) & set(boards[1])
    lines = trial.game.export("txt", played).splitlines()
    assert "Hand was run twice" in lines
    assert f"FIRST Board [{' '.join(boards[0])}]" in lines
    assert f"SECOND Board [{' '.join(boards[1])}]" in lines
    assert "*** SECOND SHOW DOWN ***" in lines
    for seat in (0, 1):
        cards = trial.game.private(trial.state, seat)["cards"]
        worths = [parlour.evaluate([*cards, *board]).name for board in boards]
        who = f"Player {seat + 1}: shows [{' '.join(cards)}]"
        assert [line for line in lines if line.startswith(who)] == [f"{who} ({worth})" for worth in worths]
        (fate,) = [line for line in lines if line.startswith(f"Seat {seat + 1}: ") and " showed " in line]
        outcomes = fate.partition("] and ")[2].split(", and ")
        assert [re.sub(r"^(lost|won \(\$\d+\)) with ", "", one) for one in outcomes] == worths
    hand = json.loads(trial.game.export("ohh", played))["ohh"]
    assert "Run_It_Twice" in hand["flags"]
    assert [one["street"] for one in hand["rounds"]].count("River") == 2
    assert "_runs = 2" in trial.game.export("phh", played)


def test_a_bomb_pot_on_two_boards_is_marked_and_its_antes_are_told():
    trial = table([100, 100, 100], bomb_ante=2, bomb_every=1, double_board="bombs")
    run_down(trial)
    played = trial.played()
    facts = Holdem().summary(played).facts
    assert (facts["options"], facts["pot"], len(facts["boards"])) == (["bomb"], 12, 2)
    hand = json.loads(trial.game.export("ohh", played))["ohh"]
    assert (hand["flags"], hand["ante_amount"]) == (["Run_It_Twice", "Bomb_Pot"], 4)
    text = trial.game.export("txt", played)
    assert text.count("posts the ante $4") == 3
    assert "*** SECOND FLOP ***" in text


def test_the_low_hand_of_each_board_is_told_where_there_is_one():
    seen = set()
    for seed in range(12):
        trial = table([100] * 4, seed, variant="omaha-hilo", double_board="always")
        run_down(trial)
        played = trial.played()
        (ended,) = [event for _, event in played.events if isinstance(event, events.HandEnded)]
        text = trial.game.export("txt", played)
        shown = re.split(r"\*\*\* (?:FIRST|SECOND) SHOW DOWN \*\*\*", text.split("*** SUMMARY ***")[0])[1:]
        for board, lines in enumerate(shown):
            low = any((part.board, part.side) == (board, "low") for part in ended.pots[0].parts)
            assert ("; LO: " in lines) == low, text
            seen.add((board, low))
    assert len(seen) == 4


def test_both_halves_of_a_pot_are_collected():
    for seed in range(40):
        trial = table([100, 100, 100], seed, variant="omaha-hilo")
        run_down(trial)
        played = trial.played()
        (ended,) = [event for _, event in played.events if isinstance(event, events.HandEnded)]
        text = trial.game.export("txt", played)
        assert "Omaha Hi/Lo No Limit" in text
        assert sum(map(int, re.findall(r"collected \$(\d+) from pot", text))) == 6
        if any(part.side == "low" for pot in ended.pots for part in pot.parts):
            assert text.count(" from pot") >= 2
            break
    else:
        pytest.fail("no low in forty hands")


def test_straddles_and_the_blind_of_the_button_are_named_and_read_again():
    trial = table([100] * 4, straddle="utg")
    for seat in range(4):
        trial.act(seat, "straddle", on=True)
    run_down(trial)
    trial.wait(10_000)
    run_down(trial)
    played = trial.played()
    assert "posts straddle $4" in trial.game.export("txt", played)
    assert '"Straddle"' in trial.game.export("ohh", played)
    button = table([100] * 3, button_blind=True, ante=1)
    run_down(button)
    assert "posts button blind $2" in button.game.export("txt", button.played())
    for one in (played, button.played()):
        (again,) = Holdem().read("phh", Holdem().export("phh", one))
        ends = [next(event for _, event in hand.events if isinstance(event, events.HandEnded)) for hand in (one, again)]
        assert ends[0].payouts == ends[1].payouts


ODD_VALUES = (
    "nan", "inf", "-1", "0", "1", "2.5", "1e300", "true", '""', '"x"', '"NT"', '"PO5/8"', "[]", "[[]]", "{}",
    "{a = [1]}", "12:00:00", "1979-05-27", "9" * 25, "[1, 2, 0]", "[0, 0, 0]", "[1]", "[true, 1, 2]", "[nan, 1, 2]",
    '["p1 f"]', '[""]', "[" + "1, " * 9 + "1]", "[" + "0, " * 9 + "0]", "[-5, -5, -5]",
    '["d", "d dh", "d db", "p1", "p9 f", "px cc", "p2 cbr"]',
)  # fmt: skip
ODD_LETTERS = '0123456789pdcrbfhs"[],. AKQJT\n\u0660\ud7ff\U0001f0a1'
FIELDS = (
    "variant", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet", "starting_stacks", "actions", "seats",
    "players", "hand", "table", "year", "month", "day", "time", "_blinds", "_bets_per_round", "_boards", "_runs",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_whatever_a_file_says_it_is_read_or_refused(seed):
    """Files in which some fields are odd, lines are missing or swapped, and letters have changed."""
    dice, read_at_all = random.Random(seed), 0
    for _ in range(200):
        lines = HAND.strip().replace("\n  ", " ").replace("\n]", "]").splitlines()
        fields = dict(line.split(" = ", 1) for line in lines)
        for _ in range(dice.choice([0, 1, 1, 2, 3])):
            fields[dice.choice(FIELDS)] = dice.choice(ODD_VALUES)
        text = "".join(f"{name} = {value}\n" for name, value in fields.items())
        if dice.random() < 0.5:
            letters = list(text)
            for _ in range(dice.randrange(1, 6)):
                letters[dice.randrange(len(letters))] = dice.choice(
                    '0123456789pdcrbfhs"[],. AKQJT\n\u0660\ud7ff\U0001f0a1'
                )
            text = "".join(letters)
        try:
            rounds = read(text)
        except Illegal:
            continue
        read_at_all += 1
        for played in rounds:
            Holdem().details(played)
            (ended,) = [event for _, event in played.events if isinstance(event, events.HandEnded)]
            opening = next(event for _, event in played.events if isinstance(event, events.HandStarted))
            assert sum(ended.stacks.values()) == sum(opening.stacks.values())
            json.loads(msgspec.json.encode([event for _, event in played.events]))
    assert read_at_all
