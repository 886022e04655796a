"""The dealer of ACPC matches beside the server: a process of its own, which is started again when it dies."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from parlour.children import running
from parlour.faults import traced
from parlour.protocols.acpc.dealer import AcpcResult
from parlour.server.access.limits import Limits
from parlour.server.monitoring.logs import log

START_AGAIN = 1.0
"""Seconds before a dealer that has died is started again."""
CONNECTIONS_EACH = 32
"""Connections of one address to all ports for matches together."""
CLOSE_SECONDS = 5.0
"""How long the dealer may take to close its ports."""

DEFAULT_LIMITS = Limits()

_result = msgspec.json.Decoder(AcpcResult)


@asynccontextmanager
async def dealing(host: str, offers: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> AsyncIterator[list[int]]:
    """Deal at these ports, `PORT[:GAME[:HANDS]]`, while the context is open. OSError where one cannot be had. The
    `limits` of an address count apart from those at the server's own ports: this is another process."""
    dealer = _Dealer(host, offers, limits)
    ports = await dealer.start()
    keeper = asyncio.get_running_loop().create_task(dealer.keep())
    try:
        yield ports
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
        await dealer.end()


class _Dealer:
    def __init__(self, host: str, offers: Sequence[str], limits: Limits) -> None:
        most = min(CONNECTIONS_EACH, limits.connections_per_address)
        self._limits = msgspec.json.encode(msgspec.structs.replace(limits, connections_per_address=most)).decode()
        self._host = host
        self._offers = offers
        self._process: Process | None = None

    async def start(self) -> list[int]:
        """Start the process; its ports, which it has again when it is started again."""
        process = self._process = await asyncio.create_subprocess_exec(
            *running("parlour.protocols.acpc"), self._limits, self._host, *self._offers, stdin=PIPE, stdout=PIPE
        )
        assert process.stdout is not None
        ready = (await process.stdout.readline()).split()
        if ready[:1] != [b"ready"]:
            await self.end()
            raise OSError(f"the ports for ACPC matches cannot be had: {', '.join(self._offers)}")
        ports = [int(port) for port in ready[1:]]
        self._offers = [
            ":".join([str(port), *offer.split(":")[1:]]) for port, offer in zip(ports, self._offers, strict=True)
        ]
        return ports

    async def keep(self) -> None:
        """Log what matches come to, and start the process again when it has died."""
        while True:
            if self._process is not None:
                await _listen(self._process)
                await self.end()
                log.error("the dealer of ACPC matches has died, and is started again")
            await asyncio.sleep(START_AGAIN)
            try:
                await self.start()
            except OSError as error:
                log.error("the dealer of ACPC matches cannot be started", **traced(error))

    async def end(self) -> None:
        """Ask the process to close its ports, by the end of its input; where it does not, end it."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        self._process = None


async def _listen(process: Process) -> None:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        try:
            result = _result.decode(line)
        except msgspec.DecodeError:  # the end of a line whose beginning went with the dealer, or another's print
            continue
        log.info("an ACPC match is over", game=result.game, hands=result.hands, won=result.won, faults=result.faults)
