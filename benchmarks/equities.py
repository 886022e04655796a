"""Equity, exact and by Monte Carlo. Peers get the same question; who cannot answer it is not in the row."""

from __future__ import annotations

from benchmarks.rounds import Contestant, Row, Work

ALL = "random"
TIGHT, WIDE = "QQ+,AKs,AKo", "22+,A2s+,KTs+,QTs+,JTs,ATo+,KQo"
SIX = ["AhAs", "KdKc", "QhJh", "8c8d", "7s6s", "AdKh"]
ONE_OF_SIX = ["AhAs"] + [ALL] * 5
TRIALS = 1_000_000
PEER_TRIALS = 200_000
PEER_SECONDS = 0.2


def parlour_equity(players: list[str], board: str = "", dead: str = "") -> Work:
    import parlour

    return lambda: parlour.equity(players, board=board, dead=dead, threads=1)


def parlour_trials(players: list[str]) -> Work:
    import parlour

    return lambda: parlour.equity(players, trials=TRIALS, threads=1, exact=False)


def pokerfast(players: list[str], board: str = "", dead: str = "") -> Work:
    from pokerfast import equity

    return lambda: equity.equity(players, board=board, dead=dead, threads=1)


def poker_equity(players: list[str], board: str = "", dead: str = "") -> Work:
    import poker_equity as peer

    if peer.exact_from_text("holdem", players, board, dead) is None:
        raise ValueError("too many deals for its exact walk")
    return lambda: peer.exact_from_text("holdem", players, board, dead)


def poker_equity_trials(players: list[str]) -> Work:
    import poker_equity as peer

    named = ["**" if player == ALL else player for player in players]
    return lambda: peer.chunk_from_text("holdem", named, samples=PEER_TRIALS, seed=1, threads=1)


def ompeval_trials(players: list[str]) -> tuple[Work, float]:
    """OMPEval by Monte Carlo for a set time, as pokerfast carries it; also how many deals that is.

    The public call does not tell the number of deals, the library beneath does.
    """
    import ctypes

    from pokerfast import equity

    library = equity._load()
    texts = (ctypes.c_char_p * len(players))(*[player.encode() for player in players])
    out, deals = (ctypes.c_double * len(players))(), ctypes.c_uint64()

    def work() -> None:
        library.pf_equity(texts, len(players), b"", b"", 0, 1e-9, 1, PEER_SECONDS, out, ctypes.byref(deals))

    work()
    return work, float(deals.value)


def _ompeval(players: list[str]) -> Contestant:
    try:
        work, deals = ompeval_trials(players)
    except Exception as fault:
        reason = fault

        def missing() -> Work:
            raise reason

        return Contestant("OMPEval in pokerfast", missing)
    return Contestant("OMPEval in pokerfast", lambda: work, deals)


def _ours(players: list[str], board: str = "", dead: str = "") -> Contestant:
    return Contestant("parlour", lambda: parlour_equity(players, board, dead), ours=True)


def _pokerfast(players: list[str], board: str = "", dead: str = "") -> Contestant:
    return Contestant("pokerfast (OMPEval)", lambda: pokerfast(players, board, dead))


def _poker_equity(players: list[str], board: str = "", dead: str = "") -> Contestant:
    return Contestant("poker-equity", lambda: poker_equity(players, board, dead))


def rows() -> list[Row]:
    aces, kings = "AhAs", "KdKc"
    return [
        Row(
            "exact AhAs v KdKc, preflop",
            "",
            (_ours([aces, kings]), _pokerfast([aces, kings]), _poker_equity([aces, kings])),
        ),
        Row(
            "exact AhAs v KdKc, preflop, 2c 2d dead",
            "",
            (
                _ours([aces, kings], "", "2c2d"),
                _pokerfast([aces, kings], "", "2c2d"),
                _poker_equity([aces, kings], "", "2c2d"),
            ),
        ),
        Row(
            "exact AhKh v a random hand on 2h 7h 9c",
            "",
            (_ours(["AhKh", ALL], "2h7h9c"), _pokerfast(["AhKh", ALL], "2h7h9c")),
        ),
        Row(
            "exact, every hand v every hand on 2h 7h 9c",
            "",
            (_ours([ALL, ALL], "2h7h9c"), _pokerfast([ALL, ALL], "2h7h9c")),
        ),
        Row(f"exact {TIGHT} v {WIDE}, preflop", "", (_ours([TIGHT, WIDE]), _pokerfast([TIGHT, WIDE]))),
        Row("exact, every hand v every hand, preflop", "", (_ours([ALL, ALL]),)),
        Row("exact, six known hands, preflop", "", (_ours(SIX), _pokerfast(SIX), _poker_equity(SIX))),
        *(
            Row(
                f"Monte Carlo, {title}",
                "deals",
                (
                    Contestant("parlour", lambda players=players: parlour_trials(players), TRIALS, ours=True),  # type: ignore[misc]
                    _ompeval(players),
                    Contestant("poker-equity", lambda players=players: poker_equity_trials(players), PEER_TRIALS),  # type: ignore[misc]
                ),
            )
            for title, players in (("six known hands", SIX), ("one hand v five random", ONE_OF_SIX))
        ),
    ]
