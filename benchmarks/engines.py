"""Hands per second of whole hand engines, all with one policy: ask what is legal, check or call, to the end."""

from __future__ import annotations

import random
import warnings
from typing import Any

from benchmarks.rounds import Contestant, Row, Work

STACK, SMALL, BIG = 200, 1, 2
BATCH = 4096
CHECK_OR_CALL = 1
"""OpenSpiel's number for it."""


def parlour_hand(seats: int) -> Work:
    from parlour import Hand

    stacks = [STACK] * seats

    def play() -> None:
        hand = Hand(stacks, blinds=(SMALL, BIG))
        act = hand.act
        while hand.legal() is not None:
            act(1)  # check or call
        hand.payouts()

    return play


def parlour_batch(seats: int) -> Work:
    import numpy as np

    from parlour import HandBatch

    batch = HandBatch(BATCH, [STACK] * seats, blinds=(SMALL, BIG))
    check_or_call = np.ones(BATCH, np.uint8)
    decisions = 4 * seats  # of a hand that everyone plays to the showdown

    def play() -> None:
        for _ in range(decisions):
            batch.step(check_or_call)

    return play


def pokerkit(seats: int) -> Work:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(Automation)

    def play() -> None:
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (SMALL, BIG), BIG, STACK, seats)
        while state.status:
            _ = state.checking_or_calling_amount, state.min_completion_betting_or_raising_to_amount
            state.check_or_call()

    return play


def pokerfast(seats: int) -> Work:
    if seats != 6:
        raise ValueError("plays six seats only")
    from pokerfast import FastHand

    def play() -> None:
        hand = FastHand()
        while not hand.done:
            hand.get_action_space()
            hand.call()

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
            seen, _, finished = dealer.step(seen["call"])
            done = all(finished)

    return play


def texasholdem(seats: int) -> Work:
    from texasholdem.game.action_type import ActionType
    from texasholdem.game.game import TexasHoldEm

    def play() -> None:
        game = TexasHoldEm(buyin=STACK, big_blind=BIG, small_blind=SMALL, max_players=seats)
        game.start_hand()
        while game.is_hand_running():
            game.take_action(ActionType.CHECK if game.chips_to_call(game.current_player) == 0 else ActionType.CALL)

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
            game.step(Action.CHECK_CALL)
        game.get_payoffs()

    return play


def pokers(seats: int) -> Work:
    import pokers as peer

    call, check = peer.Action(peer.ActionEnum.Call), peer.Action(peer.ActionEnum.Check)
    seeds = random.Random(1)

    def play() -> None:
        state = peer.State.from_seed(seats, 0, SMALL, BIG, STACK, seeds.getrandbits(60))
        while not state.final_state:
            state = state.apply_action(check if peer.ActionEnum.Check in state.legal_actions else call)

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
            state, events = emulator.apply_action(state, "call")

    return play


def universal_poker(seats: int, abstraction: str) -> Any:
    """OpenSpiel's game with our stacks and blinds."""
    import pyspiel

    first = " ".join(["1" if seats == 2 else "3"] + ["2" if seats == 2 else "1"] * 3)
    blinds = " ".join([str(BIG), str(SMALL)] if seats == 2 else [str(SMALL), str(BIG)] + ["0"] * (seats - 2))
    return pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={seats},numRounds=4,blind={blinds},firstPlayer={first},"
        f"numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,stack={' '.join([str(STACK)] * seats)},"
        f"bettingAbstraction={abstraction})"
    )


def open_spiel(seats: int, abstraction: str) -> Work:
    game = universal_poker(seats, abstraction)
    dice = random.Random(1)

    def play() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(dice.choice(legal) if state.is_chance_node() else CHECK_OR_CALL)
        state.returns()

    return play


def rows() -> list[Row]:
    warnings.simplefilter("ignore", DeprecationWarning)  # of the peers
    return [
        Row(
            f"whole hands, {'heads-up' if seats == 2 else f'{seats} seats'}, check or call to the showdown",
            "hands",
            _of(seats),
        )
        for seats in (6, 2)
    ]


def _of(seats: int) -> tuple[Contestant, ...]:
    return (
        Contestant("parlour Hand", lambda: parlour_hand(seats), ours=True),
        Contestant("parlour HandBatch", lambda: parlour_batch(seats), BATCH, ours=True),
        Contestant("pokers", lambda: pokers(seats)),
        Contestant("pokerfast", lambda: pokerfast(seats)),
        Contestant("clubs", lambda: clubs(seats)),
        Contestant("RLCard", lambda: rlcard(seats)),
        Contestant("texasholdem", lambda: texasholdem(seats)),
        Contestant("OpenSpiel, full game", lambda: open_spiel(seats, "fullgame")),
        Contestant("OpenSpiel, 4 actions", lambda: open_spiel(seats, "fcpa")),
        Contestant("PyPokerEngine", lambda: pypokerengine(seats)),
        Contestant("pokerkit", lambda: pokerkit(seats)),
    )
