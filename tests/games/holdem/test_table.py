"""The manners of a hold'em table: chips, seats, clocks, showing. Blinds are proved in test_blinds.py."""

import msgspec
import pytest

from parlour.games.cards import parse_cards
from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.poker.holdem import events as ev
from parlour.games.registry import Listing
from parlour.games.testing import Lots, Trial


def deck(*hands, board=""):
    """A deck that deals these hands from the left of the button on, and then this board."""
    dealt = [list(parse_cards(hand)) for hand in hands]
    cards = [hand[i] for i in range(len(dealt[0])) for hand in dealt] + list(parse_cards(board))
    return [int(card) for card in cards] + [card for card in range(52) if card not in cards]


def table(stacks, cards=None, button=None, **settings):
    """A running table. The button is the last seat unless told."""
    seats = settings.setdefault("seats", len(stacks))
    settings = {"max_buy_in": 10_000, "min_buy_in": 2, "buy_in": 100, **settings}
    button = len(stacks) - 1 if button is None else button
    lot = [button, *(seat for seat in range(seats) if seat != button)]
    trial = Trial(Holdem(), settings, Lots(1, [lot] + ([cards] if cards else [])))
    for seat, stack in enumerate(stacks):
        if stack is not None:
            trial.join(seat, buy_in=stack)
    trial.start()
    return trial


def acts(trial, *words):
    """Act in turn: `fold`, `check`, `call`, `allin`, or a number to raise to."""
    for word in words:
        if isinstance(word, int):
            kind = next(kind for kind in trial.game.legal(trial.state, trial.actor)["actions"] if kind[0] in "br")
            trial.act(trial.actor, kind, amount=word)
        else:
            trial.act(trial.actor, word)
    return trial


def player(trial, seat):
    return next(row for row in trial.public["players"] if row["seat"] == seat)


def stacks(trial):
    return [row["stack"] for row in trial.public["players"]]


def kinds(trial, kind):
    return [event for _, event in trial.log if isinstance(event, kind)]


def refused(code, call, *args, **kwargs):
    with pytest.raises(Illegal) as refusal:
        call(*args, **kwargs)
    assert refusal.value.code == code


# Buying in


@pytest.mark.parametrize("buy_in", [39, 401, -1, 0, 100.0, "100", True, 10**30])
def test_a_buy_in_outside_the_limits_is_refused(buy_in):
    refused("bad_buy_in", Trial(Holdem()).join, 0, buy_in=buy_in)


def test_without_an_amount_the_tables_buy_in_is_taken():
    trial = Trial(Holdem())
    trial.join(3)
    assert player(trial, 3)["stack"] == 200
    assert trial.game.stakes(trial.log[0][1]) == (3, 200)


@pytest.mark.parametrize("options", [{"chips": 3}, {"post": 1}])
def test_unknown_options_are_refused(options):
    refused("bad_options", Trial(Holdem()).join, 0, **options)


def test_a_hand_needs_two_with_chips():
    trial = Trial(Holdem())
    trial.join(0)
    refused("too_few_players", trial.start)
    trial.join(1)
    trial.act(1, "sit_out")
    refused("too_few_players", trial.start)
    trial.act(1, "sit_in")
    trial.start()
    refused("game_running", trial.start)


def test_a_rebuy_fills_up_to_the_ordinary_buy_in_or_by_the_amount_named():
    trial = acts(table([50, 50, 50], max_buy_in=120), "fold")
    refused("bad_buy_in", trial.act, 2, "rebuy", amount=71)
    refused("bad_buy_in", trial.act, 2, "rebuy", amount=0)
    refused("bad_buy_in", trial.act, 2, "rebuy", amount=10**30)
    trial.act(2, "rebuy", amount=20)
    assert player(trial, 2)["stack"] == 70
    trial.act(2, "rebuy")
    assert player(trial, 2)["stack"] == 100
    trial.act(2, "rebuy", amount=20)
    assert "rebuy" not in trial.game.options(trial.state, 2)
    refused("cannot_rebuy", trial.act, 2, "rebuy")


def test_table_stakes_nobody_buys_chips_in_the_middle_of_a_hand():
    trial = table([50, 50, 50])
    refused("cannot_rebuy", trial.act, 0, "rebuy", amount=10)
    assert "rebuy" not in trial.game.options(trial.state, 0)


def test_chips_bought_after_folding_are_there_in_the_next_hand():
    trial = acts(table([50, 50, 50]), "fold")
    trial.act(2, "rebuy", amount=25)
    acts(trial, "fold")
    assert stacks(trial) == [49, 51, 75]


def test_no_rebuy_where_the_host_does_not_want_it():
    trial = acts(table([50, 50], rebuy=False), "fold")
    refused("no_rebuy", trial.act, 0, "rebuy")


def test_a_busted_seat_waits_for_a_rebuy_and_plays_on():
    trial = table([40, 100], deck("2c 3d", "Ac Ad", board="As Kd 9h 8h 7c"))
    acts(trial, "allin", "call")
    assert [row["status"] for row in trial.public["players"]] == ["busted", "active"]
    assert trial.game.status(trial.state) == "waiting"
    assert trial.game.deadline(trial.state) is None
    trial.act(0, "rebuy")
    assert trial.game.status(trial.state) == "playing"
    trial.wait(4000)
    assert trial.public["hand"] == 2


def test_a_busted_player_is_not_offered_to_post_what_they_owe():
    trial = table([40, 100, 100, 100], deck("2c 3d", "Ac Ad", "4c 5d", "6c 7d", board="As Kd 9h 8h Jc"))
    acts(trial, "fold", "fold", "allin", "call")
    assert player(trial, 0)["status"] == "busted"
    while not player(trial, 0)["owes"]:
        trial.wait(10_000)
        acts(trial, "fold", "fold")
    assert "post" not in trial.game.options(trial.state, 0)
    refused("nothing_owed", trial.act, 0, "post")
    trial.act(0, "rebuy")
    assert "post" in trial.game.options(trial.state, 0)


# Coming and going


def test_one_who_joins_late_waits_for_the_big_blind():
    trial = table([100, 100, 100], seats=4)
    trial.join(3)
    assert player(trial, 3)["status"] == "waiting"
    assert player(trial, 3)["owes"] == 2
    acts(trial, "fold", "fold")
    trial.wait(4000)
    assert player(trial, 3)["status"] == "waiting"
    acts(trial, "fold", "fold")
    trial.wait(4000)
    assert trial.public["big_blind"] == 3
    assert player(trial, 3)["status"] == "active"


def test_one_who_joins_late_may_post_to_play_at_once():
    trial = table([100] * 4, seats=5)
    trial.join(4)
    trial.act(4, "post")
    refused("nothing_owed", trial.act, 4, "post")
    acts(trial, "fold", "fold", "fold")
    trial.wait(4000)
    assert player(trial, 4)["status"] == "active", "in the cutoff"
    assert player(trial, 4)["bet"] == 2
    assert ev.Posted(seat=4, amount=2, kind="post") in kinds(trial, ev.Posted)


def test_one_who_leaves_before_the_turn_comes_is_folded_then_and_takes_the_stack():
    trial = acts(table([100, 100, 100]), "call")
    trial.leave(1)
    assert trial.log[-1][1] == ev.Leaving(seat=1)
    acts(trial, "call")
    folded, cashed, street = (event for _, event in trial.log[-3:])
    assert (folded.seat, folded.action) == (1, "fold")
    assert cashed == ev.CashedOut(seat=1, chips=98)
    assert trial.game.stakes(cashed) == (1, -98)
    assert (street.street, trial.actor) == ("flop", 0)
    acts(trial, "fold")
    assert trial.public["result"]["payouts"] == {2: 6}
    assert stacks(trial) == [98, 104]


def test_one_who_has_folded_and_leaves_takes_the_stack_at_once():
    trial = acts(table([100, 100, 100]), 10, "fold")
    trial.leave(0)
    assert trial.log[-1][1] == ev.CashedOut(seat=0, chips=99)
    assert trial.actor == 1
    acts(trial, "fold")
    assert stacks(trial) == [98, 103]


def test_leaving_in_turn_passes_the_turn():
    trial = table([100, 100, 100])
    trial.leave(2)
    assert trial.actor == 0


def test_leaving_out_of_turn_gives_nobody_more_time():
    trial = table([100, 100, 100])
    before = (trial.game.turn(trial.state), trial.game.deadline(trial.state))
    trial.wait(1000)
    trial.leave(0)
    assert (trial.game.turn(trial.state), trial.game.deadline(trial.state)) == before


VARIANTS = ["holdem", "omaha", "omaha5", "omaha6", "short-deck"]
LIMITS = ["no-limit", "pot-limit", "fixed-limit"]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_bet_in_turn_stands_though_the_player_leaves_while_the_other_thinks(variant, limit):
    """Robert's Rules, betting: a wager in turn is binding. The hand of an absent player is folded in turn."""
    trial = acts(table([100, 100], variant=variant, limit=limit), "call", "check", 2)
    bettor = 1 - trial.actor
    trial.leave(bettor)
    assert not kinds(trial, ev.BetReturned)
    acts(trial, "call")
    assert not kinds(trial, ev.BetReturned)
    assert trial.log[-1][1] == ev.CashedOut(seat=bettor, chips=96)
    assert stacks(trial) == [104]


def test_a_big_bet_cannot_be_taken_back_by_leaving():
    """150 into a pot of 4."""
    trial = acts(table([200, 200]), "call", "check", 150)
    bettor = 1 - trial.actor
    trial.leave(bettor)
    acts(trial, "call")
    assert trial.log[-1][1] == ev.CashedOut(seat=bettor, chips=48)
    assert stacks(trial) == [352]


def test_a_bet_of_one_who_left_still_wins_what_everybody_else_gives_up():
    trial = acts(table([100, 100, 100]), 50)
    trial.leave(2)
    acts(trial, "fold", "fold")
    assert kinds(trial, ev.BetReturned) == [ev.BetReturned(seat=2, amount=48)]
    assert trial.log[-1][1] == ev.CashedOut(seat=2, chips=103)
    assert stacks(trial) == [99, 98]


def test_of_the_bet_of_one_who_left_only_what_nobody_can_call_comes_back():
    trial = acts(table([100, 200]), "call", "check", "check", 150)
    trial.leave(1)
    acts(trial, "call")
    assert kinds(trial, ev.BetReturned) == [ev.BetReturned(seat=1, amount=52)]
    total = sum(stacks(trial)) + trial.log[-1][1].chips
    assert total == 300


def test_a_bet_on_the_river_is_shown_down_though_its_player_has_left():
    """Nothing is left to decide, so that the cards speak, as for a hand that is all-in."""
    cards = deck("Ac Ad", "2c 3d", board="As Kd 9h 8h 7c")
    trial = acts(table([100, 100], cards), "call", "check", "check", "check", "check", "check", 20)
    bettor = 1 - trial.actor
    assert bettor == 0
    trial.leave(bettor)
    acts(trial, "call")
    assert trial.log[-1][1] == ev.CashedOut(seat=0, chips=122)


def test_leaving_heads_up_in_turn_gives_the_pot_to_the_other():
    trial = acts(table([100, 100]), 10)
    trial.leave(0)
    assert stacks(trial) == [102]
    assert trial.log[-1][1] == ev.CashedOut(seat=0, chips=98)
    assert trial.game.status(trial.state) == "waiting"


def test_when_all_leave_the_pot_goes_to_the_one_who_never_had_to_decide_again():
    trial = acts(table([100, 100, 100, 100]), 10)
    for seat in (2, 1, 3):
        trial.leave(seat)
    trial.leave(0)
    cashed = {event.seat: event.chips for event in kinds(trial, ev.CashedOut)}
    assert cashed == {0: 99, 1: 98, 2: 103, 3: 100}


def test_one_who_leaves_all_in_keeps_the_claim_to_the_pot():
    cards = deck("Ac Ad", "2c 3d", "2d 3h", board="As Kd 9h 8h 7c")
    trial = acts(table([40, 100, 100], cards), "call", "allin", "call")
    trial.leave(0)
    assert kinds(trial, ev.Leaving) == [ev.Leaving(seat=0)]
    refused("seat_taken", trial.join, 0)
    refused("leaving", trial.leave, 0)
    refused("leaving", trial.act, 0, "sit_out")
    assert trial.game.options(trial.state, 0) == []
    acts(trial, "call", "check", "check", "check", "check", "check", "check")
    assert trial.log[-1][1] == ev.CashedOut(seat=0, chips=120)
    trial.join(0)
    assert trial.game.private(trial.state, 0) is None


def test_whoever_takes_a_seat_over_sees_and_gets_nothing_of_the_hand_before():
    trial = acts(table([100, 100, 100]), "fold")
    trial.leave(2)
    trial.join(2, buy_in=77)
    assert trial.game.private(trial.state, 2) is None
    assert player(trial, 2) == {
        **player(trial, 2),
        "stack": 77,
        "status": "waiting",
        "cards": None,
        "holds": 0,
        "last": None,
    }
    acts(trial, "fold")
    assert player(trial, 2)["stack"] == 77
    refused("nothing_to_show", trial.act, 2, "show")


def test_sitting_out_begins_with_the_next_hand_and_keeps_the_seat():
    trial = table([100] * 4)
    trial.act(0, "sit_out")
    refused("sitting_out", trial.act, 0, "sit_out")
    assert player(trial, 0)["status"] == "active"
    acts(trial, "fold", "fold", "fold")
    trial.wait(4000)
    assert player(trial, 0)["status"] == "sitting_out"
    assert 0 not in kinds(trial, ev.HandStarted)[-1].stacks
    trial.act(0, "sit_in")
    refused("sitting_in", trial.act, 0, "sit_in")
    acts(trial, "fold", "fold")
    trial.wait(4000)
    assert player(trial, 0)["status"] == "active", "no blind had passed"


def test_after_missing_the_blinds_a_player_posts_them_or_waits():
    trial = table([100] * 4)
    trial.act(2, "sit_out")
    acts(trial, "fold", "fold", "fold")
    trial.wait(4000)
    assert trial.public["big_blind"] == 3
    assert player(trial, 2)["owes"] == 3
    trial.act(2, "sit_in", post=True)
    acts(trial, "fold", "fold")
    trial.wait(4000)
    assert player(trial, 2)["status"] == "waiting", "between button and big blind nobody comes in"
    acts(trial, "fold", "fold")
    trial.wait(4000)
    assert player(trial, 2)["status"] == "active"
    assert player(trial, 2)["bet"] == 2
    posted = [event for event in kinds(trial, ev.Posted) if event.seat == 2]
    assert posted == [ev.Posted(seat=2, amount=2, kind="post"), ev.Posted(seat=2, amount=1, kind="dead")]
    assert player(trial, 2)["stack"] == 97


def test_when_too_few_are_ready_the_table_waits_and_goes_on_by_itself():
    trial = acts(table([100, 100]), "fold")
    trial.act(0, "sit_out")
    assert trial.game.deadline(trial.state) is None
    assert trial.game.status(trial.state) == "waiting"
    refused("too_few_players", trial.start)
    trial.wait(10**6)
    trial.act(0, "sit_in")
    trial.wait(3999)
    assert trial.public["hand"] == 1
    trial.wait(1)
    assert trial.public["hand"] == 2


# Betting


def test_only_the_actor_acts_and_only_within_the_rules():
    trial = table([100, 100, 100])
    refused("not_your_turn", trial.act, 0, "fold")
    refused("illegal_action", trial.act, 2, "check")
    refused("illegal_action", trial.act, 2, "raise", amount=3)
    refused("illegal_action", trial.act, 2, "raise", amount=101)
    refused("illegal_action", trial.act, 2, "raise", amount=-5)
    refused("illegal_action", trial.act, 2, "raise", amount=10**30)
    refused("illegal_action", trial.act, 2, "bet", amount=2**63)
    refused("no_amount", trial.act, 2, "raise")
    assert trial.game.legal(trial.state, 0) is None
    assert trial.game.legal(trial.state, 2) == {
        "actions": ["fold", "call", "raise", "allin"],
        "call": 2,
        "min": 4,
        "max": 100,
        "pot": 3,
        "bet": 0,
        "stack": 100,
        "call_all_in": False,
        "all_in": 100,
        "sizes": [
            {"name": "big_blind", "percent": 250, "to": 5},
            {"name": "big_blind", "percent": 300, "to": 6},
            {"name": "pot", "percent": 100, "to": 7},
            {"name": "big_blind", "percent": 400, "to": 8},
            {"name": "all_in", "percent": 100, "to": 100},
        ],
    }


def test_the_price_of_a_call_is_told_also_where_no_raise_is_allowed():
    trial = acts(table([100, 60, 100]), "fold", "allin")
    choice = trial.game.legal(trial.state, 1)
    assert (choice["actions"], choice["call"], choice["call_all_in"]) == (["fold", "call", "allin"], 58, True)
    assert (choice["max"], choice["all_in"], choice["stack"], choice["sizes"]) == (0, 60, 58, [])


def test_between_hands_nobody_acts():
    trial = acts(table([100, 100]), "fold")
    refused("no_hand", trial.act, 0, "check")
    assert trial.game.actors(trial.state) == ()


def test_events_name_a_bet_a_raise_and_an_all_in():
    trial = acts(table([100, 100, 60]), 6, "call", "fold", 10, 20, "allin", "call")
    acted = [(event.action, event.amount, event.total, event.all_in) for event in kinds(trial, ev.Acted)]
    assert acted == [
        ("raise", 6, 6, False),
        ("call", 5, 6, False),
        ("fold", 0, 2, False),
        ("bet", 10, 10, False),
        ("raise", 20, 20, False),
        ("raise", 84, 94, True),
        ("call", 34, 54, True),
    ]


def test_all_in_is_a_call_where_the_stack_does_not_reach_further():
    trial = acts(table([100, 100, 50]), 40, "fold", "allin", "call")
    assert kinds(trial, ev.Acted)[2].action == "raise"
    trial = acts(table([100, 30, 100]), 40, "fold", "allin")
    assert kinds(trial, ev.Acted)[-1] == ev.Acted(seat=1, action="call", amount=28, total=30, all_in=True)


def test_pot_limit_refuses_more_than_the_pot():
    trial = table([1000, 1000, 1000], limit="pot-limit")
    assert trial.game.legal(trial.state, 2)["max"] == 7
    assert "allin" not in trial.game.legal(trial.state, 2)["actions"]
    refused("raise_too_big", trial.act, 2, "allin")


def test_blinds_and_antes_are_announced_as_they_are_paid():
    trial = table([3, 100, 100], ante=2)
    assert kinds(trial, ev.Posted) == [
        ev.Posted(seat=0, amount=2, kind="ante"),
        ev.Posted(seat=0, amount=1, kind="small_blind"),
        ev.Posted(seat=1, amount=2, kind="ante"),
        ev.Posted(seat=1, amount=2, kind="big_blind"),
        ev.Posted(seat=2, amount=2, kind="ante"),
    ]
    assert stacks(trial) == [0, 96, 98]
    assert trial.public["pot"] == 9
    assert player(trial, 0)["status"] == "allin"


def test_the_big_blind_ante_is_paid_by_the_big_blind_after_the_blind():
    trial = table([100, 100, 100], ante=2, ante_type="big_blind")
    assert [event for event in kinds(trial, ev.Posted) if event.kind == "ante"] == [
        ev.Posted(seat=1, amount=2, kind="ante")
    ]
    assert stacks(trial) == [99, 96, 100]


def test_side_pots_name_who_contests_them():
    cards = deck("7c 8d", "Ac Ad", "Kc Kd", board="As Ks 9h 4h 2c")
    trial = acts(table([1000, 40, 400], cards), "allin", "call", "call")
    result = trial.public["result"]
    assert result["pots"] == [
        {"amount": 120, "seats": [0, 1, 2], "winners": [1], "shares": [120], "made": "three_of_a_kind:AK"},
        {"amount": 720, "seats": [0, 2], "winners": [2], "shares": [720], "made": "three_of_a_kind:KA"},
    ]
    assert result["payouts"] == {1: 120, 2: 720}
    assert result["returned"] is None
    assert stacks(trial) == [600, 120, 720]


def test_the_next_hand_waits_until_a_run_out_and_the_side_pots_have_been_seen():
    cards = deck("7c 8d", "Ac Ad", "Kc Kd", board="As Ks 9h 4h 2c")
    trial = acts(table([1000, 40, 400], cards), "allin", "call", "call")
    assert trial.public["next_hand_at"] == trial.now + 4000 + 3 * 1100 + 900
    trial = acts(table([100] * 3), "fold", "call", "check", "check", "check", "allin", "call")  # on the turn
    assert trial.public["next_hand_at"] == trial.now + 4000 + 1100
    trial = acts(table([100, 100]), "allin", "fold")
    assert trial.public["next_hand_at"] == trial.now + 4000


def test_a_run_out_turns_the_hands_over_and_then_deals_street_by_street():
    trial = acts(table([100, 100]), "allin", "call")
    kinds_seen = [type(event) for _, event in trial.log[-7:]]
    assert kinds_seen == [ev.Acted, ev.Shown, ev.Shown, ev.StreetDealt, ev.StreetDealt, ev.StreetDealt, ev.HandEnded]
    assert [event.street for event in kinds(trial, ev.StreetDealt)] == ["flop", "turn", "river"]
    assert [len(event.cards) for event in kinds(trial, ev.StreetDealt)] == [3, 1, 1]
    assert all(row["name"] for row in trial.public["result"]["shown"].values())


# Showing


def test_a_pot_won_without_a_showdown_shows_nothing_until_the_winner_wants_to():
    trial = acts(table([100, 100, 100]), 6, "fold", "fold")
    assert trial.public["result"]["shown"] == {}
    assert player(trial, 2)["cards"] is None
    assert player(trial, 2)["holds"] == 2
    assert {"show", "muck"} <= set(trial.game.options(trial.state, 2))
    trial.act(2, "show")
    cards = trial.game.private(trial.state, 2)["cards"]
    assert player(trial, 2)["cards"] == cards
    assert trial.log[-1][1] == ev.Shown(seat=2, cards=cards)
    refused("nothing_to_show", trial.act, 2, "show")


def test_a_winner_may_muck_once_and_for_all_to_see():
    trial = acts(table([100, 100, 100]), 6, "fold", "fold")
    trial.act(2, "muck")
    refused("nothing_to_muck", trial.act, 2, "muck")
    assert player(trial, 2)["holds"] == 0
    trial.act(2, "show")
    assert player(trial, 2)["cards"] is not None


CHECKED_DOWN = ["call", "call", "check"] + ["check"] * 9


def test_a_loser_who_need_not_show_mucks():
    cards = deck("Ac Ad", "2c 3d", "Kc Kd", board="As 9d 9h 8h 6c")
    trial = acts(table([100, 100, 100], cards), *CHECKED_DOWN)
    assert [event.seat for event in kinds(trial, ev.Shown)] == [0]
    assert [event.seat for event in kinds(trial, ev.Mucked)] == [1, 2]
    assert player(trial, 1)["cards"] is None
    trial.act(2, "show")
    assert trial.public["result"]["shown"][2]["cards"] == ["Kc", "Kd"]


def test_the_last_aggressor_shows_first():
    cards = deck("Kc Kd", "2c 3d", "Ac Ad", board="As 9d 9h 8h 6c")
    trial = acts(table([100, 100, 100], cards), *CHECKED_DOWN[:-3], "check", "check", 10, "call", "call")
    assert [event.seat for event in kinds(trial, ev.Shown)] == [2]
    assert [event.seat for event in kinds(trial, ev.Mucked)] == [0, 1]
    assert trial.public["aggressor"] == 2
    assert kinds(trial, ev.Shown)[0].name == "Full House, Aces over Nines"


def test_nothing_is_shown_while_the_hand_is_played_nor_after_the_next_began():
    trial = table([100, 100])
    refused("nothing_to_show", trial.act, 0, "show")
    acts(trial, "fold")
    trial.wait(4000)
    refused("nothing_to_show", trial.act, 0, "show")
    refused("nothing_to_muck", trial.act, 0, "muck")


def test_ones_own_cards_and_what_they_are_worth():
    cards = deck("Ac Ad", "Kc Qd", board="As 9d 9h 8h 6c")
    trial = table([100, 100], cards)
    assert trial.game.private(trial.state, 0) == {"cards": ["Ac", "Ad"], "rank": None, "best": None, "made": None}
    acts(trial, "call", "check")
    assert trial.game.private(trial.state, 0)["rank"] == "Full House, Aces over Nines"
    assert len(trial.game.private(trial.state, 1)["best"]) == 5
    assert trial.game.private(trial.state, 1)["rank"] == "Pair of Nines, Ace kicker"


# Time


def test_the_clock_checks_where_it_can_and_the_seat_sits_out():
    trial = acts(table([100, 100, 100], action_seconds=10, time_bank=5), "call", "call")
    assert trial.game.deadline(trial.state).seat == 1
    assert trial.game.deadline(trial.state).grace
    trial.wait(14_999)
    assert trial.actor == 1
    trial.wait(1)
    checked = ev.Acted(seat=1, action="check", total=2, bank_used=5000, timeout=True)
    assert kinds(trial, ev.Acted)[-1] == checked
    assert kinds(trial, ev.SatOut) == [ev.SatOut(seat=1, timeout=True)]
    assert player(trial, 1)["sitting_out"]
    assert player(trial, 1)["status"] == "active", "and still in the hand"


def test_the_clock_folds_where_there_is_a_bet():
    trial = table([100, 100, 100], action_seconds=10, time_bank=0)
    trial.wait(10_000)
    assert kinds(trial, ev.Acted)[-1].action == "fold"


def test_after_a_time_out_the_clock_plays_at_once_until_the_player_is_back():
    trial = acts(table([100, 100, 100], action_seconds=10, time_bank=0), "call", "call")
    trial.wait(10_000)
    acts(trial, "check")
    assert trial.actor == 1
    assert trial.game.deadline(trial.state).at == trial.now
    assert not trial.game.deadline(trial.state).grace
    trial.act(1, "sit_in")
    assert trial.game.deadline(trial.state).at == trial.now + 10_000
    acts(trial, "check")
    trial.wait(10_000)
    assert [event.seat for event in kinds(trial, ev.SatOut)] == [1, 2]
    acts(trial, "check", "check")
    trial.wait(0)
    assert kinds(trial, ev.Acted)[-1] == ev.Acted(seat=2, action="check", timeout=True)
    assert len(kinds(trial, ev.SatOut)) == 2, "said once"


def test_a_timed_out_player_who_acts_in_time_is_not_hurried_any_more():
    trial = acts(table([100, 100, 100], action_seconds=10, time_bank=0), "call", "call")
    trial.wait(10_000)
    acts(trial, "check", "check")
    assert not trial.state.record.players[1].absent
    assert trial.state.record.players[1].out


def test_the_time_bank_pays_for_what_the_clock_does_not_and_refills_slowly():
    trial = table([100, 100], action_seconds=10, time_bank=20)
    trial.wait(14_000)
    acts(trial, "fold")
    assert kinds(trial, ev.Acted)[-1].bank_used == 4000
    assert player(trial, 1)["bank"] == 16_000
    trial.wait(4000)
    assert player(trial, 1)["bank"] == 17_000
    assert player(trial, 0)["bank"] == 20_000


def test_grace_beyond_the_deadline_costs_no_more_than_the_bank():
    trial = table([100, 100], action_seconds=10, time_bank=5)
    trial.now += 60_000
    acts(trial, "call")
    assert player(trial, 1)["bank"] == 0


def test_without_an_action_clock_nobody_is_hurried():
    trial = table([100, 100], action_seconds=0)
    trial.wait(10**9)
    assert trial.game.deadline(trial.state) is None
    acts(trial, "fold")
    assert kinds(trial, ev.Acted)[-1].bank_used == 0


def test_the_next_hand_comes_after_the_delay():
    trial = acts(table([100, 100], hand_delay=2.5), "fold")
    deadline = trial.game.deadline(trial.state)
    assert (deadline.at, deadline.seat) == (trial.now + 2500, None)
    assert trial.expire() == ()
    trial.wait(2500)
    assert trial.public["hand"] == 2
    assert trial.public["result"] is None


def test_without_a_delay_the_next_hand_is_dealt_in_the_step_that_ends_one():
    trial = table([100, 100], hand_delay=0)
    happened = trial.act(trial.actor, "fold")
    (ended,) = (event for event in happened if isinstance(event, ev.HandEnded))
    (started,) = (event for event in happened if isinstance(event, ev.HandStarted))
    assert started.hand == ended.hand + 1
    assert started.stacks == ended.stacks
    assert trial.public["hand"] == 2
    assert trial.actor == started.to_act == started.button


def test_without_a_delay_whoever_has_lost_everything_or_sits_out_is_not_dealt_in():
    trial = table([100, 100], hand_delay=0)
    acts(trial, "allin", "call")
    while trial.public["result"] is None:
        acts(trial, "allin", "call")  # they had split the pot
    assert trial.public["street"] is None
    trial = table([100, 100, 100], hand_delay=0)
    out = trial.actor
    trial.act(out, "sit_out")
    acts(trial, "fold", "fold")
    assert trial.public["hand"] == 2
    assert out not in kinds(trial, ev.HandStarted)[-1].stacks


def test_a_pause_moves_every_time():
    trial = table([100, 100], action_seconds=10, time_bank=0, levels=[[1, 1, 2, 0], [1, 2, 4, 1]])
    trial.wait(9_000)
    trial.pause(100_000)
    assert trial.game.deadline(trial.state).at == trial.now + 1000
    assert trial.public["next_level_at"] == trial.now + 51_000
    acts(trial, "fold")
    trial.pause(100_000)
    assert trial.game.deadline(trial.state).at == trial.now + 4000


# Levels


def test_blinds_rise_with_the_next_hand_after_their_time():
    trial = table([100, 100], levels=[[1, 1, 2, 0], [1, 2, 4, 1], [1, 5, 10, 2]], action_seconds=0)
    assert (trial.public["blinds"], trial.public["level"]) == ((1, 2), 1)
    trial.wait(60_000)
    assert trial.public["blinds"] == (1, 2)
    acts(trial, "fold")
    trial.wait(4000)
    assert (trial.public["blinds"], trial.public["ante"], trial.public["level"]) == ((2, 4), 1, 2)
    assert kinds(trial, ev.LevelRaised) == [ev.LevelRaised(level=2, blinds=(2, 4), ante=1)]
    trial.wait(10**6)
    acts(trial, "fold")
    trial.wait(4000)
    assert (trial.public["blinds"], trial.public["level"], trial.public["next_level_at"]) == ((5, 10), 3, None)


def test_blinds_do_not_rise_while_nobody_can_play():
    trial = acts(table([100, 100], levels=[[1, 1, 2, 0], [1, 2, 4, 0]]), "fold")
    trial.act(0, "sit_out")
    trial.wait(10**6)
    trial.act(0, "sit_in")
    trial.wait(4000)
    assert trial.public["level"] == 1
    assert trial.public["next_level_at"] == trial.now + 60_000


# Settings


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"small_blind": 5}, "blinds_crossed"),
        ({"min_buy_in": 300}, "buy_in_outside"),
        ({"max_buy_in": 100}, "buy_in_outside"),
        ({"big_blind": 50, "small_blind": 25}, "buy_in_too_small"),
        ({"variant": "omaha6", "seats": 8}, "too_many_seats"),
        ({"levels": [[10, 5, 2, 0]]}, "blinds_crossed"),
        ({"levels": [[0, 1, 2, 0]]}, "bad_settings"),
        ({"seats": 11}, "bad_settings"),
        ({"seats": 1}, "bad_settings"),
    ],
)
def test_settings_that_nobody_could_play_are_refused(settings, code):
    with pytest.raises(Illegal) as refusal:
        Listing(Holdem()).settings(settings)
    assert refusal.value.code == code


def test_settings_may_change_between_hands_but_no_taken_seat_may_go():
    trial = acts(table([100, 100, 100], seats=5), "fold", "fold")
    game, frozen = trial.game, trial.game.freeze(trial.state)
    wider = game.thaw(trial.listing.settings({"seats": 10, "big_blind": 10}), frozen)
    assert len(wider.record.players) == 10
    assert game.public(wider)["blinds"] == (1, 10)
    game.thaw(trial.listing.settings({"seats": 3}), frozen)
    with pytest.raises(Illegal):
        game.thaw(trial.listing.settings({"seats": 2}), frozen)


def test_a_log_of_version_0_1_0_is_followed_as_it_was_played():
    """There who left folded at once, out of turn; the chips that came back are in its events."""
    trial = acts(table([100, 100, 100]), 10)
    game, state = trial.game, trial.state
    happened = [
        ev.Acted(seat=1, action="fold", total=2),
        ev.CashedOut(seat=1, chips=98),
        ev.Acted(seat=0, action="call", amount=9, total=10),
        ev.StreetDealt("flop", ["2c", "3c", "4c"], 0),
    ]
    for event in happened:
        game.apply(state, event, trial.now)
    assert state.hand.folded == [False, True, False]
    assert (state.hand.street, game.actors(state)) == (1, (0,))
    played = trial.played()
    text = game.export("phh", msgspec.structs.replace(played, events=[*played.events, *((0, e) for e in happened)]))
    assert '"p3 cbr 10", "p1 cc", "p2 f", "d db 2c3c4c"' in text


# --- leaving and returning ---


def returning(**settings):
    """A table of four on the first hand, with people who are known: the button is seat 3."""
    lot = [3, 0, 1, 2, 4]
    trial = Trial(Holdem(), {"seats": 5, "min_buy_in": 40, "max_buy_in": 400, **settings}, Lots(1, [lot]))
    for seat in range(4):
        trial.join(seat, f"player {seat}", buy_in=400)
    trial.start()
    return trial


def test_who_returns_at_once_returns_with_the_stack_they_left_with():
    """No going south, or ratholing: chips stay on the table as long as their player is about."""
    trial = acts(returning(), "fold")
    trial.leave(2)
    until = trial.now + 3_600_000
    assert trial.public["departed"] == {"player 2": {"chips": 400, "least": 400, "most": 400, "until": until}}
    refused("short_return", trial.join, 2, "player 2", buy_in=40)
    refused("short_return", trial.join, 4, "player 2", buy_in=399)
    refused("bad_buy_in", trial.join, 4, "player 2", buy_in=39)
    trial.join(4, "player 2", buy_in=400)
    assert player(trial, 4)["stack"] == 400
    assert trial.public["departed"] == {}


def test_who_left_with_more_than_the_greatest_buy_in_returns_with_all_of_it():
    trial = acts(returning(), "call", "call", "call", "check")
    acts(trial, 20, "fold", "fold", "fold")
    assert player(trial, 0)["stack"] == 406
    trial.leave(0)
    refused("bad_buy_in", trial.join, 0, "player 0", buy_in=407)
    trial.join(0, "player 0")
    assert player(trial, 0)["stack"] == 406


def test_after_the_time_anybody_returns_as_a_newcomer():
    trial = acts(returning(return_minutes=1), "fold")
    trial.leave(2)
    trial.wait(59_000)
    refused("short_return", trial.join, 4, "player 2", buy_in=40)
    trial.wait(1000)
    trial.join(4, "player 2", buy_in=40)


def test_the_host_may_let_people_return_with_less():
    trial = acts(returning(return_minutes=0), "fold")
    trial.leave(2)
    assert trial.public["departed"] == {}
    trial.join(4, "player 2", buy_in=40)


@pytest.mark.parametrize("minutes", [0, 60])
def test_where_nobody_rebuys_a_busted_player_does_not_return(minutes):
    """To leave and to sit down again is no way around `rebuy`: whoever is out is out, however long they wait."""
    trial = returning(rebuy=False, return_minutes=minutes)
    acts(trial, "allin", "allin", "fold", "fold")
    (busted,) = [row["seat"] for row in trial.public["players"] if not row["stack"]]
    trial.leave(busted)
    gone = f"player {busted}"
    for _ in range(2):
        left = trial.public["departed"][gone]
        assert left == {"chips": 0, "least": 0, "most": 0, "until": None}
        for seat in (busted, 4):
            refused("no_rebuy", trial.join, seat, gone)
            refused("no_rebuy", trial.join, seat, gone, buy_in=400)
        trial.wait(100_000_000)
    trial.join(busted, "player 9", buy_in=100)


def test_where_nobody_rebuys_a_return_brings_neither_more_nor_fewer_chips():
    trial = returning(rebuy=False, return_minutes=0)
    acts(trial, "fold", 20, 380, "fold", "fold")
    trial.leave(3)
    refused("no_rebuy", trial.join, 3, "player 3", buy_in=400)
    refused("short_return", trial.join, 3, "player 3", buy_in=100)
    trial.join(4, "player 3")
    assert player(trial, 4)["stack"] == 380


def test_where_nobody_rebuys_a_short_stack_returns_with_less_than_the_least_buy_in():
    trial = acts(returning(rebuy=False), 380, "fold", "fold", "call")
    acts(trial, "check", 20, "fold")
    trial.leave(1)
    assert trial.public["departed"]["player 1"]["most"] == 20
    trial.join(1, "player 1")
    assert player(trial, 1)["stack"] == 20


def test_before_the_first_hand_anybody_may_think_better_of_the_buy_in():
    trial = Trial(Holdem(), {"rebuy": False})
    trial.join(0, "player 0", buy_in=400)
    trial.leave(0)
    trial.join(0, "player 0", buy_in=40)


def test_somebody_else_is_no_returner():
    trial = acts(returning(), "fold")
    trial.leave(2)
    trial.join(4, "player 9", buy_in=40)


def test_a_missed_small_blind_is_owed_after_leaving_and_returning():
    trial = returning()
    trial.act(1, "sit_out")  # the big blind of this hand; the small blind passes in the next one
    acts(trial, "fold", "fold", "fold")
    trial.wait(4000)
    assert player(trial, 1)["owes"] == 1
    trial.leave(1)
    trial.join(1, "player 1")
    assert player(trial, 1)["owes"] == 3, "the small blind dead, and as a newcomer the big blind"
    trial.leave(1)
    trial.join(1, "player 1")
    assert player(trial, 1)["owes"] == 3


def test_nobody_returns_while_their_last_hand_is_played():
    trial = returning()
    trial.leave(0)
    refused("leaving", trial.join, 4, "player 0")


def test_only_so_many_people_who_left_are_remembered():
    trial = acts(returning(), "fold")
    for number in range(120):
        trial.join(4, f"guest {number}", buy_in=40)
        trial.leave(4)
    departed = trial.public["departed"]
    assert len(departed) == 100
    assert list(departed)[-1] == "guest 119"


def test_time_in_which_the_table_stood_still_does_not_count_for_a_return():
    trial = acts(returning(return_minutes=1), "fold")
    trial.leave(2)
    trial.pause(120_000)
    refused("short_return", trial.join, 4, "player 2", buy_in=40)
