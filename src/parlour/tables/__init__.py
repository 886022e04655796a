"""The application: tables as logs, people, rooms, clocks. It knows neither the wire nor the disk."""

from parlour.tables.audience import Subscription
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
from parlour.tables.listing import OwnTable, TableInfo
from parlour.tables.messages import AnyMessage, Ended, PresenceChange, Update, Welcome
from parlour.tables.ports import BotHouse, Clock, Entropy, Identity, LedgerLine, RoundRecord, Seal, Store
from parlour.tables.service import Parlour
from parlour.tables.system import SystemClock, SystemEntropy
from parlour.tables.table import Table

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
    "RoundRecord",
    "Seal",
    "Stale",
    "Store",
    "Subscription",
    "SystemClock",
    "SystemEntropy",
    "Table",
    "TableInfo",
    "TooMany",
    "Unavailable",
    "Update",
    "Welcome",
]
