"""The application: tables as logs, people, rooms, clocks. It knows neither the wire nor the disk."""

from parlour.tables.errors import (
    Against,
    BadRequest,
    Busy,
    Conflict,
    NotAllowed,
    NotFound,
    Refused,
    Stale,
    TooMany,
    Unavailable,
)
from parlour.tables.live.audience import Subscription
from parlour.tables.live.listing import OwnTable, TableInfo
from parlour.tables.live.messages import AnyMessage, Ended, PresenceChange, TableUpdate, TableWelcome
from parlour.tables.live.service import Parlour
from parlour.tables.live.table import Table
from parlour.tables.ports import BotHouse, Clock, Entropy, Identity, LedgerLine, RoundSearch, Seal, Store
from parlour.tables.records.reading import RoundLine, RoundPage, TableRound
from parlour.tables.system import SystemClock, SystemEntropy

__all__ = [
    "Against",
    "AnyMessage",
    "BadRequest",
    "BotHouse",
    "Busy",
    "Clock",
    "Conflict",
    "Ended",
    "Entropy",
    "Identity",
    "LedgerLine",
    "NotAllowed",
    "NotFound",
    "OwnTable",
    "Parlour",
    "PresenceChange",
    "Refused",
    "RoundLine",
    "RoundPage",
    "RoundSearch",
    "Seal",
    "Stale",
    "Store",
    "Subscription",
    "SystemClock",
    "SystemEntropy",
    "Table",
    "TableInfo",
    "TableRound",
    "TableUpdate",
    "TableWelcome",
    "TooMany",
    "Unavailable",
]
