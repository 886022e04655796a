"""The shapes of a view, for type checkers and editors. At run time a view is the plain dict that the JSON says.

    view = holdem(update.view)
    view["state"]["players"][0]["stack"]

The OpenAPI document at `/openapi.json` describes the same shapes for every other language.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, cast

Street: TypeAlias = Literal["preflop", "flop", "turn", "river"]
ActionKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]
PostKind: TypeAlias = Literal["ante", "small_blind", "big_blind", "post", "dead", "straddle", "button_blind"]
Position: TypeAlias = Literal["BTN", "SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "LJ", "HJ", "CO"]
Side: TypeAlias = Literal["high", "low"]
Color: TypeAlias = Literal["white", "black"]


class TablePerson(TypedDict):
    id: str
    name: str
    avatar: str | None
    bot: bool


class TableSeat(TypedDict):
    seat: int
    player: TablePerson | None
    connected: bool


class TableChatLine(TypedDict):
    at: int
    player: str
    name: str
    text: str
    seat: NotRequired[int | None]


class TableAsked(TypedDict):
    """What somebody asks the host for."""

    kind: Literal["seat", "chips"]
    seat: int | None
    amount: int | None


class TableRequest(TableAsked):
    player: str
    name: str
    avatar: str | None
    bot: bool


class TableWaiter(TypedDict):
    """Somebody on the waiting list."""

    player: str
    name: str
    avatar: str | None
    bot: bool
    until: int | None
    """Until when a free seat is kept for them, if one is."""


class TablePlaceInLine(TypedDict):
    place: int
    until: int | None


class TableQueuedChips(TypedDict):
    """A stack that changes when the round is over."""

    seat: int
    player: str
    chips: int
    reason: str


class TableGrace(TypedDict):
    left: int
    at: int


class TableYou(TypedDict):
    id: str
    name: str
    seats: list[int]
    host: bool
    muted: bool
    kicked: bool
    kick_reason: str
    moved_to: str | None
    """The code of the table to which the tournament moved you from here."""
    moved_at: int | None
    grace: TableGrace | None
    """What was left of the time for a lost connection then, where you have used some of it."""
    request: TableAsked | None
    waiting: TablePlaceInLine | None
    options: list[str]


class TableDeadline(TypedDict):
    at: int
    seat: int | None


class TableView(TypedDict):
    """What every view has, whatever is played."""

    code: str
    epoch: str
    seq: int
    turn: int
    status: Literal["waiting", "playing", "finished", "closed"]
    paused: bool
    now: int
    settings: dict[str, Any]
    queued: dict[str, Any]
    """Settings that come with the next round."""
    chips_queued: list[TableQueuedChips]
    host: str
    tournament: str | None
    """The code of the tournament that gives the seats here."""
    seats: list[TableSeat]
    waiting: list[TableWaiter]
    spectators: int
    deadline: TableDeadline | None
    chat: list[TableChatLine]
    you: TableYou | None
    requests: list[TableRequest]


# Hold'em

HandAction: TypeAlias = tuple[int, Street, ActionKind | PostKind, int]
"""Seat, street, what was done, and the total on that street; of a post the chips paid."""


class HoldemLastAction(TypedDict):
    type: ActionKind | PostKind
    amount: int
    all_in: NotRequired[bool]


class HoldemSeated(TypedDict):
    seat: int
    position: Position | None
    sitting_out: bool
    cards: list[str] | None
    bank: int
    owes: int
    stack: int
    bet: int
    contributed: int
    call: int
    status: Literal["active", "folded", "allin", "waiting", "sitting_out", "busted"]
    holds: int
    last: HoldemLastAction | None


class HoldemPot(TypedDict):
    amount: int
    seats: list[int]


class HoldemPartWon(TypedDict):
    """What was won of a pot on one board by the high or the low hand."""

    board: int
    side: Side
    amount: int
    winners: list[int]
    shares: list[int]
    made: str


class HoldemPotWon(TypedDict):
    amount: int
    seats: list[int]
    winners: list[int]
    shares: list[int]
    made: str | None
    """The hand that won, for programs; None where nobody else contested the pot, or it has parts."""
    parts: NotRequired[list[HoldemPartWon]]


class HoldemRefund(TypedDict):
    seat: int
    amount: int


class HoldemWorth(TypedDict):
    """What a hand is worth on one board, as a high or as a low hand."""

    board: int
    side: Side
    name: str
    best: list[str]
    made: str


class HoldemShownHand(TypedDict):
    cards: list[str]
    name: str | None
    best: list[str] | None
    made: str | None
    """The name for programs: a category and its ranks, such as two_pair:AKQ."""
    more: NotRequired[list[HoldemWorth]]
    """Its worth beyond the high hand on the first board."""


class HoldemResult(TypedDict):
    """Seats are the keys of JSON objects here, hence text."""

    hand: int
    pots: list[HoldemPotWon]
    payouts: dict[str, int]
    returned: HoldemRefund | None
    shown: dict[str, HoldemShownHand]
    reason: str


class HoldemChances(TypedDict):
    """How often a hand that lies open comes out best, alone or as one of several, and its average share of the main
    pot; as fractions."""

    win: float
    tie: float
    equity: float


class HoldemRunOutStep(TypedDict):
    """The chances by seat with so many cards of the board."""

    board: Literal[0, 3, 4, 5]
    chances: dict[str, HoldemChances]
    on: NotRequired[int]
    """Which of several boards."""


class HoldemReturn(TypedDict):
    """What somebody who left may sit down with again, until when (None for good)."""

    chips: int
    least: int
    most: int
    until: int | None


class HoldemGameName(TypedDict):
    variant: str
    limit: str


class HoldemStraddle(TypedDict):
    seat: int
    amount: int


class HoldemHandGame(TypedDict):
    """What is played in this hand; what is off is not there."""

    variant: str
    limit: str
    boards: NotRequired[int]
    bomb: NotRequired[int]
    button_blind: NotRequired[bool]
    straddle: NotRequired[HoldemStraddle]
    runs: NotRequired[int]
    seven_deuce: NotRequired[int]


class HoldemRunQuestion(TypedDict):
    """How often the rest of the board is dealt: the option `run`."""

    seats: list[int]
    most: int
    until: int
    answers: dict[str, int]


class HoldemGameQuestion(TypedDict):
    """Which game is played next: the option `choose`."""

    seat: int
    until: int
    games: list[tuple[str, str]]


class HoldemRabbitCards(TypedDict):
    seat: int
    boards: list[list[str]]


class HoldemBountyPaid(TypedDict):
    seat: int
    paid: dict[str, int]


class HoldemNext(TypedDict, total=False):
    """What is known of the hands to come."""

    game: HoldemGameName
    hands: int
    bomb: bool
    bombs: list[int]
    straddlers: list[int]


class HoldemPublic(TypedDict):
    hand: int
    button: int | None
    small_blind: int | None
    big_blind: int | None
    blinds: tuple[int, int]
    ante: int
    level: int
    next_level_at: int | None
    next_hand_at: int | None
    departed: dict[str, HoldemReturn]
    """Who left lately, by the id of the player."""
    game: HoldemHandGame
    next: NotRequired[HoldemNext]
    choice: NotRequired[HoldemGameQuestion]
    run: NotRequired[HoldemRunQuestion]
    boards: NotRequired[list[list[str]]]
    """All boards, where there are several."""
    rabbit: NotRequired[HoldemRabbitCards]
    bounty: NotRequired[HoldemBountyPaid]
    actions: list[HandAction]
    street: Street | None
    board: list[str]
    actor: int | None
    aggressor: int | None
    pot: int
    pots: list[HoldemPot]
    players: list[HoldemSeated]
    result: HoldemResult | None
    run_out: list[HoldemRunOutStep] | None
    """Where the hands were turned over before the river: a step for the board then, and one for each street since."""


class HoldemPrivate(TypedDict):
    cards: list[str]
    rank: str | None
    best: list[str] | None
    made: str | None
    more: NotRequired[list[HoldemWorth]]


class HoldemSize(TypedDict):
    name: Literal["big_blind", "bet", "pot", "limit", "all_in"]
    percent: int
    to: int


class HoldemLegal(TypedDict):
    actions: list[str]
    call: int
    min: int
    max: int
    pot: int
    bet: int
    stack: int
    call_all_in: bool
    all_in: int
    sizes: list[HoldemSize]


class HoldemView(TableView):
    game: Literal["holdem"]
    state: HoldemPublic | None
    private: HoldemPrivate | None
    legal: HoldemLegal | None


# Chess


class ChessSides(TypedDict):
    white: int | None
    black: int | None


class ChessClock(TypedDict):
    white: int
    black: int
    running: Color | None
    since: int


class ChessResult(TypedDict):
    winner: Color | None
    reason: str


class ChessOpening(TypedDict):
    eco: str
    name: str


class ChessPublic(TypedDict):
    game: int
    variant: str
    fen: str
    start_fen: str
    rated: bool
    opening: ChessOpening | None
    turn: Color
    moves: list[str]
    san: list[str]
    check: bool
    players: ChessSides
    clock: ChessClock | None
    draw_offer: Color | None
    takeback_offer: Color | None
    rematch_offer: Color | None
    claims: list[str]
    result: ChessResult | None


class ChessLegal(TypedDict):
    moves: list[str]
    actions: list[str]
    claims: dict[str, str]


class ChessView(TableView):
    game: Literal["chess"]
    state: ChessPublic | None
    private: None
    legal: ChessLegal | None


def holdem(view: dict[str, Any]) -> HoldemView:
    """The same view, with the types of a hold'em table."""
    _check(view, "holdem")
    return cast("HoldemView", view)


def chess(view: dict[str, Any]) -> ChessView:
    """The same view, with the types of a chess table."""
    _check(view, "chess")
    return cast("ChessView", view)


def _check(view: dict[str, Any], game: str) -> None:
    if view["game"] != game:
        raise ValueError(f"this is a table of {view['game']}, not of {game}")
