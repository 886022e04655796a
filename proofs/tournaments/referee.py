"""Holds a finished hold'em tournament against the rules, from its log and those of its tables alone.

- chips: every chip that was given out is at a table, on the way to another, or with the winner; each move brings to the
  new table what was taken from the old one, once;
- seats: everybody sits where the tournament says, and whoever has chips is dealt in;
- moves: who is moved to balance is the next big blind, and does not get the small blind; nobody pays two big blinds in
  a row for it;
- balance: no table deals twice while it has two players more than another, and none that is to break deals twice;
- hand for hand: all tables deal together;
- places: by the order in which people went out, in one hand by their stacks before it;
- prizes: they sum to what was paid in, never rise down the places, and equal places get equal parts;
- blinds: every hand is played at the level of its time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from proofs.tournaments.settlement import settle
from proofs.tournaments.story import Event, Hand, Seated, Story, Told, require

TOURNAMENT = ""
"""The code under which the log of the tournament itself is merged with those of its tables: it comes first."""


class Referee:
    """Follows all logs at once, in the order of their times."""

    def __init__(self, log: Sequence[Event], tables: Mapping[str, Sequence[Event]], timely: bool = True) -> None:
        """`timely`: times tell the order in which things happened at different tables. They do where the clock of the
        run moves with every look at it, and do not where a machine is killed and goes on."""
        self.log = log
        self.story = Story(tables)
        self.timely = timely
        self.counts: Counter[str] = Counter()
        self.settings: Mapping[str, Any] = {}
        self.entries: dict[int, str] = {}
        """Entry → player."""
        self.numbers: dict[str, int] = {}
        self.codes: dict[int, str] = {}
        self.tables: dict[str, int] = {}
        """Code → number of a table."""
        self.where: dict[str, int] = {}
        """Player → the table at which the tournament wants them."""
        self.seats: dict[str, int] = {}
        self.path: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """Player → when and to which table they were sent."""
        self.begun = False
        self.ordered: dict[int, int] = {}
        """Table → when it was last told to deal."""
        self.due: set[int] = set()
        """Tables that were told to deal, and have not yet."""
        self.assigned: dict[str, int] = {}
        """Player → when they were given their seat."""
        self.busted: set[str] = set()
        self.asked: set[str] = set()
        """Of those without chips, who may buy new ones: they are not out as long as they are asked."""
        self.removed: set[str] = set()
        self.level = 0
        self.levels: list[tuple[int, int]] = []
        self.unbalanced: dict[int, int] = {}
        """Table → hands that it has dealt while it was out of balance, or due to break."""
        self.moves: dict[str, Event] = {}
        """Player → the balancing move whose first hand is still to come."""
        self.last: dict[str, Hand] = {}
        self.synchronous = False
        self.rounds: list[dict[str, Hand | None]] = []
        """Hand for hand: the hands that were dealt together."""
        self.outs: list[tuple[int, str, int, object, tuple[int, int]]] = []
        """When, who, with which stack before, what makes it the same hand, and table and number of the hand."""
        self.reported: dict[tuple[int, int], int] = {}
        """Table and number of a hand → when the tournament learned of it."""
        self.gone: dict[str, tuple[int, bool]] = {}
        """Who is out → since which event, and whether they were asked to buy new chips before."""
        self.changes: Counter[str] = Counter()
        """Player → chips that the tournament gave beside the first stack, or took."""
        self.money: Counter[str] = Counter()
        self.bounties: Counter[int] = Counter()
        self.finished: Event | None = None
        self._read = 0
        """Events of the tournament's own log that were followed."""

    def check(self) -> Counter[str]:
        """Raise `Fault` where a rule is broken; what there was to see."""
        numbers = [event["seq"] for event in self.log]
        require(numbers == list(range(1, len(numbers) + 1)), "the tournament has a gap in its numbers")
        for told in self.story.read(self._until):
            self._table(told)
        self._until(None)
        require(self.finished is not None, "the tournament has not finished")
        settle(self)
        return self.counts

    # What the tournament says

    def _until(self, at: int | None) -> None:
        """Follow the log of the tournament up to a time, or to its end."""
        while self._read < len(self.log) and (at is None or self.log[self._read]["at"] <= at):
            self._tournament(self.log[self._read])
            self._read += 1

    def _tournament(self, event: Event) -> None:
        kind = event["type"]
        self.counts[kind] += 1
        match kind:
            case "created":
                settings = event["settings"]
                self.settings = settings.get("chosen", settings)
            case "entered":
                self.entries[event["entry"]] = event["player"]
                self.numbers[event["player"]] = event["entry"]
                if event.get("late"):
                    self._paid("entries", self.settings["buy_in"])
            case "reentered":
                player = self.entries[event["entry"]]
                self.busted.discard(player)
                del self.gone[player]
                self.changes[player] += self.settings["stack"]
                self._paid("reentries", self.settings["buy_in"])
            case "withdrawn" if not self.begun:
                del self.entries[event["entry"]]
            case "began":
                self.begun = True
                require(event["entries"] == len(self.entries), event["entries"], "start of", len(self.entries))
                for _ in self.entries:
                    self._paid("entries", self.settings["buy_in"])
            case "removed":
                self.removed.add(self.entries[event["entry"]])
            case "tables_named":
                for table, _, code in event["tables"]:
                    self.codes[table], self.tables[code] = code, table
            case "seat_given" | "moved":
                self._assigned(event)
            case "seats_given":
                for seat, entry in event["seats"].items():
                    self._sit(self.entries[entry], event["table"], int(seat), event["at"])
            case "round_ordered":
                for table in event["tables"]:
                    self.ordered[table] = event["at"]
                    self.due.add(table)
                    self._is_balanced(table)
            case "hand_reported":
                self.reported[event["table"], event["round"]] = event["at"]
            case "round_held":
                self.due.discard(event["table"])
            case "level_began":
                self.level = event["level"]
                self.levels.append((event["at"], event["level"]))
            case "rebuy_offered":
                self.asked.add(self.entries[event["entry"]])
            case "rebought":
                self.asked.discard(self.entries[event["entry"]])
                self.busted.discard(self.entries[event["entry"]])
                self._paid("rebuys", event["price"])
                self.changes[self.entries[event["entry"]]] += event["chips"]
            case "added_on":
                self._paid("add-ons", event["price"])
                self.changes[self.entries[event["entry"]]] += event["chips"]
            case "raced":
                for entry, chips in event.get("changes", {}).items():
                    self.changes[self.entries[int(entry)]] += chips
            case "hand_for_hand":
                self.synchronous = event["on"]
                self.rounds = [{code: table.hand or self.last.get(code) for code, table in self._begun()}]
                unknown = [one for one in self.outs if one[4] not in self.reported]
                self.outs = [one for one in self.outs if one[4] in self.reported]
                self.outs += [(*one[:3], self.rounds[0], one[4]) for one in unknown]
            case "eliminated":
                player = self.entries[event["entry"]]
                self.gone[player] = (event["seq"], player in self.asked)
                self.asked.discard(player)
                for winner, amount in event.get("bounties", {}).items():
                    self.bounties[int(winner)] += amount
            case "finished":
                self.finished = event

    def _begun(self) -> list[tuple[str, Seated]]:
        """Tables that have begun every hand they were told to. What the tournament does not know the end of when hand
        for hand begins counts as dealt together: hands under way, just over, and about to begin."""
        tables = self.story.tables
        return [
            (code, tables[code]) for code, number in self.tables.items() if code in tables and number not in self.due
        ]

    def _paid(self, what: str, price: int) -> None:
        self.money["paid"] += price
        self.money[what] += 1

    def _assigned(self, event: Event) -> None:
        player = self.entries[event["entry"]]
        if event["type"] == "moved" and event.get("why", "balance") == "balance" and player not in self.busted:
            self._balancing(player, event["source"])
            self.moves[player] = event
            self.counts["balancing moves"] += 1
        self._sit(player, event["table"], event["seat"], event["at"])

    def _sit(self, player: str, table: int, seat: int, at: int) -> None:
        self.where[player] = table
        self.seats[player] = seat
        self.path[player].append((at, table))
        self.assigned[player] = at

    def _balancing(self, player: str, source: int) -> None:
        """TDA 11-A: whoever would be the next big blind is moved."""
        table = self.story.tables.get(self.codes.get(source, ""))
        if not self.timely or table is None or not table.hands:
            return
        require(table.hand is None, player, "is moved from", source, "during a hand")
        here = [one for one, where in self.where.items() if where == source and one not in self.busted | self.removed]
        first = min(here, key=lambda one: (self.seats[one] - table.last_big - 1) % table.seats)
        require(first == player, player, "is moved, but", first, "is the next big blind")
        require(self.last[table.code].paid_big != player, player, "has just paid the big blind and is moved")

    # What happens at tables

    def _table(self, told: Told) -> None:
        match told.event["type"]:
            case "hand_started":
                assert told.hand is not None
                self.counts["hands"] += 1
                self._dealt(told, told.hand)
            case "hand_ended":
                assert told.hand is not None
                self._ended(told.hand)
            case "stack_corrected":
                assert told.table.players
                self.busted.discard(told.table.players[told.event["seat"]])
            case "seated":
                self.busted.discard(told.event["player"])

    def _dealt(self, told: Told, hand: Hand) -> None:
        code = told.code
        number = self.tables[code]
        require(number in self.due, code, "deals, and nobody said so")
        self.due.discard(number)
        broke = [one for one in self.busted - set(self.gone) - self.removed if self.where.get(one) == number]
        require(not broke, broke, "have no chips, are not out, and their table deals")
        self._everybody_is_there(told, hand)
        self._level_is_right(hand)
        self._first_hand_after_a_move(hand)
        if len(hand.stacks) == 2:
            require(hand.button == hand.small, code, "plays heads-up and the button is not the small blind")
        if self.synchronous and self.timely:
            self._deals_together(code, hand)

    def _everybody_is_there(self, told: Told, hand: Hand) -> None:
        """Everybody whom the tournament wanted here before it let the table deal sits here and is dealt in, but those
        who have just come, and sit between the button and the small blind."""
        number = self.tables[told.code]
        ordered = self.ordered[number]
        wanted = {
            player
            for player, where in self.where.items()
            if where == number and player not in self.busted | self.removed and self.assigned[player] <= ordered
        }
        sitting = set(told.table.players.values())
        require(wanted <= sitting, told.code, "deals without", wanted - sitting)
        strangers = {who for who in sitting if self.where.get(who) != number}
        require(not self.timely or not strangers & set(hand.stacks), told.code, "deals in", strangers)
        for player in wanted - set(hand.stacks):
            stay = next(one for one in told.table.stays.values() if one.player == player)
            before = self.last.get(told.code)
            require(
                before is not None and stay.since >= before.began, player, "sits at", told.code, "and gets no cards"
            )
            self.counts["waited for the button"] += 1

    def _level_is_right(self, hand: Hand) -> None:
        ordered = self.ordered[self.tables[hand.table]]
        possible = {level for at, level in self.levels if ordered <= at <= hand.began}
        possible |= {max((one for one in self.levels if one[0] <= ordered), default=(0, 1))[1]}
        blinds = [tuple(self.settings["levels"][level - 1][1:3]) for level in possible]
        require(hand.blinds in blinds, hand.table, "plays", hand.blinds, "at level", possible)

    def _first_hand_after_a_move(self, hand: Hand) -> None:
        for player in hand.stacks:
            move = self.moves.pop(player, None)
            if move is None or self.codes.get(move["table"]) != hand.table:  # sent on, perhaps before it had a name
                continue
            old = self.last.get(self.codes.get(move["source"], ""))
            if len(hand.stacks) > 2 and hand.number > 1:  # the button of a new table is drawn
                require(hand.small != player, player, "was moved to balance and is the small blind")
            require(old is None or hand.big != player or old.paid_big != player, player, "pays two big blinds in a row")
            self.counts["big blind at once" if hand.big == player else "later big blind"] += 1

    def _sizes(self) -> Counter[int]:
        sizes: Counter[int] = Counter()
        for player, table in self.where.items():
            if player not in self.gone and player not in self.removed:
                sizes[table] += 1
        return sizes

    def _is_balanced(self, table: int) -> None:
        """Nobody stays out of balance, or at a table that is to break, for longer than a hand. What is known when the
        next hand is ordered counts."""
        sizes = self._sizes()
        seats = self.settings["seats"]
        due = len(sizes) > 1 and sum(sizes.values()) <= seats * (len(sizes) - 1)
        least, most = min(sizes.values()), max(sizes.values())
        late = sizes[table] == least if due else sizes[table] == most >= least + 2
        self.unbalanced[table] = self.unbalanced.get(table, 0) + 1 if late else 0
        self.counts["hands out of balance"] += late
        words = "is to break" if due else "has two players too many"
        require(self.unbalanced[table] < 2, "table", table, words, "and deals again:", dict(sizes))

    def _deals_together(self, code: str, hand: Hand) -> None:
        """A table deals when all hands of the round before are over, and once in each round."""
        if self.rounds and code not in self.rounds[-1]:
            self.rounds[-1][code] = hand
            return
        open_hands = [other for other, table in self.story.tables.items() if table.hand is not None and other != code]
        require(not open_hands, code, "deals hand for hand while", open_hands, "play")
        self.rounds.append({code: hand})
        self.counts["rounds hand for hand"] += 1

    def _ended(self, hand: Hand) -> None:
        self.last[hand.table] = hand
        together: object = hand
        if self.synchronous and self.rounds and self.rounds[-1].get(hand.table) is hand:
            together = self.rounds[-1]
        for player in hand.out:
            self.busted.add(player)
            assert hand.ended is not None
            number = self.tables[hand.table], hand.number
            self.outs.append((hand.ended, player, hand.stacks[player], together, number))
        if len(hand.out) > 1:
            self.counts["several out in one hand"] += 1
