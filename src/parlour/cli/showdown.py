"""`parlour showdown`: who wins which chips with what."""

from __future__ import annotations

from decimal import Decimal

import parlour
from parlour.cli._chips import pot_names, read_chips, read_player, seat_names, write_chips
from parlour.cli._terminal import Parser, TextTable, print_json, show

FOLDED = "fold"


def arguments(parser: Parser) -> None:
    parser.add_argument(
        "players",
        nargs="+",
        metavar="CARDS:CHIPS",
        help="Hole cards and chips put in, 8c7h:25; fold:25 for one who folded.",
    )
    parser.add_argument("--board", required=True, metavar="CARDS", help="The cards on the table.")
    parser.add_argument("--button", type=int, metavar="N", help="The player with the button; the last by default.")
    parser.add_argument("--smallest-chip", default="1", metavar="CHIPS", help="What cannot be divided further.")
    parser.add_json()


def command(players: list[str], board: str, button: int | None, smallest_chip: str, json: bool) -> None:
    """Divide the pots at a showdown: what each player holds, who wins each pot, and what everyone gets."""
    hands, stakes = _read(players)
    folded = {seat for seat, hand in enumerate(hands) if hand is None}
    result = parlour.showdown(
        board,
        hands,
        stakes,
        folded,
        button=None if button is None else read_player(button, len(players)),
        smallest_chip=read_chips(smallest_chip, "the smallest chip"),
    )
    held = ["folded" if hand is None else parlour.evaluate(f"{hand} {board}").name for hand in hands]
    gets = [write_chips(chips) for chips in result.payouts]
    back = result.returned
    if json:
        print_json(
            {
                "pots": [
                    {
                        "amount": write_chips(pot.amount),
                        "contestants": [seat + 1 for seat in pot.contestants],
                        "winners": [seat + 1 for seat in pot.winners],
                        "shares": [write_chips(share) for share in pot.shares],
                    }
                    for pot in result.pots
                ],
                "returned": back and {"player": back[0] + 1, "amount": write_chips(back[1])},
                "players": [
                    {"hand": hand, "name": name, "stake": write_chips(stake), "payout": chips}
                    for hand, name, stake, chips in zip(hands, held, stakes, gets, strict=True)
                ],
            }
        )
        return
    pots = TextTable("pot", ">chips", "contested by", "won by", "shares")
    for name, pot in zip(pot_names(result.pots), result.pots, strict=True):
        shares = " + ".join(str(write_chips(share)) for share in pot.shares)
        pots.add_row(name, str(write_chips(pot.amount)), seat_names(pot.contestants), seat_names(pot.winners), shares)
    if back:
        pots.add_row("returned", str(write_chips(back[1])), "", seat_names([back[0]]), str(write_chips(back[1])))
    people = TextTable("player", "cards", "hand", ">put in", ">wins")
    for seat, (hand, name, stake, chips) in enumerate(zip(hands, held, stakes, gets, strict=True)):
        cards = "" if hand is None else parlour.format_cards(parlour.parse_cards(hand))
        people.add_row(seat_names([seat]), cards, name, str(write_chips(stake)), str(chips))
    show(pots, "", people)


def _read(players: list[str]) -> tuple[list[str | None], list[int | Decimal]]:
    """Hole cards (None for one who folded) and stakes."""
    hands: list[str | None] = []
    stakes = []
    for number, text in enumerate(players, 1):
        cards, colon, chips = text.rpartition(":")
        if not colon:
            raise ValueError(f"P{number}: {text!r} is not CARDS:CHIPS, such as 8c7h:25")
        hands.append(None if cards.strip().lower() == FOLDED else cards)
        stakes.append(read_chips(chips, f"the stake of P{number}"))
    return hands, stakes
