"""Who people are: a token that they keep, a hash of it that is kept here, and a name."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections import OrderedDict
from hashlib import sha256

import msgspec

from parlour.games.contract import Millis
from parlour.tables.errors import NotFound
from parlour.tables.ports import Clock, Entropy, Identity, Store
from parlour.tables.words import read_avatar, read_name

TOKEN_BYTES = 32
TRANSFER_BYTES = 16
TRANSFER_LASTS: Millis = 10 * 60 * 1000
REMEMBERED = 50_000


class People:
    """Makes, knows and moves identities."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._by_token: OrderedDict[bytes, str] = OrderedDict()
        self._known: dict[str, Identity] = {}

    async def create(self, name: object, avatar: object = None, bot: bool = False) -> tuple[Identity, str]:
        """A new identity and its token, which is told once and never kept."""
        identity = Identity(
            new_id(self._entropy), read_name(name), read_avatar(avatar), bot=bot, created=self._clock.now()
        )
        token = _text(self._entropy.token(TOKEN_BYTES))
        await self._store.add_identity(identity, _hash(token))
        self._remember(_hash(token), identity)
        return identity, token

    async def authenticate(self, token: str) -> Identity | None:
        hashed = _hash(token)
        known = self._by_token.get(hashed)
        if known is not None:
            return self._known[known]
        identity = await self._store.identity_by_token(hashed)
        if identity is not None:
            self._remember(hashed, identity)
        return identity

    async def rename(self, identity: Identity, name: object = None, avatar: object = msgspec.UNSET) -> Identity:
        """Another name or avatar, from the next seat or message on."""
        changed = msgspec.structs.replace(
            identity,
            name=identity.name if name is None else read_name(name),
            avatar=identity.avatar if avatar is msgspec.UNSET else read_avatar(avatar),
        )
        await self._store.update_identity(changed)
        if identity.id in self._known:
            self._known[identity.id] = changed
        return changed

    async def transfer(self, identity: Identity) -> str:
        """A code that moves the identity to another device, once, within ten minutes."""
        code = _text(self._entropy.token(TRANSFER_BYTES))
        await self._store.add_transfer(_hash(code), identity.id, self._clock.now() + TRANSFER_LASTS)
        return code

    async def redeem(self, code: str) -> tuple[Identity, str]:
        """The identity behind a transfer code, with a token of its own for this device."""
        player = await self._store.take_transfer(_hash(code), self._clock.now())
        identity = await self._store.identity(player) if player is not None else None
        if identity is None:
            raise NotFound("no_such_code", "that code is spent, expired or wrong")
        token = _text(self._entropy.token(TOKEN_BYTES))
        await self._store.add_token(identity.id, _hash(token), self._clock.now())
        return identity, token

    def _remember(self, hashed: bytes, identity: Identity) -> None:
        self._known.setdefault(identity.id, identity)
        self._by_token[hashed] = identity.id
        if len(self._by_token) > REMEMBERED:
            self._by_token.clear()
            self._known.clear()


def new_id(entropy: Entropy) -> str:
    """A public id: 72 bits, safe in a URL, without a space."""
    return _text(entropy.token(9))


def _text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
