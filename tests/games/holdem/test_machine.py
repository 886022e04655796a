"""Anything that people may do at a hold'em table, in any order: `Trial` holds the contract at every step."""

from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parlour.games.contract import Illegal
from parlour.games.poker.holdem import Holdem
from parlour.games.testing import Lots, Trial

SEATS = strategies.integers(0, 5)
DELAY = 4000


class HoldemTable(RuleBasedStateMachine):
    @initialize(
        seats=strategies.integers(2, 6),
        ante=strategies.sampled_from(
            [{}, {"ante": 1}, *({"ante": 2, "ante_type": "big_blind", "ante_first": first} for first in (False, True))]
        ),
        clock=strategies.sampled_from([{}, {"action_seconds": 0}, {"time_bank": 0}, {"hand_delay": 0}]),
        game=strategies.sampled_from([{}, {"variant": "omaha", "limit": "pot-limit"}, {"limit": "fixed-limit"}]),
        levels=strategies.sampled_from([[], [[1, 1, 2, 0], [1, 2, 5, 1]]]),
        absent=strategies.sampled_from(["auto", "blind_out"]),
        seed=strategies.integers(0, 999),
        buy_ins=strategies.lists(strategies.integers(2, 60), min_size=6, max_size=6),
    )
    def open(self, seats, ante, clock, game, levels, absent, seed, buy_ins):
        choices = {"seats": seats, "min_buy_in": 2, "buy_in": 50, "max_buy_in": 60, "levels": levels, "absent": absent}
        self.trial = Trial(Holdem(), {**choices, **ante, **clock, **game}, Lots(seed))
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
                legal = self.game.legal(self.state, seat)
                word = legal["actions"][pick % len(legal["actions"])]
                fields = {}
                if word in ("bet", "raise"):
                    fields["amount"] = legal["min"] + (legal["max"] - legal["min"]) * size // 99
                self.trial.act(seat, word, **fields)

    @rule(seat=SEATS, kind=strategies.sampled_from(["sit_out", "sit_in", "post", "rebuy", "show", "muck"]))
    def ask(self, seat, kind):
        if not self.taken(seat):
            return
        offered = kind in self.game.options(self.state, seat)
        try:
            self.trial.act(seat, kind)
        except Illegal:
            assert not offered, kind
        else:
            assert offered, kind

    @rule(seat=SEATS, kind=strategies.sampled_from(["fold", "check", "call", "allin"]))
    def act_out_of_turn(self, seat, kind):
        if self.taken(seat) and seat not in self.game.actors(self.state):
            try:
                self.trial.act(seat, kind)
            except Illegal as refusal:
                assert refusal.code in ("not_your_turn", "no_hand")  # noqa: PT017
            else:
                raise AssertionError("acted out of turn")

    @rule(length=strategies.sampled_from([0, 1000, DELAY, 31_000, 100_000]))
    def wait(self, length):
        if self.state.settings.action_seconds or not self.game.actors(self.state):
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
    def the_game_waits_for_one_at_most(self):
        if not hasattr(self, "trial"):
            return
        actors = self.game.actors(self.state)
        assert len(actors) <= 1
        assert (len(actors) == 1) == self.state.record.live
        if not actors and self.game.status(self.state) == "playing":
            assert self.game.deadline(self.state) is not None
        for seat in range(len(self.state.record.players)):
            assert (self.game.legal(self.state, seat) is not None) == (seat in actors)
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
            if private is not None and seat not in state.record.shown:
                assert not [card for card in private["cards"] if f'"{card}"' in seen]


TestHoldemTable = HoldemTable.TestCase
TestHoldemTable.settings = settings(max_examples=80, stateful_step_count=40)
