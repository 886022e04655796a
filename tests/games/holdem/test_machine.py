"""Anything that people may do at a hold'em table, in any order: `Trial` holds the contract at every step."""

from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

SEATS = strategies.integers(0, 5)
DELAY = 4000
MIX = [["holdem", "no-limit"], ["omaha5-hilo", "pot-limit"], ["short-deck", "fixed-limit"]]


class HoldemTable(RuleBasedStateMachine):
    @initialize(
        seats=strategies.integers(2, 6),
        ante=strategies.sampled_from(
            [{}, {"ante": 1}, *({"ante": 2, "ante_type": "big_blind", "ante_first": first} for first in (False, True))]
        ),
        clock=strategies.sampled_from([{}, {"action_seconds": 0}, {"time_bank": 0}, {"hand_delay": 0}]),
        game=strategies.sampled_from(
            [
                {},
                {"variant": "omaha", "limit": "pot-limit"},
                {"limit": "fixed-limit"},
                {"variant": "omaha-hilo", "limit": "pot-limit"},
                {"variant": "short-deck", "button_blind": True, "ante": 1},
                {"choice": "dealer", "games": MIX, "change_every": 1},
                {"choice": "rotation", "games": MIX},
            ]
        ),
        extras=strategies.sampled_from(
            [
                {},
                {"run_it": 3},
                {"bomb_ante": 2, "bomb_every": 2, "double_board": "bombs"},
                {"bomb_ante": 1, "run_it": 2, "rabbit": True, "seven_deuce": 3},
                {"double_board": "always", "rabbit": True},
            ]
        ),
        straddle=strategies.sampled_from(["off", "utg", "button"]),
        levels=strategies.sampled_from([[], [[1, 1, 2, 0], [1, 2, 5, 1]]]),
        absent=strategies.sampled_from(["auto", "blind_out"]),
        seed=strategies.integers(0, 999),
        buy_ins=strategies.lists(strategies.integers(2, 60), min_size=6, max_size=6),
    )
    def open(self, seats, ante, clock, game, extras, straddle, levels, absent, seed, buy_ins):
        choices = {"seats": seats, "min_buy_in": 2, "buy_in": 50, "max_buy_in": 60, "levels": levels, "absent": absent}
        choices = {**choices, **ante, **clock, **extras, **game}
        if not choices.get("button_blind"):
            choices["straddle"] = straddle
        self.trial = Trial(Holdem(), choices, Lots(seed))
        self.trial.host = 0
        self.turn = 0
        for seat in range(seats):
            self.trial.join(seat, f"player {seat}", buy_in=buy_ins[seat])
        self.trial.start()

    @property
    def game(self):
        return self.trial.game

    @property
    def state(self):
        return self.trial.state

    def taken(self, seat):
        return seat < len(self.state.record.players) and self.state.record.players[seat] is not None

    @rule(seat=SEATS, who=SEATS, buy_in=strategies.integers(2, 60), post=strategies.booleans())
    def join(self, seat, who, buy_in, post):
        if seat >= len(self.state.record.players) or self.taken(seat):
            return
        record = self.state.record
        known = f"player {who}"
        if any(player is not None and player.id == known for player in record.players):
            known = None  # somebody new
        left = record.departed.get(known)
        in_time = left is not None and self.state.settings.binds(left.at, self.trial.now)
        try:
            self.trial.join(seat, known, buy_in=buy_in, post=post)
        except Illegal as refusal:
            assert refusal.code == "short_return"  # noqa: PT017
            assert in_time
            assert buy_in < left.chips
        else:
            assert not in_time or buy_in >= left.chips

    @rule(seat=SEATS)
    def leave(self, seat):
        if self.taken(seat) and not self.state.record.players[seat].leaving:
            self.trial.leave(seat)

    @rule(picks=strategies.lists(strategies.tuples(strategies.integers(0, 9), strategies.integers(0, 99)), max_size=12))
    def act(self, picks):
        for pick, size in picks:
            for seat in self.game.actors(self.state):
                if (legal := self.game.legal(self.state, seat)) is None:
                    self.answer(seat, pick)
                    break
                word = legal["actions"][pick % len(legal["actions"])]
                fields = {}
                if word in ("bet", "raise"):
                    fields["amount"] = legal["min"] + (legal["max"] - legal["min"]) * size // 99
                self.trial.act(seat, word, **fields)

    def answer(self, seat, pick):
        """Answer what the table asks besides the betting."""
        if (question := self.trial.public.get("run")) is not None:
            self.trial.act(seat, "run", times=min(pick + 1, question["most"]))
        else:
            games = self.trial.public["choice"]["games"]
            variant, limit = games[pick % len(games)]
            self.trial.act(seat, "choose", variant=variant, limit=limit)

    @rule(
        seat=SEATS,
        kind=strategies.sampled_from(
            ["sit_out", "sit_in", "post", "rebuy", "show", "muck", "straddle", "bomb", "run", "rabbit", "choose"]
        ),
    )
    def ask(self, seat, kind):
        if not self.taken(seat):
            return
        offered = kind in self.game.options(self.state, seat)
        fields = {"run": {"times": 1}, "choose": {"variant": MIX[0][0], "limit": MIX[0][1]}}.get(kind, {})
        try:
            self.trial.act(seat, kind, **fields)
        except Illegal:
            assert not offered, kind
        else:
            assert offered, kind

    @rule(seat=SEATS, kind=strategies.sampled_from(["fold", "check", "call", "allin"]))
    def act_out_of_turn(self, seat, kind):
        if self.taken(seat) and seat != self.state.actor:
            try:
                self.trial.act(seat, kind)
            except Illegal as refusal:
                assert refusal.code in ("not_your_turn", "no_hand")  # noqa: PT017
            else:
                raise AssertionError("acted out of turn")

    @rule(length=strategies.sampled_from([0, 1000, DELAY, 31_000, 100_000]))
    def wait(self, length):
        if self.state.settings.action_seconds or self.state.actor is None:
            self.trial.wait(length)

    @rule(length=strategies.integers(0, 100_000))
    def pause(self, length):
        self.trial.pause(length)

    @invariant()
    def chips_are_conserved(self):
        if not hasattr(self, "trial"):
            return
        brought = sum(stake[1] for _, event in self.trial.log if (stake := self.game.stakes(event)) is not None)
        public = self.trial.public
        assert sum(player["stack"] for player in public["players"]) + public["pot"] == brought
        assert all(player["stack"] >= 0 for player in public["players"])

    @invariant()
    def the_game_waits_for_one_or_for_answers(self):
        if not hasattr(self, "trial"):
            return
        actors, record = self.game.actors(self.state), self.state.record
        asked = record.offer is not None or record.choosing is not None
        assert len(actors) == 1 or (asked and actors) or not record.live
        assert (self.state.actor is not None) == (record.live and record.offer is None)
        if self.state.actor is None and self.game.status(self.state) == "playing":
            assert self.game.deadline(self.state) is not None
        for seat in range(len(record.players)):
            assert (self.game.legal(self.state, seat) is not None) == (seat == self.state.actor)
            if asked and seat in actors and record.players[seat] is not None and not record.players[seat].leaving:
                assert {"run", "choose"} & set(self.game.options(self.state, seat))
        assert self.game.turn(self.state) >= self.turn
        self.turn = self.game.turn(self.state)

    @invariant()
    def no_hidden_card_is_public(self):
        if not hasattr(self, "trial"):
            return
        state = self.state
        if state.hand is None:
            return
        seen = self.trial.seen_by().decode()
        seen = seen[seen.rindex('"hand_started"') :]
        for seat in state.record.order:
            private = self.game.private(state, seat)
            if private is not None:
                hidden = set(private["cards"]) - set(state.record.shown.get(seat, ()))
                assert not [card for card in hidden if f'"{card}"' in seen]


TestHoldemTable = HoldemTable.TestCase
TestHoldemTable.settings = settings(max_examples=80, stateful_step_count=40)
