"""What nodes tell each other over the bus: declared types, in MessagePack.

Messages may be lost and never come twice. Whoever needs an answer notices the loss: the parcels from one node to
another are numbered, and so are the parts of an answer.
"""

from __future__ import annotations

import msgspec

from parlour.tables.live.messages import AnyMessage as TableMessage
from parlour.tables.ports import Identity
from parlour.tables.room.commands import AnyCommand

Headers = list[tuple[str, str]]


class NodeMessage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One thing that is told."""


# HTTP: a request that reached one node and is answered by another


class NodeRequest(NodeMessage, frozen=True, tag="request"):
    """Answer this request. It may be repeated where parts of the answer were lost."""

    id: int
    name: str
    """What the answering node must own, such as `table:…`."""
    method: str
    target: str
    """Path and query, as they were sent."""
    headers: Headers
    body: bytes
    address: str
    """Where the client is, behind trusted proxies as well."""
    scheme: str
    got: int = 0
    """The last part of the answer that has come."""


class AnswerHead(NodeMessage, frozen=True, tag="head"):
    """The first part of an answer. With status 101 the connection is a tunnel from here on."""

    id: int
    part: int
    status: int
    headers: Headers


class Piece(NodeMessage, frozen=True, tag="piece"):
    """A part of the body of an answer, or what came through a tunnel."""

    id: int
    part: int
    data: bytes


class End(NodeMessage, frozen=True, tag="end"):
    """The last part of an answer."""

    id: int
    part: int
    whole: bool = True
    """Whether the answer was given to its end."""


class NotMine(NodeMessage, frozen=True, tag="not_mine"):
    """The request was not carried out: its table or dialect belongs to another node."""

    id: int


class PartsTaken(NodeMessage, frozen=True, tag="taken"):
    """The parts up to this one have been written to the client: send more."""

    id: int
    part: int


class Done(NodeMessage, frozen=True, tag="done"):
    """The answer has been taken to its end, or the client has gone."""

    id: int


class Upstream(NodeMessage, frozen=True, tag="upstream"):
    """What the client sent through a tunnel."""

    id: int
    part: int
    data: bytes


# Sockets: a viewer's connection at one node, to a table at another


class Attach(NodeMessage, frozen=True, tag="attach"):
    """Let a viewer follow a table."""

    link: int
    table: str
    identity: Identity | None
    views: bool
    since: int | None
    epoch: str | None
    replaces: int = 0
    """An earlier link of the same viewer."""


class Told(NodeMessage, frozen=True, tag="told"):
    """What the table tells a viewer, numbered for this link from 1."""

    link: int
    number: int
    message: TableMessage


class ViewerCommand(NodeMessage, frozen=True, tag="order"):
    """A command of a viewer, numbered for its socket."""

    link: int
    number: int
    key: str | None
    command: AnyCommand


class CommandRefusal(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Why a command was not carried out."""

    status: int
    code: str
    message: str
    retry_after: float = 0


class CommandOutcome(NodeMessage, frozen=True, tag="outcome"):
    """The answer to a command: the number of its last event, or why not."""

    link: int
    number: int
    outcome: int | CommandRefusal


class Detach(NodeMessage, frozen=True, tag="detach"):
    """The viewer has gone."""

    link: int


class Detached(NodeMessage, frozen=True, tag="detached"):
    """The link holds no longer: attach anew where the table is."""

    link: int
    refusal: CommandRefusal | None = None
    """Why the table cannot be followed, where that is not for its owner."""


# Ownership


class ReleaseRequest(NodeMessage, frozen=True, tag="release"):
    """Give up the ownership of this, so that the sender can have it."""

    id: int
    name: str


class Released(NodeMessage, frozen=True, tag="released"):
    """What was to be released is, or was not owned."""

    id: int


class OwnerMoved(NodeMessage, frozen=True, tag="moved"):
    """To all: these have a new owner, or none."""

    names: list[str]


# People


class Changed(NodeMessage, frozen=True, tag="changed"):
    """To all: somebody has another name or face, or has become a bot."""

    identity: Identity


# Limits and figures


class Spent(NodeMessage, frozen=True, tag="spent"):
    """To all: what was spent of shared limits in the last moment, by the limit's name."""

    amounts: dict[str, dict[str, float]]


class Held(NodeMessage, frozen=True, tag="held"):
    """To all: how many of a limited thing each key holds at the sender, where that has changed."""

    counts: dict[str, dict[str, int]]
    whole: bool = False
    """Whether keys that are not named hold none."""


class Facts(NodeMessage, frozen=True, tag="facts"):
    """To all: how the sender is doing."""

    started: int
    version: str
    tables: int
    sockets: int
    moves: float
    delay: float
    processor: float
    memory: int
    ready: bool


AnyMessage = (
    NodeRequest
    | AnswerHead
    | Piece
    | End
    | NotMine
    | PartsTaken
    | Done
    | Upstream
    | Attach
    | Told
    | ViewerCommand
    | CommandOutcome
    | Detach
    | Detached
    | ReleaseRequest
    | Released
    | OwnerMoved
    | Changed
    | Spent
    | Held
    | Facts
)


class Parcel(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All messages of one turn of the event loop from one node to another, or to all."""

    sender: str
    number: int
    """Counts the parcels from this sender to this receiver, from 1."""
    messages: list[AnyMessage]


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Parcel).decode
