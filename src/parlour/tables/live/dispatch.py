"""From commands to decisions: most are one step of the owner's pipeline, some are several.

A command of several steps, such as getting up from two seats, is decided step by step, each on the state that the one
before has left; the last step carries the key, so that a repeat is recognised. The steps go on by themselves when
whoever asked has gone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from parlour.games.contract import Action, Event, Illegal, Millis, Seat
from parlour.tables.errors import Against, BadRequest, NotAllowed, NotFound, Unavailable
from parlour.tables.live.owner import Owner
from parlour.tables.live.pipeline import Answer, tell
from parlour.tables.ports import Identity
from parlour.tables.room import between, decisions, directing, hosting, repeats, requests, waiting
from parlour.tables.room.commands import (
    ActCommand,
    AnyCommand,
    AnyOrder,
    ChatCommand,
    Close,
    HostCommand,
    LeaveCommand,
    SitCommand,
    StartCommand,
    WaitCommand,
    WithdrawCommand,
)
from parlour.tables.room.seats import free_seat, require_open
from parlour.tables.room.seats import leave as get_up
from parlour.tables.room.words import read_chat

if TYPE_CHECKING:
    from parlour.tables.live.table import Table


def submit(table: Table, identity: Identity, command: AnyCommand, key: str | None, answer: Answer) -> None:
    """Carry out a command; the number of its last event or the refusal reaches `answer`, perhaps at once.

    A repeat with the same key gets the first answer; the same key with another command is refused.
    """
    try:
        if type(command) is ActCommand:
            _submit_act(table.owner, identity, command, key, answer)
        elif table.owner.state.directed and type(command) is not ChatCommand:
            raise directing.refused()
        elif table.owner.state.rules.directs and type(command) is not ChatCommand:
            raise NotAllowed("no_table", "this is the log of a tournament, not a table to play at")
        else:
            _SUBMIT[type(command)](table, identity, command, key, answer)
    except Exception as refusal:
        tell(answer, refusal)


def _submit_act(owner: Owner, identity: Identity, command: ActCommand, key: str | None, answer: Answer) -> None:
    turn = command.turn
    try:
        wanted = owner.log.listing.action(command.action)
    except Illegal as refusal:
        raise Against(refusal.code, str(refusal)) from None
    asked = b"" if key is None else repeats.command("act", turn, wanted)
    owner.pipeline.submit(identity.id, key, asked, answer, partial(_act, owner, identity, wanted, turn))


def _act(owner: Owner, identity: Identity, wanted: Action, turn: int | None, at: Millis) -> Sequence[Event]:
    state = owner.state
    world = owner.world(at)
    events = decisions.act(state, identity, wanted, turn, world)
    if wanted.in_turn:
        events = owner.with_grace(events, at, identity.id)
    return between.settle(state, events, at, world) if world.hold else events


def _sit(table: Table, identity: Identity, command: SitCommand, key: str | None, answer: Answer) -> None:
    owner, seat, options, invited = table.owner, command.seat, command.options, command.invited

    def sit(at: Millis) -> Sequence[Event]:
        present = owner.presence.connected
        return decisions.sit(owner.state, identity, seat, options, invited, owner.world(at), present)

    owner.submit(identity.id, key, repeats.command("sit", seat, options), answer, sit)


def _wait(table: Table, identity: Identity, command: WaitCommand, key: str | None, answer: Answer) -> None:
    owner = table.owner

    def wait(at: Millis) -> Sequence[Event]:
        return waiting.wait(owner.state, identity, owner.world(at), owner.presence.connected)

    owner.submit(identity.id, key, repeats.command("wait"), answer, wait)


def _withdraw(table: Table, identity: Identity, command: WithdrawCommand, key: str | None, answer: Answer) -> None:
    owner = table.owner

    def withdraw(at: Millis) -> Sequence[Event]:
        return requests.withdraw(owner.state, identity)

    owner.submit(identity.id, key, repeats.command("withdraw"), answer, withdraw)


def _leave(table: Table, identity: Identity, command: LeaveCommand, key: str | None, answer: Answer) -> None:
    owner, asked = table.owner, repeats.command("leave")

    def leave(at: Millis) -> Sequence[Event]:
        return owner.with_grace(decisions.give_up(owner.state, identity, owner.world(at)), at, identity.id)

    seats = owner.state.seats_of(identity.id)
    if len(seats) < 2 or _answered(owner, identity, key, asked):
        owner.submit(identity.id, key, asked, answer, leave)
        return

    async def leave_all() -> int:
        for seat in seats[:-1]:
            await _empty(owner, seat, identity.id, "left")
        return await owner.ask(identity.id, key, asked, leave)

    _carry_out(table, leave_all(), answer)


def _start(
    table: Table, identity: Identity, command: StartCommand | HostCommand, key: str | None, answer: Answer
) -> None:
    owner = table.owner

    def start(at: Millis) -> Sequence[Event]:
        return decisions.start(owner.state, identity, owner.world(at))

    owner.submit(identity.id, key, repeats.command("start"), answer, start)


def _chat(table: Table, identity: Identity, command: ChatCommand, key: str | None, answer: Answer) -> None:
    owner, line = table.owner, read_chat(command.text)

    def say(at: Millis) -> Sequence[Event]:
        events = decisions.chat(owner.state, identity, line)
        table.premises.may_chat(identity.id, at)
        return events

    owner.submit(identity.id, key, repeats.command("chat", line), answer, say)


def _host(table: Table, identity: Identity, command: HostCommand, key: str | None, answer: Answer) -> None:
    owner, power, args = table.owner, command.power, command.args
    if power == "start":
        _start(table, identity, command, key, answer)
        return
    asked = repeats.command("host", power, args)

    def use(at: Millis) -> Sequence[Event]:
        return hosting.use(owner.state, identity, power, args, owner.world(at, standing=False))

    is_repeat = _answered(owner, identity, key, asked)
    if power == "add_bot" and not is_repeat:
        _carry_out(table, _add_bot(table, identity, args, key, asked), answer)
    elif power == "close" and identity.id == owner.state.room.host and not is_repeat:
        closed = empty_and_close(table, identity.id, lambda: owner.ask(identity.id, key, asked, use))
        _carry_out(table, closed, answer)
    else:
        owner.submit(identity.id, key, asked, answer, use)


async def _add_bot(table: Table, identity: Identity, args: Mapping[str, Any], key: str | None, asked: bytes) -> int:
    owner, house = table.owner, table.premises.house
    hosting.require_host(owner.state, identity)
    require_open(owner.state)
    seat, style = args.get("seat"), args.get("style")
    if not (seat is None or type(seat) is int) or not (style is None or isinstance(style, str)):
        raise BadRequest("bad_bot", "'seat' is a number and 'style' a word")
    if house is None:
        raise NotFound("no_bots", "this server has no bots")
    free_seat(owner.state, seat)
    waiting.require_turn(owner.state, "", owner.presence.connected)

    def sit(bot: Identity) -> Awaitable[int]:
        def take_seat(at: Millis) -> Sequence[Event]:
            return decisions.sit(owner.state, bot, seat, {}, True, owner.world(at), owner.presence.connected)

        return owner.ask(identity.id, key, asked, take_seat)

    return await house.seat(table, identity.id, style, sit)


async def direct(table: Table, order: AnyOrder, key: str | None) -> int:
    """Carry out what the tournament of the table says; the number of its last event."""
    owner = table.owner
    director, asked = owner.state.room.director, repeats.command(order)
    if director is None:
        raise NotAllowed("not_directed", "this table belongs to no tournament")

    def obey(at: Millis) -> Sequence[Event]:
        return directing.obey(owner.state, order, owner.world(at, standing=False))

    if isinstance(order, Close) and not owner.state.room.closed:
        return await empty_and_close(table, director, lambda: owner.ask(director, key, asked, obey))
    return await owner.ask(director, key, asked, obey)


def empty_and_close(table: Table, by: str | None, last_step: Callable[[], Awaitable[int]]) -> Coroutine[Any, Any, int]:
    """Everybody gets up, one after another. From now on nobody takes a seat that is empty already."""
    table.owner.state.closing = True
    return _empty_and_close(table, by, last_step)


async def _empty_and_close(table: Table, by: str | None, last_step: Callable[[], Awaitable[int]]) -> int:
    owner, state = table.owner, table.owner.state
    try:
        await owner.ask(by, None, b"", lambda _: ())  # somebody may be about to sit down: that comes first
        for seat, holder in enumerate(state.room.seats):
            if holder is not None:
                await _empty(owner, seat, by, "closed")
        seq = await last_step()
    finally:
        state.closing = False
    with suppress(Unavailable):  # it is closed all the same, and the directory hears of it later
        # Before the answer: the host may open another table in its place at once, at any node.
        await table.premises.store.settle([table.entry()], None)
    return seq


async def _empty(owner: Owner, seat: Seat, by: str | None, reason: str) -> None:
    """One of several steps of a command: somebody gets up, if they have not yet."""
    holder = owner.state.room.seats[seat]

    def step(at: Millis) -> Sequence[Event]:
        if holder is None or owner.state.room.seats[seat] != holder:
            return []
        return get_up(owner.state, seat, reason, owner.world(at))

    await owner.ask(by, None, b"", step)


def _answered(owner: Owner, identity: Identity, key: str | None, asked: bytes) -> bool:
    """Whether a command is a repeat: one of several steps is then not begun again."""
    return key is not None and owner.state.answered(identity.id, repeats.sign(key, asked)) is not None


def _carry_out(table: Table, work: Coroutine[Any, Any, int], answer: Answer) -> None:
    async def carry_out() -> None:
        try:
            outcome: int | Exception = await work
        except Exception as refusal:
            outcome = refusal
        tell(answer, outcome)

    table.premises.spawn(carry_out())


_SUBMIT: dict[type[Any], Callable[[Table, Identity, Any, str | None, Answer], None]] = {
    SitCommand: _sit,
    WaitCommand: _wait,
    WithdrawCommand: _withdraw,
    LeaveCommand: _leave,
    StartCommand: _start,
    ChatCommand: _chat,
    HostCommand: _host,
}
