"""Anything that two people may do at a chess table, in any order: `Trial` holds the contract at every step."""

from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from parlour.games.chess import Chess
from parlour.games.chess.actions import ACTIONS, Move
from parlour.games.contract import Illegal
from parlour.games.testing import Lots, Trial

OUT_OF_TURN = [action for action in ACTIONS if action is not Move]


class ChessTable(RuleBasedStateMachine):
    @initialize(
        pace=strategies.sampled_from(
            [
                {},
                {"untimed": True},
                {"days": 1},
                {"minutes": 0.25, "increment": 1},
                {"odds": "second"},
                {"odds": "black"},
            ]
        ),
        manner=strategies.sampled_from([{}, {"autostart": True}, {"side": "chosen"}, {"rematch_colors": "random"}]),
        same_screen=strategies.booleans(),
        variant=strategies.sampled_from(["standard", "chess960", "crazyhouse", "three_check"]),
        seed=strategies.integers(0, 99),
    )
    def open(self, pace, manner, same_screen, variant, seed):
        settings = {"variant": variant, "same_screen": same_screen, **pace, **manner}
        self.trial = Trial(Chess(), settings, Lots(seed))
        self.seated = set()
        self.last_turn = 0

    @rule(seat=strategies.integers(0, 1))
    def join(self, seat):
        if seat not in self.seated:
            self.trial.join(seat)
            self.seated.add(seat)

    @rule(seat=strategies.integers(0, 1), sure=strategies.integers(0, 9))
    def leave(self, seat, sure):
        if seat in self.seated and sure == 0:
            self.trial.leave(seat)
            self.seated.discard(seat)

    @rule()
    def start(self):
        possible = len(self.seated) == 2 and self.trial.game.status(self.trial.state) != "playing"
        try:
            self.trial.start()
        except Illegal:
            assert not possible
        else:
            assert possible

    @rule(picks=strategies.lists(strategies.integers(0, 10**6), min_size=1, max_size=6))
    def move(self, picks):
        for pick in picks:
            for seat in self.trial.game.actors(self.trial.state):
                moves = self.trial.game.legal(self.trial.state, seat)["moves"]
                try:
                    self.trial.act(seat, "move", uci=moves[pick % len(moves)])
                except Illegal as refusal:
                    assert refusal.code == "time_over"  # noqa: PT017

    @rule(seat=strategies.integers(0, 1), kind=strategies.sampled_from(OUT_OF_TURN), away=strategies.booleans())
    def ask(self, seat, kind, away):
        if seat not in self.seated:
            return
        trial = self.trial
        word = kind.__struct_config__.tag
        offered = word in trial.game.options(trial.state, seat)
        trial.away = frozenset({1 - seat}) if away else frozenset()
        try:
            trial.act(seat, kind())
        except Illegal as refusal:
            assert not offered or refusal.code in ("time_over", "opponent_here")  # noqa: PT017

    @rule(length=strategies.integers(0, 20_000))
    def wait(self, length):
        self.trial.wait(length)

    @rule(length=strategies.integers(0, 100_000))
    def pause(self, length):
        self.trial.pause(length)

    @invariant()
    def one_actor_while_playing(self):
        if not hasattr(self, "trial"):
            return
        game, state = self.trial.game, self.trial.state
        playing = game.status(state) == "playing"
        assert len(game.actors(state)) == (1 if playing else 0)
        assert game.turn(state) >= self.last_turn
        self.last_turn = game.turn(state)
        if playing:
            assert self.seated == {0, 1}
        for seat in (0, 1):
            assert (game.legal(state, seat) is not None) == (seat in game.actors(state))


TestChessTable = ChessTable.TestCase
TestChessTable.settings = settings(max_examples=60, stateful_step_count=40)
