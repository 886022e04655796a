"""The words of the API for identities. The OpenAPI document is made from these, as from those in `schema.py`."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from parlour.server.api.schema import Avatar, Body, Millis, Name


class NewIdentity(Body, frozen=True):
    name: Name
    avatar: Avatar | None = None
    bot: bool = False
    """Whether a program plays under this name: others see it marked as a bot."""


class IdentityChange(Body, frozen=True):
    name: Name | None = None
    avatar: Avatar | UnsetType | None = UNSET


class Me(msgspec.Struct, frozen=True):
    id: str
    name: str
    avatar: str | None = None
    bot: bool = False


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    me: Me | None
    ends: Millis | None = None
    """When you are signed out on this device in any case; None for a bot."""
    renewable: bool = False
    """Whether that is so near that a page should offer to stay: POST /api/v1/me/session."""


class IssuedIdentity(msgspec.Struct, frozen=True):
    """An identity with the one token that proves it. The token is not told again."""

    id: str
    name: str
    token: str
    avatar: str | None = None
    bot: bool = False


class Transfer(msgspec.Struct, frozen=True):
    """A way to move the identity to another device: once, within ten minutes."""

    code: str
    link: str
    """The code is in the fragment, which no browser sends to a server or a log."""
    expires: Millis


class TransferCode(Body, frozen=True):
    code: Annotated[str, Meta(min_length=1, max_length=128)]


class Redemption(TransferCode, frozen=True):
    replace: bool = False
    """Whether a browser in which somebody else is signed in signs them out."""


class Ticket(msgspec.Struct, frozen=True):
    """Opens one socket within 30 seconds, as `?ticket=`."""

    ticket: str
