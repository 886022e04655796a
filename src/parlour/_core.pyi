"""The types of the native core: cards and hold'em."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

# --- cards and evaluation ---------------------------------------------------------------------------------------------

_Card: TypeAlias = str | SupportsIndex | tuple[str | int, str]
_Cards: TypeAlias = str | Sequence[_Card]
_Five: TypeAlias = tuple[int, int, int, int, int]

def rank(cards: _Cards, /) -> int: ...
def parse_cards(cards: _Cards) -> list[int]: ...
def evaluate(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_short_deck(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_low(cards: _Cards) -> tuple[int, _Five]: ...
def evaluate_omaha(hole: _Cards, board: _Cards, low: bool = False) -> tuple[int, _Five]: ...
def hand_name(cards: _Cards) -> str:
    """The words for five cards that stand in the order in which one reads them."""

def hand_code(cards: _Cards) -> str:
    """The same for programs: the category and the ranks that the words name, such as two_pair:AKQ."""

def evaluate_many(hands: NDArray[np.uint8], ranks: NDArray[np.uint16], threads: int = 0, kernel: str = "") -> None: ...
def bulk_kernels() -> list[str]: ...
def count_all_seven_card_hands() -> list[int]: ...

# --- hands and pots ---------------------------------------------------------------------------------------------------

_Variant: TypeAlias = Literal["holdem", "omaha", "omaha5", "omaha6", "short-deck", "omaha-hilo", "omaha5-hilo"]
_Limit: TypeAlias = Literal["no-limit", "pot-limit", "fixed-limit"]
_Kind: TypeAlias = Literal["fold", "check", "call", "raise", "bet", "allin"]
_Side: TypeAlias = Literal["high", "low"]
_Part: TypeAlias = tuple[int, _Side, int, list[int], list[int]]

class Pot:
    """Chips that some seats contest; winners and shares are empty while the hand runs."""

    @property
    def amount(self) -> int: ...
    @property
    def contestants(self) -> list[int]: ...
    @property
    def winners(self) -> list[int]: ...
    @property
    def shares(self) -> list[int]:
        """What each of the winners gets, in their order."""
    @property
    def parts(self) -> list[_Part]:
        """(board, high or low, amount, winners, shares): what the best hands on each board get of the pot."""

class Legal:
    """What the seat to act may do. Raises are totals on this street; 0 means that no raise is allowed."""

    @property
    def fold(self) -> bool: ...
    @property
    def check(self) -> bool: ...
    @property
    def call(self) -> int:
        """Chips to add; 0 where there is nothing to call."""
    @property
    def min_raise_to(self) -> int: ...
    @property
    def max_raise_to(self) -> int: ...

class Hand:
    """One hand for 2–10 seats, from the posts to the payouts.

    `button` is the last seat by default, so that seat 0 posts the small blind; heads-up the button posts it. `deck` is
    in dealing order (hole cards one at a time from the left of the button, then the board); None is a fresh shuffle.
    `posts` lists (seat, live, dead) in place of the blinds by position. `cap` is the number of bets and raises in a
    round of fixed limit with three players or more, the big blind counted; 0 is none. With `half_bet`, an all-in of
    half a bet or more counts as a bet there, and a smaller one can be completed. With `ante_first`, a big blind who is
    short pays the big-blind ante before the blind.

    The straddle is posted by the seat left of the big blind, or by `straddle_seat`, which is not that of a blind; there
    must be three seats or more, and the seat must have the chips. With `button_blind` the button posts the big blind
    and nobody a small one. `bomb` is an ante that everybody pays in place of blinds and of the betting before the flop.
    With two `boards` each has half of every pot; the deck has five cards for each, one board after the other. With
    `runs` of 2 or 3 a hand in which nobody can bet any more waits for `run`. `seven_deuce` is the bounty of the 7-2
    game.
    """

    def __init__(
        self,
        stacks: Iterable[int],
        *,
        blinds: tuple[int, int] = (1, 2),
        ante: int = 0,
        big_blind_ante: int = 0,
        straddle: int = 0,
        button: int | None = None,
        variant: _Variant | str = "holdem",
        limit: _Limit | str = "no-limit",
        deck: _Cards | None = None,
        posts: Iterable[tuple[int, int, int]] | None = None,
        big_blind_seat: int | None = None,
        cap: int = 4,
        half_bet: bool = True,
        ante_first: bool = False,
        straddle_seat: int | None = None,
        button_blind: bool = False,
        bomb: int = 0,
        boards: int = 1,
        runs: int = 1,
        seven_deuce: int = 0,
    ) -> None: ...
    @property
    def seats(self) -> int: ...
    @property
    def button(self) -> int: ...
    @property
    def variant(self) -> _Variant: ...
    @property
    def limit(self) -> _Limit: ...
    @property
    def actor(self) -> int | None: ...
    @property
    def done(self) -> bool: ...
    @property
    def street(self) -> int:
        """0 preflop, 1 flop, 2 turn, 3 river."""
    @property
    def board(self) -> list[int]:
        """The first board, as far as it lies."""
    @property
    def boards(self) -> list[list[int]]:
        """All boards: two where the rules have two, one for each run once the rest was run several times."""
    def rabbit(self) -> list[list[int]]:
        """For each board the cards that would have come, had the hand not ended before."""
    @property
    def awaits_runs(self) -> bool:
        """Whether nobody can bet any more, and the hand waits to be told how often to deal the rest of the board."""
    @property
    def most_runs(self) -> int:
        """How often that can be, as far as the rules and the cards allow; 1 where nothing is waited for."""
    def run(self, times: int) -> None:
        """Deal the rest of the board so many times and end the hand: each run has an equal part of every pot."""
    @property
    def bounty(self) -> tuple[int, list[int]] | None:
        """Who has won the 7-2 bounty, and what each seat pays for it out of the stack that the pots leave it.

        It is won by whoever takes the whole main pot alone with a seven and a deuce: at a showdown at once, else with
        `claim_bounty`.
        """
    @property
    def unclaimed_bounty(self) -> int | None:
        """Who has won with 7-2 without a showdown and may claim the bounty: this tells hidden cards."""
    def claim_bounty(self) -> None:
        """The winner shows 7-2; ValueError where there is nothing to claim."""
    def hole(self, seat: int) -> list[int]: ...
    @property
    def starting(self) -> list[int]:
        """The stacks before the posts."""
    @property
    def stacks(self) -> list[int]:
        """The chips behind; at the end with the payouts and the bounty."""
    @property
    def bets(self) -> list[int]:
        """Live chips on this street."""
    @property
    def contributed(self) -> list[int]:
        """Chips put in over the whole hand, without an uncalled bet that went back."""
    @property
    def folded(self) -> list[bool]: ...
    @property
    def all_in(self) -> list[bool]: ...
    def standing(self, seat: int) -> tuple[int, int, int, int, bool]:
        """Of one seat: stack, bet, chips contributed, number of cards held (none once folded), whether all-in."""
    @property
    def pot(self) -> int:
        """Chips in the middle, current bets included; at the end, all that was paid out."""
    def legal(self) -> Legal | None: ...
    def all_in_to(self) -> int:
        """The total on this street that going all-in comes to for the seat to act: a bet, a raise, or a call where no
        raise is allowed. 0 where the limit or the betting does not allow it, and where the hand is over."""
    def sizes(self) -> list[tuple[Literal["big_blind", "bet", "pot", "limit", "all_in"], int, int]]:
        """Bets or raises that make sense for the seat to act: of what, how many percent, and the total on this street.

        All are legal, each total comes once, ascending. Before the flop, while nobody has raised, they count in blinds
        (`big_blind`), and a blind more for each caller; facing a bet in multiples of it (`bet`); else in parts of the
        `pot` after calling. `limit` is the one size of fixed limit, `all_in` every chip.
        """
    def to_call(self, seat: int) -> int:
        """The chips that the seat would have to add to go on as the bets lie, whoever's turn it is."""
    def act(self, kind: _Kind | str | int, amount: int = 0) -> None:
        """Act for the seat whose turn it is; `amount` is the total on this street to raise to.

        The codes 0 fold, 1 check or call, 2 raise, 3 all-in save a step. All-in where no raise is allowed is a call. An
        illegal action is a ValueError that names the fault, and nothing has changed.
        """
    def after(self, kind: _Kind | str | int, amount: int = 0) -> tuple[Hand, int, int, bool, bool, int | None]:
        """The hand after an action, which is left as it is itself; faults are those of `act`.

        With it: the chips added and the seat's total on this street; whether they were its last; whether nobody had bet
        on the street before; who decides next, or None where the street is over.
        """
    def fold_out_of_turn(self, seat: int) -> None:
        """Fold a seat that leaves; ValueError where it has folded or is all-in (an all-in hand plays on)."""
    def payouts(self) -> list[int] | None:
        """Chips that each seat receives from the pots; None before the end."""
    @property
    def returned(self) -> tuple[int, int] | None:
        """(seat, amount) of the uncalled bet."""
    def pots(self) -> list[Pot]: ...
    def pots_before(self) -> list[tuple[int, list[int]]]:
        """(amount, contestants) of the pots as they stood when this street began, less who has folded since."""
    def showdown(self) -> list[tuple[int, bool]]:
        """(seat, must show) in showing order; empty where all others folded."""
    def rank(self, seat: int, on: int = 0) -> int:
        """The rank of the seat's hand with the board as it lies, higher is better; `on` is the board."""
    def low_rank(self, seat: int, on: int = 0) -> int | None:
        """The rank of the seat's low in a hi-lo game, higher is better; None where it is not eight or better."""
    def best(self, seat: int, board: int, on: int = 0) -> tuple[int, _Five]:
        """The rank with the first so many cards of the board, and the five cards in reading order."""
    def worths(self, seat: int, board: int) -> list[tuple[int, _Side, str, list[str], str]]:
        """(board, high or low, name, five cards, code) with the first so many cards of each board."""
    def face_up(self, seat: int, board: int) -> tuple[list[str], str | None, str | None]:
        """A seat's cards and, with the first so many cards of the board, if any, the hand's name and its code."""
    def settlement(
        self, seats: list[int]
    ) -> tuple[
        list[tuple[int, list[int], list[int], list[int]] | tuple[int, list[int], list[int], list[int], list[_Part]]],
        dict[int, int],
        dict[int, int],
    ]:
        """How a hand that is over is settled: its pots, what each winner got, and the stacks.

        Other numbers stand for the seats, one for each. A pot is (amount, contestants, winners, shares), and
        its parts where there are several. A bounty is not in it.
        """
    def copy(self) -> Hand: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(data: bytes) -> Hand: ...

def public_json(
    hand: Hand,
    head: bytes,
    board: list[str],
    seats: list[int],
    aggressor: int | None,
    deeds: list[tuple[str, int, bool | None] | None],
    rows: list[bytes | tuple[bytes, int, int, bool, bool] | None],
    result: bytes | None,
    run_out: bytes | None,
) -> bytes:
    """What everyone may see while the hand is played and, with its result, afterwards.

    There are no cards but those of `board`, `rows` and `result`. `head` begins the object. For each place, `seats`
    tells which seat it is, and `deeds` what it did last: a word, chips, and whether they were its last. A row is a
    player: whole, or what begins it, the place in the hand, the chips besides, whether the cards are neither shown nor
    mucked, and whether the player sits out the next hand. `run_out` is the JSON of the chances of open hands.
    """

def result_json(
    hand: Hand, number: int, board: int, seats: list[int], gone: list[int], shown: dict[int, list[str]]
) -> bytes:
    """How a hand that is over ended: pots, payouts, the uncalled bet, and the hands that were shown.

    The hands that are shown whole say what they are worth with the first so many cards of the first board, if any; but
    not those of seats whose player is gone. Lows, other boards and the parts of pots are not in it.
    """

def choice_json(hand: Hand) -> bytes:
    """What the seat to act may do."""

def private_json(hand: Hand, seat: int, board: int) -> bytes:
    """A seat's own cards, and what they are worth with the first so many cards of the board, if any."""

class HandBatch:
    """Many hands under the same rules, one action a table in each step; a hand that ends is dealt anew.

    The arrays are read-only views, one row a table, that follow every step. A seed (32 bytes) makes all shuffles
    repeatable. Stacks, blinds and antes are the same in every hand. The button starts at the last seat and moves one
    seat with each hand of a table; a button, posts or a straddler that are named stay where they are. Every board is
    run once, and a 7-2 bounty is always claimed.
    """

    def __init__(
        self,
        n: int,
        stacks: Iterable[int],
        *,
        blinds: tuple[int, int] = (1, 2),
        ante: int = 0,
        big_blind_ante: int = 0,
        straddle: int = 0,
        button: int | None = None,
        variant: _Variant | str = "holdem",
        limit: _Limit | str = "no-limit",
        posts: Iterable[tuple[int, int, int]] | None = None,
        big_blind_seat: int | None = None,
        cap: int = 4,
        half_bet: bool = True,
        ante_first: bool = False,
        seed: bytes | None = None,
        straddle_seat: int | None = None,
        button_blind: bool = False,
        bomb: int = 0,
        boards: int = 1,
        seven_deuce: int = 0,
    ) -> None: ...
    def __len__(self) -> int: ...
    def step(self, actions: NDArray[np.uint8], amounts: NDArray[np.int64] | None = None) -> None:
        """Act at every table: 0 fold, 1 check or call, 2 raise to the amount, 3 all-in.

        One illegal action is a ValueError that names the table, and nothing has changed anywhere.
        """
    def hand(self, table: int) -> Hand:
        """A copy of the hand in progress."""
    @property
    def finished(self) -> int:
        """Hands played to the end so far."""
    @property
    def actor(self) -> NDArray[np.int8]: ...
    @property
    def button(self) -> NDArray[np.uint8]: ...
    @property
    def street(self) -> NDArray[np.uint8]: ...
    @property
    def folded(self) -> NDArray[np.uint16]:
        """The seats that have folded, a bit for each: seat 0 is the lowest."""
    @property
    def stacks(self) -> NDArray[np.int64]: ...
    @property
    def bets(self) -> NDArray[np.int64]: ...
    @property
    def call(self) -> NDArray[np.int64]: ...
    @property
    def min_raise_to(self) -> NDArray[np.int64]: ...
    @property
    def max_raise_to(self) -> NDArray[np.int64]: ...
    @property
    def legal(self) -> NDArray[np.bool_]:
        """(n, 4): which of the four actions are legal."""
    @property
    def hole(self) -> NDArray[np.uint8]:
        """(n, seats, hole cards)."""
    @property
    def board(self) -> NDArray[np.uint8]:
        """(n, 5): the first board, 255 where no card lies yet."""
    @property
    def boards(self) -> NDArray[np.uint8]:
        """(n, boards, 5): the same of all boards."""
    @property
    def done(self) -> NDArray[np.bool_]:
        """Whether a hand ended in the last step."""
    @property
    def payouts(self) -> NDArray[np.int64]:
        """(n, seats): what the pots of the last finished hand paid."""
    @property
    def rewards(self) -> NDArray[np.int64]:
        """(n, seats): chips won or lost where a hand ended in the last step, else 0."""

_View = TypeVar("_View")
_Step: TypeAlias = tuple[int, Literal["preflop", "flop", "turn", "river"], str, int]

def take(hand: Hand, answer: object, steps: list[_Step]) -> None:
    """Play what the bot to act answered, and write it down.

    An answer is a word, a pair of a word and an amount, or a dict with `type` and `amount`; something else is a
    TypeError. What the rules do not allow is a ValueError, and nothing has changed. A step is (seat, street, what was
    done, the total on that street).
    """

def seen_by(hand: Hand, seat: int) -> Hand:
    """The hand as a seat knows it, for somebody who is to know no more.

    In place of each card that it has not seen lies another that it has not seen, the lowest first: two hands that look
    the same to the seat are the same. Only where there is one board, which is run once.
    """

class Pit:
    """A table of the arena: deals, asks, and adds up.

    A group is one deal, and can be played with the button at each seat. Everything that is left to chance, and who
    sits where, follows from the seed (32 bytes) and the number of the group. With more players than seats some have a
    rest, with fewer some have several seats.
    """

    def __init__(
        self,
        stacks: Iterable[int],
        *,
        blinds: tuple[int, int],
        ante: int = 0,
        variant: _Variant | str = "holdem",
        limit: _Limit | str = "no-limit",
        players: int,
        seed: bytes,
    ) -> None: ...
    @property
    def hand(self) -> Hand:
        """The hand that is played: one object, which becomes another hand with every deal."""
    @property
    def steps(self) -> list[_Step]:
        """What was posted and done in it; one list as well."""
    @property
    def number(self) -> int:
        """The number of the hand in the run."""
    @property
    def hands(self) -> int:
        """Hands played so far."""
    @property
    def decisions(self) -> int: ...
    def deal(self, group: int, button: int) -> None:
        """Begin the hand of a group with the button at this seat, and ask nobody."""
    def clear(self) -> None:
        """Begin to add up anew."""
    def play(
        self,
        group: int,
        count: int,
        rotation: int,
        number: int,
        deciders: list[Callable[[_View], object]],
        views: list[_View],
        names: list[str],
        *,
        begun: Callable[[list[str]], None],
        kept: Callable[[int], None],
        raised: Callable[[int, Exception], None],
        refused: Callable[[int, object, Exception], None],
        all_in: Callable[[int, int], Sequence[float]] | None,
        over: Callable[[], None] | None,
    ) -> None:
        """Play so many groups from this one on, once each; `number` is that of the first hand.

        The button of a group is at the seat that is the sum of group and rotation, counted round the table. The decider
        of each player is asked with the view of its seat, and answers as `take` has it.

        `begun(names)` tells who has each seat, before every hand. `kept(seat)` is called where somebody else holds the
        view after the answer: another must take its place. Where a player raises, `raised(player, error)` is called,
        and where the answer is none (a TypeError) or illegal (a ValueError), `refused(player, answer, error)`; these
        must play for it. What is no Exception ends it all. `all_in(group, street)` gives what each seat wins on average
        where nobody could bet any more after that street, before the river; without it the cards decide. `over()` is
        called after every hand.
        """
    def sums(self) -> list[tuple[float, float, int]]:
        """Of each player: chips, chips as the cards came, and hands."""
    def deals(self) -> bytes:
        """What each player won in each group, for `deal_sums`."""
    def flows(self) -> list[list[float]]:
        """What each player has won from each: losses go to the winners of a hand in proportion to their wins."""

def deal_sums(players: int, rotations: list[bytes]) -> list[tuple[int, float, float, int]]:
    """Of each player: groups, and over these the sums of chips squared, of chips times hands, and of hands squared.

    Each rotation is what `Pit.deals` has of the same groups; a group counts with its total over all of them.
    """

def make_pots(
    stakes: Iterable[int], folded: Iterable[int]
) -> tuple[list[tuple[int, list[int]]], tuple[int, int] | None]:
    """([(amount, contestants)], (seat, amount) returned or None)."""

def split_pot(amount: int, winners: Iterable[int], button: int, seats: int) -> list[int]:
    """The share of each seat; odd chips go one each to the first winners left of the button."""

def rank_hand(hole: _Cards, board: _Cards, variant: _Variant | str = "holdem") -> int:
    """The rank of hole cards with a board of three to five cards, higher is better."""

def check_distinct(groups: Iterable[_Cards]) -> None:
    """ValueError where a card is in these groups of cards twice."""

def shuffle(seed: bytes | None = None, n: int = 52) -> list[int]:
    """0 … n-1 in random order, each order equally likely: by the operating system, or repeatable from 32 bytes."""

def chacha20_block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """The key stream of RFC 8439 at this counter."""

# --- equity -----------------------------------------------------------------------------------------------------------

_PlayerRow: TypeAlias = tuple[float, float, float, float, int | None, int | None, int | None]

def equity(
    players: Sequence[str],
    board: _Cards,
    dead: _Cards,
    trials: int | None,
    threads: int | None,
    seed: int | None,
    progress: Callable[[float], object] | None,
    variant: str,
    exact: bool | None,
) -> tuple[tuple[_PlayerRow, ...], bool, int]:
    """Players as (win, tie, equity, stderr, wins, ties, losses); whether exact; boards."""

def range_weights(text: str) -> list[tuple[str, float]]:
    """The holdings of a range, best cards first, with their weights."""

def format_range(text: str) -> str:
    """The shortest notation of the same range."""

# --- the solver -------------------------------------------------------------------------------------------------------

_Payoff: TypeAlias = tuple[float, float, float, float, float, float]

class TreeSolver:
    """Two players, their hands and a betting tree; see parlour.solver."""

    def __init__(
        self,
        hands: Sequence[Sequence[tuple[Sequence[int], float]]],
        nodes: Sequence[tuple[int, int, Sequence[int], _Payoff]],
        board: Sequence[int],
        deck: Sequence[int],
        deals: int,
        hole_cards: int,
        ranks: Sequence[Sequence[int]] | None,
        threads: int,
    ) -> None: ...
    @property
    def memory(self) -> int:
        """Bytes that solving takes."""
    def iterate(self, iteration: int, alpha: float, beta: float, gamma: float) -> None:
        """One iteration of discounted CFR, the first of which has the number 1."""
    def worth(
        self, node: int, board: int, player: int, theirs: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For each hand, as both play and with the best answer."""
    def compatible(self, player: int, theirs: NDArray[np.float32]) -> NDArray[np.float32]: ...
    def strategy(self, node: int, board: int) -> NDArray[np.float32]:
        """A row for each action, one after the other."""
    def lock(self, node: int, board: int, strategy: NDArray[np.float32]) -> None: ...

class TreeSampler:
    """A betting tree whose hands are known by buckets; see parlour.solver."""

    def __init__(
        self,
        nodes: Sequence[tuple[int, int, Sequence[int], _Payoff]],
        hands: NDArray[np.uint64],
        buckets: Sequence[int],
        bucket_of: NDArray[np.uint8],
        ranks: NDArray[np.uint16],
        seed: int,
    ) -> None: ...
    @property
    def hands(self) -> int:
        """How many have been dealt."""
    def run(self, hands: int) -> None:
        """Deal so many hands and learn from them."""
    def strategy(self, node: int) -> NDArray[np.float32]:
        """For each bucket the probabilities of the actions."""
    def weight(self, node: int) -> NDArray[np.float32]:
        """What the strategy of each bucket rests on."""

def strengths(board: Sequence[int], rivers: int) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint16]]:
    """For each pair of cards the mean strength on the river, the mean of its square, and its rank on a full board."""
