"""How the rule tests read a result."""

from parlour.games.poker.holdem import events as ev

from ..test_table import kinds


def pots(trial):
    return kinds(trial, ev.HandEnded)[-1].pots


def pot_shares(trial):
    """What each winner has of each pot."""
    return [dict(zip(pot.winners, pot.shares, strict=True)) for pot in pots(trial)]


def parts(trial):
    """The pieces of each pot: board, side, chips and who has them."""
    return [
        [(part.board, part.side, part.amount, dict(zip(part.winners, part.shares, strict=True))) for part in pot.parts]
        for pot in pots(trial)
    ]


def offer(trial):
    """Who acts, what a call costs, and the least and greatest raise."""
    legal = trial.game.legal(trial.state, trial.actor)
    return trial.actor, legal["call"], legal["min"] if legal["max"] else 0, legal["max"]


def turns(trial, *words):
    """Who acted, one after another."""
    seats = []
    for word in words:
        seats.append(trial.actor)
        trial.act(trial.actor, word)
    return seats
