"""What a table refuses, and why: a code for programs, a sentence for people, a status for the wire."""

from __future__ import annotations


class Refused(Exception):
    """A command that was not carried out. Nothing has changed by it."""

    status = 400

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class BadRequest(Refused):
    """The command makes no sense: a field is missing, unknown or out of its limits."""

    status = 400


class NotAllowed(Refused):
    """The command makes sense, but not from this person."""

    status = 403


class NotFound(Refused):
    """There is no such table, round or person."""

    status = 404


class Gone(Refused):
    """It was there and is kept no longer."""

    status = 410


class Misdirected(Refused):
    """The request was meant for another server."""

    status = 421


class UnreadableBody(Refused):
    """The body is written in a way that is not read here."""

    status = 415


class Stale(Refused):
    """The command was meant for a turn that has passed."""

    status = 409

    def __init__(self, turn: int) -> None:
        super().__init__("stale_turn", f"that turn has passed; it is turn {turn} now")
        self.turn = turn


class Busy(Refused):
    """The command contradicts the present state of the table, such as a seat that is taken."""

    status = 409


class KeyReused(Refused):
    """The idempotency key was used for another command before."""

    status = 422


class Unreadable(Refused, ValueError):
    """The table cannot be used: its log cannot be followed, or is sealed under another key, or is being read again."""

    status = 503


class Damaged(Unreadable):
    """Events of the table are missing from its log, from `first` to `last`: they were there, and the database has come
    back without them."""

    def __init__(self, first: int, last: int) -> None:
        which = f"event {first} of this table is" if first == last else f"events {first} to {last} of this table are"
        super().__init__(
            "log_damaged",
            f"{which} missing from the database; whoever runs the server can go on from the event before"
            " with parlour admin repair",
        )
        self.first = first
        self.last = last


class TooMany(Refused):
    """A limit for each person is reached; `retry_after` says in how many seconds it may help to try again."""

    status = 429

    def __init__(self, code: str, message: str, retry_after: float = 0) -> None:
        super().__init__(code, message)
        self.retry_after = retry_after


class Unavailable(Refused):
    """The store cannot be used just now. Where a command was under way its fate may be unknown: a repeat under the same
    key finds out. `retry_after` says in how many seconds it may help to try again, `part` which database it is of those
    that the store has."""

    status = 503

    def __init__(self, code: str, message: str, retry_after: float = 0, part: int = 0) -> None:
        super().__init__(code, message)
        self.retry_after = retry_after
        self.part = part


class Moved(Unavailable):
    """The table is not kept by this process any more: who opens it again finds it where it is."""

    def __init__(
        self,
        code: str = "moved",
        message: str = "the table is not kept here any more; try again",
        retry_after: float = 1,
    ) -> None:
        super().__init__(code, message, retry_after)


class OwnedElsewhere(Moved):
    """The table is at another node: the command was not carried out here."""

    def __init__(self, name: str, node: str) -> None:
        super().__init__("owned_elsewhere", "another server has this table; try again", retry_after=1)
        self.name = name
        self.node = node


class Against(Refused):
    """The rules of the game refuse the action; code and message are the game's own."""

    status = 422


class Conflict(Exception):
    """Another writer was first: the number, code or cursor is taken. Load what was missed and try again."""


class Gap(Conflict):
    """The event before is not in the log: the database has come back without its last rows."""
