"""Who people are: for each of their devices a token that they keep, a hash of it that is kept here, and a name."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Literal

import msgspec

from parlour.games.contract import Millis
from parlour.tables.errors import NotFound, Unavailable
from parlour.tables.ports import Clock, Entropy, Identity, Store, Token
from parlour.tables.room.words import clean, read_avatar, read_name

TOKEN_BYTES = 32
TRANSFER_BYTES = 16
TRANSFER_LASTS: Millis = 10 * 60 * 1000
REMEMBERED = 50_000
DAY: Millis = 24 * 3600 * 1000
TOKEN_DAYS = 400
"""Days after which a token that nobody uses is void, unless the operator says otherwise."""
SESSION_DAYS = 400
"""Days after which a person is signed out on a device however often it is used, unless the operator says otherwise."""
RENEWED_IN_LAST = 4
"""In the last of so many parts of that time, pages offer to begin anew."""
SEAT_KEPT: Millis = DAY
"""For so long a session goes on after its end while its person sits at a table in play."""
LOOK_FOR_ENDS: Millis = 60_000
REVOCATION_LASTS: Millis = 30 * DAY
"""For so long other processes can learn that a token was revoked; none remembers a token as long."""
DEVICE_LENGTH = 60
PRIVACY_SHELF = "privacy"
COOKIE_SHELF = "cookies"


class Device(msgspec.Struct, frozen=True):
    """A token as its owner sees it in a list."""

    id: str
    device: str
    """Browser and system, such as `Firefox, Android`; empty where they are not known."""
    created: Millis
    used: Millis
    """The beginning of the day (UTC) on which it was last used."""
    current: bool
    """Whether it is the one that asks."""
    ends: Millis | None = None
    """When it is signed out in any case; None for a bot, which is not."""


class Privacy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What others may see of a person, beyond what everyone has seen at a table."""

    statistics: Literal["together", "nobody"] = "together"
    """Who sees this person's counts of the rounds that they played too: those people, or nobody."""


class Watch:
    """Tells somebody when a token is revoked, such as a socket that was opened with it."""

    def __init__(self) -> None:
        self._revoked = False
        self._end: Callable[[], object] | None = None

    def then(self, end: Callable[[], object]) -> None:
        """Call this when the token is revoked, at once if it has been already."""
        self._end = end
        if self._revoked:
            end()

    def revoke(self) -> None:
        self._revoked = True
        if self._end is not None:
            self._end()


class People:
    """Makes, knows and moves identities, and voids their tokens."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        entropy: Entropy,
        token_days: int = TOKEN_DAYS,
        session_days: int = SESSION_DAYS,
        plays: Callable[[str], Awaitable[bool]] | None = None,
    ) -> None:
        """`token_days`: after so many days without use a token is void. `session_days`: after so many days a person's
        token is void in any case, but not before they have got up from the tables in play (`plays`)."""
        self.token_days = token_days
        self._session: Millis = session_days * DAY
        self._plays = plays
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._tokens: OrderedDict[bytes, Token] = OrderedDict()
        self._known: dict[str, Identity] = {}
        self._watches: dict[bytes, set[Watch]] = {}
        self._ends: dict[bytes, Millis] = {}
        """When the tokens end that are watched."""
        self._looked_at: Millis = 0
        """When it was last found out which of them have ended."""
        self._revocations = 0
        self._revoked: set[bytes] = set()
        self._bound_cookies_since: Millis | None = None
        self._deleted: set[str] = set()
        """People who were deleted here since the start: what was asked in their name before comes too late."""
        self.on_change: Callable[[Identity], None] | None = None
        """Called with an identity that has another name or face: other processes may remember the old one."""

    async def start(self) -> None:
        """Forget the tokens that nobody has used for too long."""
        await self._store.drop_unused_tokens(self._today() - self.token_days * DAY)

    async def create(
        self, name: object, avatar: object = None, bot: bool = False, device: str = ""
    ) -> tuple[Identity, str]:
        """A new identity and its token, which is told once and never kept."""
        identity = Identity(
            new_id(self._entropy), read_name(name), read_avatar(avatar), bot=bot, created=self._clock.now()
        )
        secret, token = self._issue(identity, device)
        await self._store.add_identity(identity, token)
        self._remember(token, identity)
        return identity, secret

    async def authenticate(self, secret: str) -> Identity | None:
        """Whose token this is; None where it is unknown, revoked, or was not used for too long."""
        hashed = _hash(secret)
        token = self._tokens.get(hashed)
        if token is not None:
            identity = self._known[token.identity]
        else:
            token = await self._store.token(hashed)
            found = None if token is None else await self._store.identity(token.identity)
            if token is None or found is None or hashed in self._revoked:
                return None
            identity = self._remember(token, found)
        ends = self._end_of(token, identity)
        if ends is not None:
            if hashed in self._watches:
                self._ends[hashed] = ends
            if ends <= self._clock.now() and not await self._may_stay(identity, ends):
                with suppress(Unavailable):
                    await self._revoke([token])
                return None
        today = self._today()
        if token.used < today:
            if token.used < today - self.token_days * DAY:
                return None
            await self._use(token, today)
        return identity

    def _end_of(self, token: Token, identity: Identity) -> Millis | None:
        """When a token is void in any case; None for that of a bot, which nobody could renew."""
        return None if identity.bot else token.created + self._session

    async def _may_stay(self, identity: Identity, ended: Millis) -> bool:
        """Whether somebody whose session has ended sits at a table in play, and is let be for a while."""
        return self._plays is not None and self._clock.now() < ended + SEAT_KEPT and await self._plays(identity.id)

    def ends(self, secret: str) -> tuple[Millis, bool] | None:
        """When the session of somebody who has just been authenticated ends, and whether it may be begun anew."""
        token = self._tokens.get(_hash(secret))
        ends = None if token is None else self._end_of(token, self._known[token.identity])
        if ends is None:
            return None
        return ends, self._clock.now() >= ends - self._session // RENEWED_IN_LAST

    async def bound_cookies_since(self) -> Millis:
        """When this server first gave a cookie that is bound to its host: now, if it is not known from before."""
        if self._bound_cookies_since is None:
            kept = await self._store.find(COOKIE_SHELF, "bound-since")
            since = self._clock.now() if kept is None else msgspec.json.decode(kept, type=int)
            if kept is None:
                await self._store.keep(COOKIE_SHELF, "bound-since", msgspec.json.encode(since))
            self._bound_cookies_since = since
        return self._bound_cookies_since

    async def is_before_bound_cookies(self, secret: str) -> bool:
        """Whether a person who has just been authenticated began their session before there were bound cookies."""
        since = await self.bound_cookies_since()
        token = self._tokens.get(_hash(secret))
        return token is not None and not self._known[token.identity].bot and token.created < since

    async def renew(self, identity: Identity, device: str = "") -> str:
        """A new token for a device, whose session begins anew with it. The one that it had is good until it is revoked
        or ends: the answer with the new one might be lost."""
        return await self._admit(identity, device)

    async def _admit(self, identity: Identity, device: str) -> str:
        """One more token of a person. It is void where they were deleted meanwhile."""
        secret, token = self._issue(identity, device)
        await self._store.add_token(token)
        if identity.id in self._deleted:
            await self._revoke([token])
        return secret

    async def _use(self, token: Token, today: Millis) -> None:
        """Note that a token was used today. It is good in any case, also while nothing can be written."""
        if token.hash in self._tokens:
            self._tokens[token.hash] = msgspec.structs.replace(token, used=today)
        with suppress(Unavailable):
            await self._store.use_token(token.hash, today)

    async def rename(self, identity: Identity, name: object = None, avatar: object = msgspec.UNSET) -> Identity:
        """Another name or avatar, from the next seat or message on."""
        if identity.id in self._deleted:
            return identity
        changed = msgspec.structs.replace(
            identity,
            name=identity.name if name is None else read_name(name),
            avatar=identity.avatar if avatar is msgspec.UNSET else read_avatar(avatar),
        )
        return await self._change(changed)

    async def become_bot(self, identity: Identity) -> Identity:
        """Say for good that this identity is a program. From the next seat on everybody sees it."""
        return await self._change(msgspec.structs.replace(identity, bot=True))

    async def _change(self, identity: Identity) -> Identity:
        await self._store.update_identity(identity)
        self.learn(identity)
        if self.on_change is not None:
            self.on_change(identity)
        return identity

    async def delete(self, identity: Identity, name: str) -> None:
        """Sign somebody out everywhere for good, under another name. What else is kept of them is cleaned elsewhere."""
        self._deleted.add(identity.id)
        await self._store.rename_person(identity.id, name)
        await self._revoke(await self._store.tokens_of(identity.id))
        await self._change(msgspec.structs.replace(identity, name=name, avatar=None))

    def learn(self, identity: Identity) -> None:
        """An identity has changed, here or in another process."""
        if identity.id in self._known:
            self._known[identity.id] = identity

    def forget_everybody(self) -> None:
        """Changes may have been missed: ask the store for whoever comes next."""
        self._tokens.clear()
        self._known.clear()

    async def privacy(self, identity: str) -> Privacy:
        """What a person lets others see."""
        kept = await self._store.find(PRIVACY_SHELF, identity)
        return Privacy() if kept is None else msgspec.json.decode(kept, type=Privacy)

    async def set_privacy(self, identity: str, privacy: Privacy) -> None:
        await self._store.keep(PRIVACY_SHELF, identity, msgspec.json.encode(privacy))

    async def transfer(self, identity: Identity) -> str:
        """A code that moves the identity to another device, once, within ten minutes. A new one ends the one before."""
        code = _text(self._entropy.token(TRANSFER_BYTES))
        await self._store.add_transfer(_hash(code), identity.id, self._clock.now() + TRANSFER_LASTS)
        return code

    async def behind(self, code: str) -> Identity:
        """Whose transfer code this is; it is not spent."""
        player = await self._store.transfer_of(_hash(code), self._clock.now())
        identity = await self._store.identity(player) if player is not None else None
        if identity is None:
            raise NotFound("no_such_code", "that code is spent, expired or wrong")
        return identity

    async def redeem(self, code: str, device: str = "") -> tuple[Identity, str]:
        """The identity behind a transfer code, with a token of its own for this device."""
        player = await self._store.take_transfer(_hash(code), self._clock.now())
        identity = await self._store.identity(player) if player is not None else None
        if identity is None:
            raise NotFound("no_such_code", "that code is spent, expired or wrong")
        return identity, await self._admit(identity, device)

    # Devices

    async def devices(self, identity: str, secret: str | None = None) -> list[Device]:
        """The tokens of a person; that of `secret` is the current one."""
        current = None if secret is None else _hash(secret)
        whose = await self._store.identity(identity)
        return [
            Device(
                _token_id(token),
                token.device,
                token.created,
                token.used,
                token.hash == current,
                None if whose is None else self._end_of(token, whose),
            )
            for token in await self._store.tokens_of(identity)
        ]

    async def revoke(self, identity: str, token_id: str) -> None:
        """Void one token of a person; whatever was opened with it ends. `NotFound` where there is none of that id."""
        found = [token for token in await self._store.tokens_of(identity) if _token_id(token) == token_id]
        if not found:
            raise NotFound("no_such_token", "there is no device with this id; it may have been signed out already")
        await self._revoke(found)

    async def give_up(self, secret: str) -> None:
        """Void this token, which its device has no use for any more."""
        token = await self._store.token(_hash(secret))
        if token is not None:
            await self._revoke([token])

    async def revoke_others(self, identity: str, secret: str | None = None) -> None:
        """Void all tokens of a person, but for that of `secret`."""
        current = None if secret is None else _hash(secret)
        await self._revoke([token for token in await self._store.tokens_of(identity) if token.hash != current])

    async def _revoke(self, tokens: list[Token]) -> None:
        if tokens:
            now = self._clock.now()
            await self._store.revoke_tokens([token.hash for token in tokens], now, now - REVOCATION_LASTS)
            self._forget(token.hash for token in tokens)

    async def follow_revocations(self) -> None:
        """Learn which tokens were revoked by other processes, such as the operator's."""
        count = await self._store.revocations()
        if count != self._revocations:
            self._revoked = set(await self._store.revoked_tokens())
            self._forget(self._revoked.intersection(self._tokens.keys() | self._watches.keys()))
            self._revocations = count
        await self._end_sessions()

    async def _end_sessions(self) -> None:
        """Close what was opened with tokens that have come to their end."""
        now = self._clock.now()
        if now - self._looked_at < LOOK_FOR_ENDS:
            return
        self._looked_at = now
        for hashed in [hashed for hashed, ends in self._ends.items() if ends <= now]:
            token = await self._store.token(hashed)
            identity = None if token is None else await self._store.identity(token.identity)
            if token is None or identity is None:
                continue
            ends = self._end_of(token, identity)
            if ends is not None and not await self._may_stay(identity, ends):
                await self._revoke([token])

    @contextmanager
    def watch(self, secret: str | None) -> Iterator[Watch]:
        """Be told when a token is revoked; without a token, never."""
        watch = Watch()
        if secret is None:
            yield watch
            return
        hashed = _hash(secret)
        self._watches.setdefault(hashed, set()).add(watch)
        token = self._tokens.get(hashed)
        ends = None if token is None else self._end_of(token, self._known[token.identity])
        if ends is not None:
            self._ends[hashed] = ends
        try:
            yield watch
        finally:
            watches = self._watches.get(hashed, set())
            watches.discard(watch)
            if not watches:
                self._watches.pop(hashed, None)
                self._ends.pop(hashed, None)

    def _forget(self, hashes: Iterable[bytes]) -> None:
        for hashed in list(hashes):
            self._revoked.add(hashed)
            self._tokens.pop(hashed, None)
            for watch in list(self._watches.get(hashed, ())):
                watch.revoke()

    # Tokens

    def _today(self) -> Millis:
        now = self._clock.now()
        return now - now % DAY

    def _issue(self, identity: Identity, device: str) -> tuple[str, Token]:
        secret = _text(self._entropy.token(TOKEN_BYTES))
        now = self._clock.now()
        return secret, Token(_hash(secret), identity.id, clean(device, DEVICE_LENGTH), now, self._today())

    def _remember(self, token: Token, identity: Identity) -> Identity:
        """Know a token, and its owner as they are by now."""
        if len(self._tokens) >= REMEMBERED:
            self.forget_everybody()
        self._tokens[token.hash] = token
        return self._known.setdefault(identity.id, identity)


def new_id(entropy: Entropy) -> str:
    """A public id: 72 bits, safe in a URL, without a space."""
    return _text(entropy.token(9))


def _token_id(token: Token) -> str:
    """A public name of a token, from which nothing can be learnt about it."""
    return _text(sha256(b"id" + token.hash).digest()[:9])


def _text(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
