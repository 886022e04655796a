"""Playing: the endpoints of one game, the same for the Bot API and the Board API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import web

from parlour.games.chess.clock import Color, other
from parlour.games.contract import Millis
from parlour.protocols.dialect import Admission
from parlour.protocols.lichess import bodies, render, terms
from parlour.protocols.lichess.book import LichessGames
from parlour.protocols.lichess.callers import LichessCaller, known
from parlour.protocols.lichess.streams import Hub, LineStream
from parlour.protocols.lichess.users import LichessUsers
from parlour.tables.errors import Against, BadRequest, Busy, NotAllowed, NotFound, Refused, TooMany
from parlour.tables.live.messages import AnyMessage, Ended, PresenceChange, TableUpdate
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import Identity

OK = {"ok": True}
ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
PLAYED = frozenset(
    {
        "moved", "draw_offered", "draw_declined", "takeback_offered", "takeback_declined", "taken_back", "game_ended",
    }
)  # fmt: skip
"""Events after which the state of the game is told."""


class PlayerSide:
    """A caller's side of a game."""

    def __init__(self, caller: LichessCaller, table: Table, color: Color) -> None:
        self.caller = caller
        self.table = table
        self.color = color

    @property
    def record(self) -> Any:
        return render.state_of(self.table).record

    async def act(self, kind: str, **more: Any) -> None:
        try:
            await self.table.act(self.caller.identity, {"type": kind, **more}, None)
        except Refused:
            if render.is_over(self.table):  # also where the table is closed by now, or they have got up
                raise Against("game_over", "The game is over") from None
            raise


class LichessPlay:
    """Handles what players ask of their games."""

    def __init__(
        self, parlour: Parlour, admission: Admission, users: LichessUsers, book: LichessGames, hub: Hub
    ) -> None:
        self._parlour = parlour
        self._admission = admission
        self._sides = render.LichessSides(users)
        self._book = book
        self._hub = hub

    def add_routes(self, router: web.UrlDispatcher) -> None:
        for api in ("bot", "board"):
            router.add_get(f"/api/{api}/game/stream/{{game}}", self._stream)
            game = f"/api/{api}/game/{{game}}"
            router.add_post(f"{game}/move/{{move}}", self._command(self._move))
            router.add_post(f"{game}/chat", self._command(self._chat))
            router.add_get(f"{game}/chat", self._chat_so_far)
            router.add_post(f"{game}/draw/{{answer}}", self._command(self._draw))
            router.add_post(f"{game}/takeback/{{answer}}", self._command(self._takeback))
            for path, action in (("abort", "abort"), ("resign", "resign"), ("claim-victory", "claim_win")):
                router.add_post(f"{game}/{path}", self._command(_simple(action)))
                router.add_post(f"{game}/{path}/", self._command(_simple(action)))
        router.add_get("/game/export/{game}", self._export)

    # Commands

    async def seat(self, request: web.Request, name: str | None = None) -> PlayerSide:
        """The caller's side of the game in the path; 404 where there is no such game, or it is not theirs."""
        caller = await known(self._parlour, request)
        table = await self._table(request, name or request.match_info["game"], caller.identity)
        color = render.color_of(table, caller.identity.id)
        if color is None:
            raise _no_game()
        return PlayerSide(caller, table, color)

    async def _table(self, request: web.Request, name: str, identity: Identity | None) -> Table:
        """The chess table with this code. An unknown one counts as a wrong guess of the address; what others there have
        guessed keeps nobody from a game of their own."""
        try:
            with self._admission.guess(self._admission.address(request)):
                return await self._open(name)
        except TooMany:
            own = await self._parlour.tables_of(identity) if identity else ()
            if all(table.code != name for table in own):
                raise
        return await self._open(name)

    async def _open(self, name: str) -> Table:
        table = await self._parlour.open(name, here=True)
        if table.state.rules.name != "chess":
            raise _no_game()
        return table

    def _command(
        self, handle: Callable[[PlayerSide, web.Request], Awaitable[None]]
    ) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def command(request: web.Request) -> web.Response:
            seat = await self.seat(request)
            self._admission.command(seat.caller.identity.id, seat.table.id)
            try:
                await handle(seat, request)
            finally:
                self._book.look(seat.table)
            self._admission.plays(self._admission.address(request))
            return web.json_response(OK)

        return command

    async def abort(self, request: web.Request, name: str) -> None:
        """Call a game off that was only just accepted."""
        seat = await self.seat(request, name)
        self._admission.command(seat.caller.identity.id, seat.table.id)
        await seat.act("abort")
        self._admission.plays(self._admission.address(request))
        self._book.look(seat.table)

    async def _move(self, seat: PlayerSide, request: web.Request) -> None:
        """Move, and offer or accept a draw with it. A move that is sent again, its answer being lost, is made once."""
        uci, offers = request.match_info["move"], terms.flag(request.query, "offeringDraw")
        if offers and seat.record.draw_offer == other(seat.color):
            await seat.act("accept_draw")
            return
        if offers and await _claims(seat, uci=uci):
            return
        try:
            await seat.act("move", uci=uci)
        except Refused:
            if not _was_last(seat, uci):
                raise
        if offers:
            with suppress(Refused):  # the move is made; a draw may be offered once between two moves
                await seat.act("offer_draw")

    async def _draw(self, seat: PlayerSide, request: web.Request) -> None:
        """Offer or answer; where the rules give a draw to whoever claims it, to offer one is to claim it."""
        offered_by = seat.record.draw_offer
        if offered_by is None and _wanted(request) and await _claims(seat):
            return
        await _answer(seat, request, "draw", offered_by)

    async def _takeback(self, seat: PlayerSide, request: web.Request) -> None:
        await _answer(seat, request, "takeback", seat.record.takeback_offer)

    async def _chat(self, seat: PlayerSide, request: web.Request) -> None:
        """Say something at the table, which has one chat for all: so what a player says to the spectators is dropped
        while the opponent could read it. So is what the table does not take from this player now. The chat is not the
        game, and lichess-bot gives up a game in which a line is refused."""
        body = await bodies.read(request)
        text = body.get("text")
        if not isinstance(text, str):
            raise BadRequest("bad_chat", "text is missing")
        if body.get("room") == "spectator" and not render.is_over(seat.table):
            return
        with suppress(TooMany, NotAllowed, Busy):
            await seat.table.chat(seat.caller.identity, text)

    # Reading

    async def _chat_so_far(self, request: web.Request) -> web.Response:
        seat = await self.seat(request)
        names = {user.player: user.name for user in (await self._sides.of(seat.table)).values()}
        lines = seat.table.state.room.chat
        return web.json_response([{"text": line.text, "user": names.get(line.player, line.name)} for line in lines])

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        seat = await self.seat(request)
        identity, table = seat.caller.identity, seat.table
        rated = await self._sides.rated(table)
        names = {player.id: str(rated[color]["name"]) for color, player in render.players(table).items()}
        with self._admission.connection(request) as connection, self._hub.other() as lines:
            connection.belongs_to(identity.id)
            follower = GameFollower(seat, lines, names, self._book)
            with self._parlour.people.watch(seat.caller.token) as token_watch:
                token_watch.then(lines.end)
                subscription = table.subscribe(identity, follower.tell)
                try:
                    lines.tell(render.game_full(table, rated))
                    follower.begin()
                    return await lines.send(request)
                finally:
                    subscription.close()

    async def _export(self, request: web.Request) -> web.Response:
        """A finished game as PGN, or as JSON for those who ask for that."""
        identity = (await known(self._parlour, request)).identity if "Authorization" in request.headers else None
        table = await self._table(request, request.match_info["game"], identity)
        pgn = await table.export(render.state_of(table).record.game, "pgn", identity)
        sides = await self._sides.of(table)
        if "application/json" in request.headers.get("Accept", ""):
            return web.json_response(render.export(table, sides))
        return web.Response(text=render.with_user_names(pgn, sides), content_type="application/x-chess-pgn")


class GameFollower:
    """Tells one player what happens in their game."""

    def __init__(self, seat: PlayerSide, lines: LineStream, names: dict[str, str], book: LichessGames) -> None:
        self._seat = seat
        self._table = seat.table
        self._lines = lines
        self._names = names
        self._book = book
        self._opponent = render.state_of(seat.table).seat_of(other(seat.color))
        self._told_gone = False

    def begin(self) -> None:
        """The game has been told as it is: say whether the opponent is there, or whether this was all."""
        if render.is_over(self._table):
            self._lines.end()
        elif self._gone_since() is not None:
            self._tell_gone(True)

    def tell(self, message: AnyMessage) -> None:
        if isinstance(message, TableUpdate):
            self._read([msgspec.json.decode(event) for event in message.events])
        elif isinstance(message, PresenceChange) and message.seat == self._opponent:
            self._tell_gone(not message.connected)
        elif isinstance(message, Ended):
            self._lines.end()

    def _read(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["type"] == "chat":
                room = "spectator" if event["seat"] is None else "player"
                username = self._names.get(event["player"], event["name"])
                self._lines.tell({"type": "chatLine", "room": room, "username": username, "text": event["text"]})
        if any(event["type"] in PLAYED for event in events):
            self._lines.tell(render.game_state(self._table))
        if render.is_over(self._table):
            self._lines.end()
            self._book.look(self._table)

    def _tell_gone(self, gone: bool) -> None:
        """Whoever is away for longer than the table's grace may be claimed to have lost."""
        state = render.state_of(self._table)
        if gone == self._told_gone or not (state.playing and state.settings.live):
            return
        self._told_gone = gone
        line: dict[str, Any] = {"type": "opponentGone", "gone": gone}
        if gone:
            now = self._table.owner.look()
            gone_for = now - (self._gone_since() or now)
            line["claimWinInSeconds"] = max(0, -(-(1000 * self._table.state.settings.grace - gone_for) // 1000))
        self._lines.tell(line)

    def _gone_since(self) -> Millis | None:
        holder = None if self._opponent is None else self._table.state.room.seats[self._opponent]
        return None if holder is None else self._table.presence.lost.get(holder.id)


def _simple(action: str) -> Callable[[PlayerSide, web.Request], Awaitable[None]]:
    async def act(seat: PlayerSide, request: web.Request) -> None:
        await seat.act(action)

    return act


async def _answer(seat: PlayerSide, request: web.Request, what: str, offered_by: Color | None) -> None:
    """Offer, accept or decline, as it stands. To offer what is offered already, or decline nothing, changes nothing."""
    wanted = _wanted(request)
    if offered_by == other(seat.color):
        await seat.act(f"accept_{what}" if wanted else f"decline_{what}")
    elif wanted and offered_by != seat.color:
        await seat.act(f"offer_{what}")


def _wanted(request: web.Request) -> bool:
    wanted = ANSWERS.get(request.match_info["answer"].lower())
    if wanted is None:
        raise BadRequest("bad_answer", "the answer is yes or no")
    return wanted


async def _claims(seat: PlayerSide, **move: str) -> bool:
    """Whether the rules gave this player a draw, by repetition or fifty moves, perhaps with the move to be made."""
    try:
        await seat.act("claim_draw", **move)
    except Refused:
        return False
    return True


def _was_last(seat: PlayerSide, uci: str) -> bool:
    """Whether the last move of the game is this player's, and this one."""
    state = render.state_of(seat.table)
    if not state.record.moves or (state.to_move == seat.color):
        return False
    return bool(state.record.moves[-1] == uci)


def _no_game() -> NotFound:
    return NotFound("no_such_game", "No such game")
