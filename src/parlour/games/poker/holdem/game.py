"""Hold'em on the contract: the engine plays the hand, the table around it is here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from parlour._core import Hand
from parlour.games.contract import (
    Action,
    Deadline,
    Event,
    Facets,
    Figure,
    Game,
    Illegal,
    Millis,
    Round,
    Seat,
    Summary,
    World,
)
from parlour.games.poker.holdem import (
    actions,
    endings,
    events,
    extras,
    history,
    ohh,
    page,
    phh_import,
    play,
    pokerstars,
    statistics,
    summary,
    view,
)
from parlour.games.poker.holdem.blinds import BlindsPlayer
from parlour.games.poker.holdem.dealing import deal, deal_anew, deal_on
from parlour.games.poker.holdem.fold import follow, reschedule
from parlour.games.poker.holdem.placing import directed, placed
from parlour.games.poker.holdem.rotation import CHOICE_TIME, choose
from parlour.games.poker.holdem.run_out import run_out_of
from parlour.games.poker.holdem.settings import MAX_CHIPS, Settings, check
from parlour.games.poker.holdem.state import Departed, HoldemRecord, HoldemState


class _Frozen(msgspec.Struct, array_like=True):
    record: HoldemRecord
    hand: bytes | None


class Holdem(Game[Settings, HoldemState]):
    """A cash game for 2–10 seats: hold'em, Omaha, Omaha hi-lo or short deck, in every limit, alone or in turn."""

    name: ClassVar[str] = "holdem"
    title: ClassVar[str] = "Texas Hold'em"
    settings_type = Settings
    action_types = actions.ACTIONS
    event_types = events.EVENTS
    public_type = page.Public
    private_type = page.Private
    legal_type = page.Choice
    export_formats: ClassVar[Mapping[str, str]] = {
        "phh": "application/toml",
        "ohh": "application/json",
        "txt": "text/plain",
    }
    imports: ClassVar[frozenset[str]] = frozenset({"phh"})
    collections: ClassVar[Mapping[str, str]] = {"phhs": "phh"}
    charted = ("net", "adjusted_net")
    positions = statistics.POSITIONS
    frozen_as = (_Frozen, 3)

    # Setting up

    def check(self, settings: Settings) -> None:
        check(settings)

    def seats(self, settings: Settings) -> tuple[int, int]:
        return 2, settings.seats

    def setup(self, settings: Settings) -> HoldemState:
        return HoldemState(settings, HoldemRecord(players=[None] * settings.seats))

    # People come and go

    def join(self, state: HoldemState, seat: Seat, options: Mapping[str, Any], world: World) -> Sequence[Event]:
        names = {"chips", "moved", "out"} if world.director else {"buy_in", "post"}
        unknown = sorted(set(options) - names)
        if unknown:
            raise Illegal("bad_options", f"there is no option {unknown[0]!r} for a seat")
        if state.settings.freeze_out and state.record.running:
            raise Illegal("freeze_out_running", "a freeze-out takes nobody in after its start")
        if state.record.players[seat] is not None:
            raise Illegal("seat_taken", "a hand is still being played at this seat")
        seated = [player for player in state.record.players if player is not None]
        if world.player is not None and any(player.leaving and player.id == world.player for player in seated):
            raise Illegal("leaving", "your last hand is still being played: sit down again when it is over")
        if world.director:
            return [placed(seat, options, world.player)]
        post = options.get("post", False)
        if type(post) is not bool:
            raise Illegal("bad_options", "post is true or false")
        left = _departed(state, world)
        chips = _buy_in(state.settings, options.get("buy_in"), left)
        bought = events.BoughtIn(seat=seat, chips=chips, post=post, player=world.player)
        if left is not None:
            bought = msgspec.structs.replace(bought, missed_small=left.missed_small, missed_big=left.missed_big)
        return [bought]

    def leave(self, state: HoldemState, seat: Seat, world: World) -> Sequence[Event]:
        if _player(state, seat).leaving:
            raise Illegal("leaving", "the seat is left when the hand is over")
        return play.get_up(state, seat, world)

    def reserved(self, state: HoldemState, seat: Seat) -> bool:
        player = state.record.players[seat]
        return player is not None and player.leaving

    def correct(self, state: HoldemState, seat: Seat, chips: int, reason: str, world: World) -> Sequence[Event]:
        if state.settings.freeze_out and state.record.running:
            raise Illegal("freeze_out_stacks", "in a freeze-out nobody gets or loses chips but by playing")
        if _player(state, seat).leaving:
            raise Illegal("leaving", "that player has left the table")
        stack = state.stack(seat)
        if stack + chips < 0:
            raise Illegal("stack_too_small", f"the stack has only {stack} chips")
        if stack + chips > MAX_CHIPS:
            raise Illegal("stack_too_big", f"a stack has at most {MAX_CHIPS} chips")
        return [events.StackCorrected(seat, chips, reason)]

    def start(self, state: HoldemState, world: World) -> Sequence[Event]:
        if self.status(state) == "playing":
            raise Illegal("game_running", "the game has started already")
        won = state.record.hand > 0 and not state.record.running
        return deal_anew(state, world) if won else deal(state, world)

    # Tournaments

    def directed(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return directed(settings)

    def next_round(self, state: HoldemState, world: World) -> Sequence[Event]:
        record = state.record
        if record.live:
            raise Illegal("game_running", "a hand is being played")
        deadline = None if record.choosing is None else self._own_deadline(record)
        if deadline is not None and world.now < deadline.at:
            raise Illegal("game_not_chosen", "the player with the button has yet to choose the game")
        return deal(state, world)

    # Playing

    def status(self, state: HoldemState) -> str:
        record = state.record
        return "playing" if record.live or record.next_hand_at is not None else "waiting"

    def turn(self, state: HoldemState) -> int:
        return state.record.turn

    def actors(self, state: HoldemState) -> Sequence[Seat]:
        seat = state.actor
        return state.asked() if seat is None else (seat,)

    def legal(self, state: HoldemState, seat: Seat) -> dict[str, Any] | None:
        legal: dict[str, Any] | None = msgspec.to_builtins(view.legal(state, seat))
        return legal

    def options(self, state: HoldemState, seat: Seat) -> Sequence[str]:
        return view.options(state, seat)

    def decide(self, state: HoldemState, seat: Seat, action: Action, world: World) -> Sequence[Event]:
        if type(action) in actions.BETTING:  # to ask whether it is an instance takes four times as long
            bet: Any = action
            happened = play.bet(state, seat, bet, world)
            if not (state.settings.hand_delay or world.hold or type(happened[-1]) is events.Acted):
                happened += deal_on(state, happened, world)
            return happened
        player = _player(state, seat)
        if player.leaving:
            raise Illegal("leaving", "you have left the table")
        match action:
            case actions.SitOut():
                if player.out:
                    raise Illegal("sitting_out", "you are sitting out already")
                return [events.SatOut(seat=seat)]
            case actions.SitIn(post=post):
                if not player.out:
                    raise Illegal("sitting_in", "you are playing already")
                return [events.SatIn(seat=seat, post=post)]
            case actions.Post():
                if not play.may_post(state, seat):
                    raise Illegal("nothing_owed", "there is nothing for you to post")
                return [events.SatIn(seat=seat, post=True)]
            case actions.Rebuy(amount=amount):
                return [_rebuy(state, seat, amount)]
            case actions.Show(cards=cards):
                return endings.show(state, seat, cards)
            case actions.Muck():
                return endings.muck(state, seat)
            case actions.Straddle(on=on):
                return extras.straddle(state, seat, on)
            case actions.Bomb(on=on):
                return extras.bomb(state, seat, on, world)
            case actions.Run(times=times):
                return endings.answer(state, seat, times)
            case actions.Rabbit():
                return endings.rabbit(state, seat)
            case actions.Choose():
                return [choose(state, seat, action)]
        raise Illegal("bad_action", "hold'em has no such action")

    apply = staticmethod(follow)  # as below, without a call in between: it happens for every action

    # Time

    def deadline(self, state: HoldemState) -> Deadline | None:
        record, settings = state.record, state.settings
        seat = state.actor
        if seat is None:
            return self._own_deadline(record)
        player = record.players[seat]
        if player is not None and player.absent:
            return Deadline(record.since, seat)
        if player is None or not settings.action_seconds:
            return None
        return Deadline(record.since + settings.action_time + player.bank, seat, True)

    @staticmethod
    def _own_deadline(record: HoldemRecord) -> Deadline | None:
        """When the table goes on by itself: with the board, or with the next hand."""
        if record.offer is not None:
            return Deadline(at=record.offer_until)
        if record.next_hand_at is None:
            return None
        if record.choosing is not None:
            player = record.players[record.choosing]
            if player is None or not player.there:  # nobody is there to choose
                return Deadline(at=record.next_hand_at - CHOICE_TIME)
        return Deadline(at=record.next_hand_at)

    def expire(self, state: HoldemState, world: World) -> Sequence[Event]:
        deadline = self.deadline(state)
        if deadline is None or world.now < deadline.at:
            return ()
        if state.record.offer is not None:
            return endings.agree(state)
        return deal(state, world) if deadline.seat is None else play.time_out(state, deadline.seat, world)

    def running(self, state: HoldemState) -> bool:
        record = state.record
        levels = record.next_level_at is not None and record.stopped_at is None
        return levels or self.deadline(state) is not None

    def shift(self, state: HoldemState, length: Millis) -> None:
        record = state.record
        record.since += length
        if record.next_hand_at is not None:
            record.next_hand_at += length
        if record.next_level_at is not None:
            record.next_level_at += length
        if record.stopped_at is not None:
            record.stopped_at += length
        if record.offer is not None:
            record.offer_until += length
        for left in record.departed.values():
            left.at += length
        state.written = None

    # What may be seen

    def public(self, state: HoldemState) -> dict[str, Any]:
        page: dict[str, Any] = msgspec.to_builtins(view.public(state))
        return page

    def private(self, state: HoldemState, seat: Seat) -> dict[str, Any] | None:
        private: dict[str, Any] | None = msgspec.to_builtins(view.private(state, seat))
        return private

    public_json = staticmethod(view.public_json)
    own_json = staticmethod(view.own_json)

    # The record

    def round(self, state: HoldemState) -> int:
        return state.record.hand

    def tally(self, played: Round) -> Mapping[Seat, Mapping[str, int]]:
        return statistics.tally(played)

    def facets(self, played: Round) -> Facets:
        return statistics.facets(played)

    def figures(self, counts: Mapping[str, int]) -> Mapping[str, Figure]:
        return statistics.figures(counts)

    def details(self, played: Round) -> Mapping[str, Any]:
        return {"run_out": run_out_of(played)}

    def summary(self, played: Round) -> Summary:
        return summary.summary(played)

    def stakes(self, event: Event) -> tuple[Seat, int] | None:
        if type(event) is events.CashedOut:
            return event.seat, -event.chips
        if type(event) is events.BoughtIn or type(event) is events.StackCorrected:
            return event.seat, event.chips
        return None

    def export(self, suffix: str, played: Round) -> str:
        write = _NOTATIONS.get(suffix)
        return super().export(suffix, played) if write is None else write(played)

    def read(self, suffix: str, text: str) -> Sequence[Round]:
        return phh_import.read(self, text) if suffix in self.imports else super().read(suffix, text)

    def collect(self, suffix: str, number: int, text: str) -> str:
        return f"[{number}]\n{text}\n" if suffix == "phhs" else text if suffix == "txt" else text + "\n"

    # Snapshots

    def freeze(self, state: HoldemState) -> bytes:
        hand = None if state.hand is None else state.hand.to_bytes()
        return msgspec.msgpack.encode(_Frozen(state.record, hand))

    def thaw(self, settings: Settings, frozen: bytes) -> HoldemState:
        kept = msgspec.msgpack.decode(frozen, type=_Frozen)
        players = kept.record.players
        if any(players[settings.seats :]):
            raise Illegal("seats_taken", "somebody sits at a seat that would go")
        kept.record.players = players[: settings.seats] + [None] * (settings.seats - len(players))
        state = HoldemState(settings, kept.record, None if kept.hand is None else Hand.from_bytes(kept.hand))
        reschedule(state)
        return state


_NOTATIONS: Mapping[str, Callable[[Round], str]] = {
    "phh": history.phh,
    "ohh": ohh.ohh,
    "txt": pokerstars.pokerstars,
}


def _player(state: HoldemState, seat: Seat) -> BlindsPlayer:
    player = state.record.players[seat]
    if player is None:
        raise Illegal("not_seated", "nobody sits at this seat")
    return player


def _departed(state: HoldemState, world: World) -> Departed | None:
    """What is known of somebody who returns in time."""
    left = None if world.player is None else state.record.departed.get(world.player)
    return left if left is not None and state.settings.binds(left.at, world.now) else None


def _buy_in(settings: Settings, wanted: Any, left: Departed | None) -> int:
    """The chips to sit down with: as the host has set, but no fewer than one who returns left with.

    Where nobody buys more chips they are no more either: to leave and return is no rebuy.
    """
    before = 0 if left is None else left.chips
    if left is not None and not settings.rebuy and (before == 0 or (type(wanted) is int and wanted > before)):
        raise Illegal("no_rebuy", f"you left with {before} chips, and at this table nobody buys more")
    least, most = settings.buy_in_range(None if left is None else before)
    if wanted is None:
        return min(max(settings.buy_in, least), most)
    if type(wanted) is int and settings.min_buy_in <= wanted < before:
        raise Illegal("short_return", f"you left with {before} chips, so you return with at least {before}")
    if type(wanted) is not int or not least <= wanted <= most:
        raise Illegal("bad_buy_in", f"the buy-in is from {least} to {most} chips")
    return wanted


def _rebuy(state: HoldemState, seat: Seat, amount: int | None) -> events.BoughtIn:
    settings = state.settings
    if not settings.rebuy:
        raise Illegal("no_rebuy", "at this table nobody buys more chips")
    if not view.may_rebuy(state, seat):
        raise Illegal("cannot_rebuy", "wait for the end of the hand, or you have as many chips as anyone may buy")
    stack = state.stack(seat)
    if amount is None:
        amount = max(settings.buy_in - stack, 1)
    if amount < 1 or stack + amount < settings.min_buy_in or stack + amount > settings.max_buy_in:
        least, most = max(1, settings.min_buy_in - stack), settings.max_buy_in - stack
        raise Illegal("bad_buy_in", f"you may buy from {least} to {most} chips")
    return events.BoughtIn(seat=seat, chips=amount, rebuy=True)
