"""Round robin and Swiss: everybody who is there is paired in every round."""

from __future__ import annotations

from itertools import groupby

from parlour.tables.ports import Entropy
from parlour.tournaments import events as ev
from parlour.tournaments.chess import boards, round_robin, swiss, tiebreaks
from parlour.tournaments.chess.boards import BoardPairing, RoundDraft
from parlour.tournaments.chess.results import Entry, PairingResult, Rounds
from parlour.tournaments.chess.tiebreaks import TiebreakScores
from parlour.tournaments.state import TournamentState


class RoundRobin:
    """Everybody meets everybody. Who withdraws forfeits the games that are left."""

    def late(self, state: TournamentState) -> bool:
        return False

    def first(self, state: TournamentState, entropy: Entropy) -> RoundDraft:
        entries = boards.entered(state)
        order = [entries[index] for index in entropy.shuffle(len(entries))]
        schedule = round_robin.schedule(len(order), state.chess_settings.cycles)
        first, *rest = round_robin.pairings(order, schedule[0])
        drawn = BoardPairing(first.white, first.black, first.result, {"order": order})
        return RoundDraft(1, [drawn, *(BoardPairing(one.white, one.black, one.result) for one in rest)])

    def over(self, state: TournamentState) -> bool:
        return len(state.c.rounds) >= self.length(state)

    def length(self, state: TournamentState) -> int:
        return len(self._schedule(state))

    def following(self, state: TournamentState, entropy: Entropy) -> RoundDraft | None:
        number = len(state.c.rounds) + 1
        paired = round_robin.pairings(_drawn(state), self._schedule(state)[number - 1])
        here = set(boards.playing(state))
        return RoundDraft(number, [_held(one, here) for one in paired])

    def standings(self, state: TournamentState) -> list[ev.FinalStanding]:
        order, played = _drawn(state), boards.rounds(state)
        games = (len(order) - 1) * state.chess_settings.cycles
        here = set(boards.playing(state))
        struck = round_robin.struck(played, [entry for entry in order if entry not in here], games)
        scores = TiebreakScores(order, played, bye_points=0, swiss=False)
        removed = struck | {entry for entry in order if state.entry(entry).status == "removed"}
        counted = TiebreakScores(
            [entry for entry in order if entry not in struck], round_robin.without(played, struck), 0, swiss=False
        )
        return _ranked(state, counted, removed, scores.points)

    def _schedule(self, state: TournamentState) -> list[list[round_robin.Board]]:
        return round_robin.schedule(len(_drawn(state)), state.chess_settings.cycles)


def _drawn(state: TournamentState) -> list[Entry]:
    """Who drew which number of the table."""
    order: list[Entry] = state.c.rounds[0].pairings[0].paired.facts["order"]
    return order


def _held(one: PairingResult, here: set[Entry]) -> BoardPairing:
    """The game is played where both are there, and forfeited otherwise."""
    if one.black is None or (one.white in here and one.black in here):
        return BoardPairing(one.white, one.black, one.result)
    return BoardPairing(one.white, one.black, "+--" if one.white in here else "--+" if one.black in here else "---")


class Swiss:
    """Those with the same score meet, by FIDE's Dutch rules."""

    def late(self, state: TournamentState) -> bool:
        chosen, paired = state.chess_settings, len(state.c.rounds)
        return paired < chosen.late_until and paired < self.length(state)

    def first(self, state: TournamentState, entropy: Entropy) -> RoundDraft:
        here = boards.entered(state)
        chosen = state.chess_settings
        white_first = entropy.shuffle(2)[0] == 0
        length = chosen.rounds or swiss.proposed_rounds(len(here))
        order = boards.by_rating(state, here)
        paired = swiss.pair(swiss.field(order, (), here, length, chosen.bye_points, white_first))
        assert paired is not None, "nobody has met yet"
        first, *rest = paired
        drawn = BoardPairing(first.white, first.black, first.result, {"white_first": white_first})
        return RoundDraft(1, [drawn, *(BoardPairing(one.white, one.black, one.result) for one in rest)])

    def over(self, state: TournamentState) -> bool:
        return len(state.c.rounds) >= self.length(state) or len(boards.playing(state)) < 2

    def following(self, state: TournamentState, entropy: Entropy) -> RoundDraft | None:
        paired = swiss.pair(self.field(state))
        if paired is None:
            return None
        return RoundDraft(len(state.c.rounds) + 1, [BoardPairing(one.white, one.black, one.result) for one in paired])

    def standings(self, state: TournamentState) -> list[ev.FinalStanding]:
        entries = boards.took_part(state)
        scores = TiebreakScores(entries, self._played(state), state.chess_settings.bye_points)
        removed = {entry for entry in entries if state.entry(entry).status == "removed"}
        return _ranked(state, scores, removed, scores.points)

    def field(self, state: TournamentState) -> swiss.Field:
        """What the pairing of the next round depends on."""
        drawn = state.c.rounds[0].pairings[0].paired.facts
        return swiss.field(
            boards.by_rating(state, boards.took_part(state)),
            self._played(state),
            boards.playing(state),
            self.length(state),
            state.chess_settings.bye_points,
            drawn["white_first"],
        )

    def length(self, state: TournamentState) -> int:
        """How many rounds there are: as many as the host says, or as those who were there at the start need."""
        started = sum(1 if one.paired.black is None else 2 for one in state.c.rounds[0].pairings)
        return state.chess_settings.rounds or swiss.proposed_rounds(started)

    def _played(self, state: TournamentState) -> Rounds:
        """The rounds, with half-point byes for those that a late entry missed, where the host gives them."""
        played = boards.rounds(state)
        if not state.chess_settings.late_points:
            return played
        for entry in state.entries:
            if entry.late:
                for each, pairings in zip(state.c.rounds, played, strict=True):
                    if each.at <= entry.entered_at:
                        pairings.append(PairingResult(entry.number, None, "half-bye"))
        return played


def _ranked(
    state: TournamentState, scores: TiebreakScores, last: set[Entry], points: dict[Entry, float]
) -> list[ev.FinalStanding]:
    """By points and tie-breaks. Behind everybody else come those whom the host removed or who hardly played."""
    groups = []
    for _, group in groupby(tiebreaks.standings(scores, state.chess_settings.tie_breaks), key=lambda one: one.place):
        level = [one for one in group if one.entry not in last]
        groups.append([_standing(one, len(level)) for one in level])
    return boards.placed([*groups, boards.level(sorted(last), points)])


def _standing(one: tiebreaks.RankedEntry, shared: int) -> ev.FinalStanding:
    found = {name: amount for name, amount in one.tiebreaks.items() if amount is not None}
    return ev.FinalStanding(one.entry, 1, shared, points=one.points, tiebreaks=found)
