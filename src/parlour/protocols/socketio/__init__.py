"""Socket.IO for dialects: Engine.IO 3 and 4 over polling and WebSocket, on aiohttp."""

from parlour.protocols.socketio.session import Heartbeat, Listener, Session
from parlour.protocols.socketio.transport import Transport, cors

__all__ = ["Heartbeat", "Listener", "Session", "Transport", "cors"]
