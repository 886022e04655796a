"""Socket.IO for dialects: Engine.IO 3 and 4 over polling and WebSocket, on aiohttp."""

from parlour.protocols.socketio.session import Heartbeat, SessionListener, SocketSession
from parlour.protocols.socketio.transport import Transport, cors

__all__ = ["Heartbeat", "SessionListener", "SocketSession", "Transport", "cors"]
