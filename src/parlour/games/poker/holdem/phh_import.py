"""Hands of other programs, read from PHH: each is played again at a table of its own, so that it is told as ours are.

The file decides what was done, the rules decide what comes of it. A file may come from anybody, so everything in it is
checked before it is used: sizes, numbers, cards, whose turn it is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from typing import Any

import msgspec

from parlour._core import rank_hand
from parlour.games.cards import FULL_DECK, SHORT_DECK, parse_cards
from parlour.games.contract import Event, Game, Illegal, Millis, Round, Seat, World
from parlour.games.poker.holdem import actions, events
from parlour.games.poker.holdem.dealing import open_hand, posted
from parlour.games.poker.holdem.endings import end_betting
from parlour.games.poker.holdem.history import LIMITS, VARIANTS
from parlour.games.poker.holdem.play import next_street
from parlour.games.poker.holdem.settings import DECK_SIZE, HOLE_CARDS, MAX_CHIPS, Settings
from parlour.games.poker.holdem.state import HoldemState, texts

MOST_HANDS = 200
MOST_ACTIONS = 500
GUESSES = 300
"""How many holdings are tried for a hand that is not in the file, to find a poor one."""
CENTS = 100
"""What fractions of a chip are multiplied by: a chip is a whole number here."""

_CODES = {
    limit_code + variant_code: (limit, variant)
    for limit, limit_code in LIMITS.items()
    for variant, variant_code in VARIANTS.items()
}


class _NoChance:
    """Nothing is left to chance: the cards are in the file."""

    def shuffle(self, n: int) -> Sequence[int]:
        raise Illegal("bad_hand", "the file has more hands than it says")


def read(game: Game[Settings, HoldemState], text: str) -> list[Round]:
    """The hands of a PHH or PHHS file. `Illegal` where one cannot be read, with what is wrong."""
    import tomllib

    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise Illegal("bad_toml", f"this is not a PHH file: {error}"[:200]) from None
    hands = [found] if "variant" in found else list(found.values())
    if not hands or not all(isinstance(hand, dict) for hand in hands):
        raise Illegal("bad_hand", "there is no hand in this file: a hand has a field `variant`")
    if len(hands) > MOST_HANDS:
        raise Illegal("too_many_hands", f"this file has {len(hands)} hands, and at most {MOST_HANDS} are read at once")
    rounds = []
    for number, hand in enumerate(hands, 1):
        try:
            rounds.append(_File(hand).play(game, number))
        except (Illegal, ValueError) as refusal:
            code = refusal.code if isinstance(refusal, Illegal) else "bad_hand"
            raise Illegal(code, f"hand {number}: {refusal}"[:300]) from None
    return rounds


class _File:
    """One hand of a file, checked field by field."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        code = self._text("variant")
        if code not in _CODES:
            raise Illegal("unknown_game", f"the game {code[:12]!r} is not played here")
        self.limit, self.variant = _CODES[code]
        self.actions = self._actions()
        self._scale = 1 if self._whole() else CENTS
        self.stacks = self._chips("starting_stacks", least=1)
        self.count = len(self.stacks)
        if not 2 <= self.count <= 10:
            raise Illegal("bad_hand", f"{self.count} players are too many or too few")
        self.antes = self._chips("antes", size=self.count)
        self.blinds = self._chips("blinds_or_straddles", size=self.count, least=-MAX_CHIPS)
        if self.count == 2:  # the format names the button's blind first, though the button is the second player
            self.antes.reverse()
            self.blinds.reverse()
        if self.count * HOLE_CARDS[self.variant] + 5 > DECK_SIZE[self.variant]:
            raise Illegal("bad_hand", f"{self.count} players are too many for the deck of this game")
        self.seats = self._seats()
        self.hole: dict[int, list[str]] = {}
        self.board: list[str] = []
        self._find_cards()

    def _whole(self) -> bool:
        """Whether all chips are whole, those of pots that were split down to cents as well."""
        numbers = []
        names = ("starting_stacks", "antes", "blinds_or_straddles", "min_bet", "small_bet", "big_bet")
        for name in (*names, "finishing_stacks"):
            value = self._fields.get(name, 0)
            numbers += value if isinstance(value, list) else [value]
        amounts = [words[2] for words in self.actions if len(words) > 2 and words[1] == "cbr"]
        return all(isinstance(number, int) or number == int(number) for number in numbers if _finite(number)) and all(
            amount.isdecimal() or amount.endswith(".0") for amount in amounts
        )

    def _amount(self, value: Any, what: str, least: int = 0) -> int:
        if isinstance(value, bool) or not _finite(value):
            raise Illegal("bad_hand", f"{what} is not a number of chips")
        chips: int = round(value * self._scale)
        if abs(chips - value * self._scale) > 1e-6 or not least <= chips <= MAX_CHIPS:
            raise Illegal("bad_hand", f"{what} is not a possible number of chips")
        return chips

    def _chips(self, name: str, size: int | None = None, least: int = 0) -> list[int]:
        values = self._fields.get(name)
        if not isinstance(values, list) or len(values) > 10 or (size is not None and len(values) != size):
            raise Illegal("bad_hand", f"`{name}` is not a list with a number for each player")
        return [self._amount(value, f"a number in `{name}`", least) for value in values]

    def _text(self, name: str) -> str:
        value = self._fields.get(name)
        if not isinstance(value, str):
            raise Illegal("bad_hand", f"`{name}` is missing")
        return value

    def _seats(self) -> list[Seat]:
        seats = self._fields.get("seats")
        if seats is None:
            return list(range(self.count))
        fits = isinstance(seats, list) and len(seats) == self.count == len({str(seat) for seat in seats})
        if not fits or not all(type(seat) is int and 1 <= seat <= 10 for seat in seats):
            return list(range(self.count))  # a bigger table than ours: the order is what matters
        return [seat - 1 for seat in seats]

    def _actions(self) -> list[list[str]]:
        found = self._fields.get("actions")
        if not isinstance(found, list) or len(found) > MOST_ACTIONS:
            raise Illegal("bad_hand", f"`actions` is not a list of at most {MOST_ACTIONS}")
        words = []
        for action in found:
            if not isinstance(action, str) or len(action) > 200:
                raise Illegal("bad_hand", "an action is not a line of text")
            words.append(action.partition("#")[0].split())
        return [action for action in words if action]

    def _find_cards(self) -> None:
        """The cards that are in the file, wherever it tells them."""
        for words in self.actions:
            match words:
                case ["d", "dh", player, cards] | [player, "sm", cards] if cards != "-":
                    place = self._place(player)
                    known = [cards[i : i + 2] for i in range(0, len(cards), 2)]
                    if "??" not in known:
                        self.hole[place] = texts(parse_cards(cards))
                case ["d", "db", cards]:
                    self.board += texts(parse_cards(cards))
        size = HOLE_CARDS[self.variant]
        if any(len(cards) != size for cards in self.hole.values()):
            raise Illegal("bad_hand", f"a hand does not have {size} cards")
        if len(self.board) > 5:
            raise Illegal("several_boards", "a hand with several boards is not read")
        parse_cards([*self.board, *(card for cards in self.hole.values() for card in cards)])  # no card twice

    def _place(self, player: str) -> int:
        if (
            player[:1] != "p"
            or not player[1:].isdecimal()
            or not 1 <= int(player[1:3]) <= self.count
            or len(player) > 3
        ):
            raise Illegal("bad_hand", f"there is no player {player[:12]!r}")
        return int(player[1:]) - 1

    # Playing it again

    def play(self, game: Game[Settings, HoldemState], number: int) -> Round:
        opening = self._opening(number)
        settings = msgspec.convert({"seats": 10, "variant": self.variant, "limit": self.limit}, Settings)
        state, at = game.setup(settings), self._moment()
        told: list[Event] = [opening, *posted(opening)]
        for seat, chips in opening.stacks.items():
            game.apply(state, events.BoughtIn(seat=seat, chips=chips), at)
        deck = self._deck(opening)
        hand = open_hand(opening, deck)
        opening = told[0] = msgspec.structs.replace(
            opening, to_act=None if hand.actor is None else self.seats[hand.actor]
        )
        told += [events.Dealt(self.seats[place], cards) for place, cards in sorted(self.hole.items())]
        if hand.done:  # the posts put everybody all-in
            end_betting(told, hand, opening, 0, (), World(at, _NoChance()))
        elif opening.bomb and opening.to_act is not None:
            told += next_street(hand, 0, opening.to_act, 0)
        for event in [opening, events.DeckShuffled(deck), *told[1:]]:
            game.apply(state, event, at)
        self._act_on(game, state, told, at)
        self._check(told)
        names = dict(zip(self.seats, self._names(), strict=True))
        table = self._fields.get("table")
        shown = {"name": table[:40] if isinstance(table, str) else "", **msgspec.to_builtins(settings)}
        return Round(opening.hand, shown, names, [(at, event) for event in self._honest(told)])

    def _opening(self, number: int) -> events.HandStarted:
        small, big = (1, 0) if self.count == 2 else (0, 1)
        button_blind = self.blinds[-1] > 0 and not any(blind > 0 for blind in self.blinds[:-1])
        if button_blind:
            small = big = self.count - 1
        fixed = self.limit == "fixed-limit"
        least = self._amount(self._fields.get("small_bet" if fixed else "min_bet", 0), "the least bet", 1)
        blinds = self._fields.get("_blinds")
        if isinstance(blinds, list) and len(blinds) == 2:
            low, high = self._amount(blinds[0], "a blind"), self._amount(blinds[1], "a blind", 1)
        else:
            low, high = abs(self.blinds[small]), least
        dead_small = self.count > 2 and not button_blind and self.blinds[0] == high != self.blinds[1]
        if dead_small:
            big = 0
        straddles = [place for place, blind in enumerate(self.blinds) if blind > 0 and place not in (small, big)]
        if len(straddles) > 1 or (straddles and self.blinds[straddles[0]] <= high):
            raise Illegal("straddle", "a hand with such straddles is not read")
        straddler = straddles[0] if straddles else None
        bomb = 0 if any(self.blinds) else self.antes[0]
        each = len(set(self.antes)) == 1
        for_all = 0 if each or any(self.antes[:big] + self.antes[big + 1 :]) else self.antes[big]
        dead = [0 if each or for_all else min(paid) for paid in zip(self.antes, self.stacks, strict=True)]
        number = self._fields.get("hand", number)
        cap = self._fields.get("_bets_per_round", 4)
        return events.HandStarted(
            hand=number if type(number) is int and 0 < number < 10**9 else 1,
            button=self.seats[-1],
            small_blind=next(seat for seat in range(11) if seat not in self.seats) if dead_small else self.seats[small],
            big_blind=self.seats[big],
            blinds=(min(low, high), high),
            stacks=dict(zip(self.seats, self.stacks, strict=True)),
            posts=[
                (
                    seat,
                    min(abs(blind), self.stacks[place] - lost) if lost else abs(blind),
                    lost,
                )  # dead chips come first
                for place, (seat, blind, lost) in enumerate(zip(self.seats, self.blinds, dead, strict=True))
                if (blind or lost) and place != straddler
            ],
            ante=self.antes[0] if each and not bomb else for_all,
            ante_type="big_blind" if for_all else "each",
            ante_first=for_all > 0,
            bomb=bomb,
            button_blind=button_blind,
            straddle=0 if straddler is None else self.blinds[straddler],
            straddler=None if straddler is None else self.seats[straddler],
            variant=self.variant,
            limit=self.limit,
            cap=cap if type(cap) is int and 0 <= cap <= 50 else 4,
            half_bet=fixed,
        )

    def _deck(self, opening: events.HandStarted) -> list[int]:
        """The cards in the order of the deal. Where the file does not tell a hand, a poor one takes its place; one that
        is folded may be any."""
        whole = SHORT_DECK if self.variant == "short-deck" else FULL_DECK
        known = {*parse_cards(self.board), *(card for cards in self.hole.values() for card in parse_cards(cards))}
        if not known <= set(whole):
            raise Illegal("bad_hand", "a card is not in the deck of this game")
        free = [int(card) for card in whole if card not in known]
        random.Random(len(free)).shuffle(free)  # noqa: S311 nobody is dealt these cards
        size = HOLE_CARDS[self.variant]
        holes = {place: [int(card) for card in parse_cards(cards)] for place, cards in self.hole.items()}
        board = [int(card) for card in parse_cards(self.board)]
        while len(board) < 5:
            board.append(free.pop())
        folded = {self._place(words[0]) for words in self.actions if words[1:2] == ["f"]}
        for place in range(self.count):
            if place not in holes:
                holes[place] = free[:size] if place in folded else self._poorest(free, size, board)
                free = [card for card in free if card not in holes[place]]
        dealt = [holes[place][i] for i in range(size) for place in range(self.count)]
        return [*dealt, *board, *free]

    def _poorest(self, free: list[int], size: int, board: list[int]) -> list[int]:
        dice = random.Random(size)  # noqa: S311 nobody is dealt these cards
        tries = [dice.sample(free, size) for _ in range(GUESSES)]
        return min(tries, key=lambda cards: rank_hand(cards, board, self.variant))

    def _act_on(self, game: Game[Settings, HoldemState], state: HoldemState, told: list[Event], at: Millis) -> None:
        world = World(at, _NoChance())
        bomb = state.record.opening is not None and state.record.opening.bomb > 0
        flop = next((at for at, words in enumerate(self.actions) if words[:2] == ["d", "db"]), 0)
        for number, words in enumerate(self.actions):
            if words[0] == "d" or words[1:2] == ["sm"]:
                continue
            if bomb and number < flop and words[1:] == ["cc"]:
                continue  # before the flop of a bomb pot only other programs ask anybody
            seat = self.seats[self._place(words[0])]
            action = self._action(game, state, seat, words[1:])
            if action is None:
                continue
            for event in game.decide(state, seat, action, world):
                game.apply(state, event, at)
                told.append(event)
        if state.record.live:
            raise Illegal("unfinished", "the hand does not end in this file")

    def _action(
        self, game: Game[Settings, HoldemState], state: HoldemState, seat: Seat, words: list[str]
    ) -> actions.TurnAction | None:
        """What the words ask for; None for a check that only some programs ask for."""
        due = game.actors(state)
        if seat not in due:
            if words == ["cc"]:
                return None
            raise Illegal("bad_turn", f"seat {seat + 1} acts although it is not its turn")
        legal = game.legal(state, seat) or {}
        match words:
            case ["f"]:
                return actions.Fold()
            case ["cc"]:
                return actions.Check() if "check" in legal["actions"] else actions.Call()
            case ["cbr", amount]:
                try:
                    total = self._amount(float(amount) if "." in amount else int(amount[:20]), "a bet", 1)
                except ValueError:
                    raise Illegal("bad_hand", f"{amount[:12]!r} is not a number of chips") from None
                return actions.Call() if total == legal["bet"] + legal["call"] else actions.Raise(total)
        raise Illegal("bad_hand", f"the action {' '.join(words)[:20]!r} is not known")

    def _check(self, told: list[Event]) -> None:
        board = [card for event in told if isinstance(event, events.StreetDealt) for card in event.cards]
        if board != self.board:
            raise Illegal("bad_board", "the cards on the board are not those of the betting")
        ended = next(event for event in told if isinstance(event, events.HandEnded))
        unknown = {seat for place, seat in enumerate(self.seats) if place not in self.hole}
        if any(len(pot.seats) > 1 and unknown & set(pot.winners) for pot in ended.pots):
            raise Illegal("unknown_winner", "the file does not tell the cards of somebody who may have won")

    def _honest(self, told: list[Event]) -> list[Event]:
        """Nobody shows cards that are not in the file."""
        unknown = {seat for place, seat in enumerate(self.seats) if place not in self.hole}
        return [
            events.Mucked(event.seat) if isinstance(event, events.Shown) and event.seat in unknown else event
            for event in told
        ]

    def _names(self) -> list[str]:
        names = self._fields.get("players")
        if not isinstance(names, list) or len(names) != self.count:
            names = [""] * self.count
        named = [name[:32] if isinstance(name, str) else "" for name in names]
        return [name or f"Player {place}" for place, name in enumerate(named, 1)]

    def _moment(self) -> Millis:
        fields = self._fields
        moment = fields.get("time")
        try:
            day = datetime(fields["year"], fields["month"], fields["day"], tzinfo=UTC)
            hour = moment if isinstance(moment, time) else time()
            return int(datetime.combine(day.date(), hour, UTC).timestamp() * 1000)
        except (KeyError, TypeError, ValueError, OverflowError):
            return 0


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= MAX_CHIPS
