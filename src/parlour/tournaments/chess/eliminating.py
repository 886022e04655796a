"""The knock-out round by round: all matches go on together, one game of each at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from parlour.tables.ports import Entropy
from parlour.tournaments import events as ev
from parlour.tournaments.chess import boards, knockout
from parlour.tournaments.chess.boards import BoardPairing, RoundDraft
from parlour.tournaments.chess.knockout import BracketMatch, Control, NextGame, Over
from parlour.tournaments.chess.results import Entry, PairingResult, Result
from parlour.tournaments.state import PairedRound, TournamentState


class Tie(msgspec.Struct, frozen=True):
    """A match and its games that are over."""

    match: BracketMatch
    games: Sequence[PairingResult] = ()
    open: bool = False
    """Whether one is being played."""


class Knockout:
    """Who loses a match is out."""

    def late(self, state: TournamentState) -> bool:
        return False

    def first(self, state: TournamentState, entropy: Entropy) -> RoundDraft:
        entries = boards.entered(state)
        lots = {entries[index]: lot for lot, index in enumerate(entropy.shuffle(len(entries)))}
        seeds = sorted(entries, key=lambda entry: (-state.entry(entry).rating, lots[entry]))
        drafted = []
        for index, (upper, lower) in enumerate(knockout.bracket(len(seeds))):
            facts = {"match": index, "seeds": [upper, lower]}
            second = None if lower is None else seeds[lower - 1]
            if second is None:
                drafted.append(BoardPairing(seeds[upper - 1], None, "bye", facts))
            else:
                drafted.append(_board(NextGame(seeds[upper - 1], second, Control("game")), {**facts, "game": 1}))
        return RoundDraft(1, drafted)

    def over(self, state: TournamentState) -> bool:
        ties = _ties(state)[-1]
        return len(ties) == 1 and (ties[0] is None or isinstance(_proceed(state, ties[0]), Over))

    def length(self, state: TournamentState) -> None:
        return None

    def following(self, state: TournamentState, entropy: Entropy) -> RoundDraft | None:
        rounds = _ties(state)
        number, ties = len(rounds), rounds[-1]
        more = _more_games(state, ties, entropy)
        if more:
            return RoundDraft(number, more)
        winners = [_winner(state, tie) for tie in ties]
        if len(winners) < 2:
            return None
        whites = Counter(one.white for pairings in boards.rounds(state) for one in pairings if one.black is not None)
        drafted = []
        for index, match in enumerate(knockout.following(winners, _seeds(state))):
            if match is None:
                continue
            if match.second is None:
                drafted.append(BoardPairing(match.first, None, "bye", {"match": index}))
                continue
            white = knockout.fairest_white(match, whites)
            black = match.second if white == match.first else match.first
            drafted.append(_held(state, NextGame(white, black, Control("game")), {"match": index, "game": 1}))
        return RoundDraft(number + 1, drafted)

    def standings(self, state: TournamentState) -> list[ev.FinalStanding]:
        """Who is still in has the first places, then the losers of each round do. Whom the host removed comes last."""
        entries = boards.took_part(state)
        removed = [entry for entry in entries if state.entry(entry).status == "removed"]
        out = losers(state)
        inside = len(state.c.rounds) + 1
        out |= dict.fromkeys(removed, 0)
        groups = [[entry for entry in entries if out.get(entry, inside) == number] for number in range(inside, -1, -1)]
        return boards.placed([boards.level(group, state.c.points) for group in groups])


def losers(state: TournamentState) -> dict[Entry, int]:
    """Who has lost a match → the round of it."""
    out: dict[Entry, int] = {}
    for number, ties in enumerate(_ties(state), 1):
        for tie in ties:
            going = None if tie is None or tie.open else _proceed(state, tie)
            if tie is not None and isinstance(going, Over):
                out.update({entry: number for entry in (tie.match.first, tie.match.second) if entry is not None})
                if going.winner is not None:
                    del out[going.winner]
    return out


def _more_games(state: TournamentState, ties: Sequence[Tie | None], entropy: Entropy) -> list[BoardPairing]:
    """The next game of each match that is not over."""
    drafted = []
    for index, tie in enumerate(ties):
        going = None if tie is None else _proceed(state, tie, entropy)
        if tie is not None and isinstance(going, NextGame):
            drafted.append(_held(state, going, {"match": index, "game": len(tie.games) + 1}))
    return drafted


def _held(state: TournamentState, game: NextGame, facts: dict[str, object]) -> BoardPairing:
    """The game is played where both are there. Who has withdrawn loses by forfeit, and so the match."""
    white, black = (state.entry(entry).status == "playing" for entry in (game.white, game.black))
    if white and black:
        return _board(game, facts)
    forfeit: Result = "+--" if white else "--+" if black else "---"
    return BoardPairing(game.white, game.black, forfeit, {**facts, "stage": game.control.stage})


def _proceed(state: TournamentState, tie: Tie, entropy: Entropy | None = None) -> NextGame | Over:
    chosen, match = state.chess_settings, tie.match
    first_white = tie.games[0].white if tie.games else match.first
    lot = match.first if entropy is None or match.second is None or entropy.shuffle(2)[0] == 0 else match.second
    return knockout.proceed(match, tie.games, chosen.games, chosen.tiebreak, first_white, lot)


def _winner(state: TournamentState, tie: Tie | None) -> Entry | None:
    going = None if tie is None else _proceed(state, tie)
    return going.winner if isinstance(going, Over) else None


def _board(game: NextGame, facts: dict[str, object]) -> BoardPairing:
    control = game.control
    settings: dict[str, object] = {}
    if control.time is not None:
        settings = {"minutes": control.time[0], "increment": control.time[1], "days": 0, "rated": False}
    if control.black is not None:
        settings |= {"odds": "black", "odds_minutes": control.black[0], "odds_increment": control.black[1]}
    return BoardPairing(game.white, game.black, None, {**facts, "stage": control.stage}, settings)


def _seeds(state: TournamentState) -> dict[Entry, int]:
    """Entry → seed, from the first round."""
    drawn = [one.paired for one in state.c.rounds[0].pairings if "seeds" in one.paired.facts]
    pairs = [pair for one in drawn for pair in zip((one.white, one.black), one.facts["seeds"], strict=True)]
    return {entry: seed for entry, seed in pairs if entry is not None}


def _ties(state: TournamentState) -> list[list[Tie | None]]:
    """All matches of all rounds, in the order of the bracket."""
    seeds = _seeds(state)
    found: list[list[Tie | None]] = []
    size = 2 ** (len(seeds) - 1).bit_length() // 2
    for each in state.c.rounds:
        found.append(_matches(each, size, seeds))
        size //= 2
    return found


def _matches(each: PairedRound, size: int, seeds: dict[Entry, int]) -> list[Tie | None]:
    games: dict[int, list[PairingResult]] = {}
    for one in each.pairings:
        games.setdefault(one.paired.facts["match"], []).append(boards.plain(one))
    ties: list[Tie | None] = []
    for index in range(size):
        played = games.get(index)
        if played is None:
            ties.append(None)
            continue
        first = played[0]
        if first.black is None:
            ties.append(Tie(BracketMatch(first.white, None)))
            continue
        upper, lower = sorted((first.white, first.black), key=seeds.__getitem__)
        decided = [game for game in played if game.result is not None]
        ties.append(Tie(BracketMatch(upper, lower), decided, len(decided) < len(played)))
    return ties
