"""Hands per second of whole simulations with one and the same policy in Python: check, or call.

    .venv/bin/python -m benchmarks.arena

The policy is asked at every decision, with what is to call. `parlour.arena` does all that it always does: duplicate
deals, a view for the bot, the adjustment of all-ins, intervals and the table of who won from whom. The peers play their
hands with what is legal asked at every decision, and their results are read; nothing is added up.

Nobody uses threads here, so the time is that of the processor: what else the machine does is in no figure. Beside each
ratio stand the least and the greatest of the rounds.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings

from benchmarks import engines
from benchmarks.rounds import Contestant, Row, Work, measure

STACK, SMALL, BIG = engines.STACK, engines.SMALL, engines.BIG
HANDS = 1200
WANTED = 5.0
"""How many times as fast as the fastest peer with every legal bet size the arena has to be."""


def policy(to_call: int) -> str:
    return "call" if to_call else "check"


def parlour_arena(seats: int) -> Work:
    from parlour import arena
    from parlour.bots import HoldemView

    def bot(view: HoldemView) -> str:
        return policy(view.to_call)

    return lambda: arena([bot] * seats, HANDS, stack=STACK, blinds=(SMALL, BIG))


def pokerkit(seats: int) -> Work:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(Automation)

    def play() -> None:
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (SMALL, BIG), BIG, STACK, seats)
        while state.status:
            _ = state.min_completion_betting_or_raising_to_amount
            policy(state.checking_or_calling_amount)
            state.check_or_call()

    return play


def clubs(seats: int) -> Work:
    from clubs import configs
    from clubs.poker import Dealer

    config = {2: configs.NO_LIMIT_HOLDEM_TWO_PLAYER, 6: configs.NO_LIMIT_HOLDEM_SIX_PLAYER}[seats]
    dealer = Dealer(**config)

    def play() -> None:
        seen = dealer.reset(reset_stacks=True, reset_button=True)
        done = False
        while not done:
            policy(seen["call"])
            seen, _, finished = dealer.step(seen["call"])
            done = all(finished)

    return play


def rlcard(seats: int) -> Work:
    from rlcard.games.nolimitholdem.game import NolimitholdemGame
    from rlcard.games.nolimitholdem.round import Action

    game = NolimitholdemGame(num_players=seats)
    game.configure({"game_num_players": seats, "chips_for_each": STACK, "dealer_id": None})

    def play() -> None:
        game.init_game()
        while not game.is_over():
            game.get_legal_actions()
            policy(max(game.round.raised) - game.round.raised[game.game_pointer])
            game.step(Action.CHECK_CALL)
        game.get_payoffs()

    return play


def pokers(seats: int) -> Work:
    import pokers as peer

    answers = {"call": peer.Action(peer.ActionEnum.Call), "check": peer.Action(peer.ActionEnum.Check)}
    check = peer.ActionEnum.Check
    seeds = random.Random(1)

    def play() -> None:
        state = peer.State.from_seed(seats, 0, SMALL, BIG, STACK, seeds.getrandbits(60))
        while not state.final_state:
            state = state.apply_action(answers[policy(check not in state.legal_actions)])

    return play


def pypokerengine(seats: int) -> Work:
    from pypokerengine.api.emulator import Emulator

    emulator = Emulator()
    emulator.set_game_rule(player_num=seats, max_round=10**9, small_blind_amount=SMALL, ante_amount=0)
    players = {f"p{i}": {"name": f"p{i}", "stack": STACK} for i in range(seats)}
    initial = emulator.generate_initial_game_state(players)

    def play() -> None:
        state, events = emulator.start_new_round(initial)
        while events[-1]["type"] == "event_ask_player":
            policy(events[-1]["valid_actions"][1]["amount"])
            state, events = emulator.apply_action(state, "call")

    return play


def open_spiel(seats: int, abstraction: str) -> Work:
    game = engines.universal_poker(seats, abstraction)
    dice = random.Random(1)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node():
                state.apply_action(dice.choice(legal))
            else:
                policy(0)  # what is to call cannot be asked
                state.apply_action(engines.CHECK_OR_CALL)
        state.returns()

    return play


EVERY_SIZE = {"pokerkit", "clubs", "pokers", "PyPokerEngine", "OpenSpiel, full game"}
"""The peers that allow every legal bet size."""


def rows() -> list[Row]:
    warnings.simplefilter("ignore", DeprecationWarning)  # of the peers
    return [Row(f"hands with a policy in Python, {seats} seats", "hands", _of(seats)) for seats in (6, 2)]


def _of(seats: int) -> tuple[Contestant, ...]:
    return (
        Contestant("parlour.arena", lambda: parlour_arena(seats), HANDS, ours=True),
        Contestant("pokers", lambda: pokers(seats)),
        Contestant("OpenSpiel, full game", lambda: open_spiel(seats, "fullgame")),
        Contestant("OpenSpiel, 4 actions", lambda: open_spiel(seats, "fcpa")),
        Contestant("clubs", lambda: clubs(seats)),
        Contestant("RLCard", lambda: rlcard(seats)),
        Contestant("PyPokerEngine", lambda: pypokerengine(seats)),
        Contestant("pokerkit", lambda: pokerkit(seats)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--slice", type=float, default=0.1, help="Seconds for each contestant in a round.")
    options = parser.parse_args()
    for row in rows():
        print(row.title)
        timings = measure(row, options.rounds, options.slice, time.process_time)
        ours = timings[0].seconds
        assert ours is not None
        ratios = {}
        for timing in timings:
            if timing.seconds is None:
                print(f"  {timing.name:22} {timing.reason}")
                continue
            ratios[timing.name] = timing.seconds / ours
            every = "every bet size" if timing.name in EVERY_SIZE or timing.ours else ""
            rounds = [theirs / own for theirs, own in zip(timing.samples, timings[0].samples, strict=True)]
            spread = f"({min(rounds):.1f} to {max(rounds):.1f})"
            rate = f"{1 / timing.seconds:10,.0f} a second"
            print(f"  {timing.name:22} {rate}   {ratios[timing.name]:7.1f} × {spread:20} {every}")
        least = min(ratio for name, ratio in ratios.items() if name in EVERY_SIZE)
        verdict = "holds" if least >= WANTED else "fails"
        print(f"  {least:.1f} times the fastest with every legal bet size; at least {WANTED:g}: {verdict}\n")


if __name__ == "__main__":
    main()
