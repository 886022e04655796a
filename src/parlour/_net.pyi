"""The types of the native part of the server: its end of WebSockets."""

from collections.abc import Callable

class MessageReader:
    """Puts the WebSocket frames of a client together to messages of at most `limit` bytes (RFC 6455, section 5)."""

    def __init__(self, limit: int) -> None: ...
    def feed(self, data: bytes | bytearray) -> None:
        """Take bytes as they came."""
    def next(self) -> tuple[int, bytes] | None:
        """The opcode and payload of the next whole message; or, once, the code to close with and why."""
    @property
    def unread(self) -> int:
        """Bytes that no message has been made of yet."""

class Wire:
    """The server's end of many WebSockets: what is ready is read, and what was put is sent, in one call for all.

    Linux only. `wake` is called when something is put on a line after a flush.
    """

    def __init__(
        self, message_limit: int, unread_limit: int, unsent_limit: int, wake: Callable[[], object]
    ) -> None: ...
    def fileno(self) -> int:
        """Readable when there is something to receive."""
    def open(self, descriptor: int) -> Line:
        """A line on the same connection, with a descriptor of its own."""
    def receive(self) -> list[tuple[int, int, bytes]]:
        """What has come, each with its line's descriptor: a message as of `Line.next`, or news.

        Of each line comes at most one message, and none while it is dealing with one. News are 0 where the connection
        has ended and -1 where too much waits for a slow reader.
        """
    def flush(self) -> list[tuple[int, int, bytes]]:
        """Send what was put on all lines; the news that came of it."""

class Line:
    """One connection on a wire."""

    def fileno(self) -> int:
        """The line's own descriptor; -1 once it is closed."""
    def feed(self, data: bytes) -> None:
        """Take bytes that somebody else has read from the connection."""
    def next(self) -> tuple[int, bytes] | None:
        """The next message that is there, as of `MessageReader.next`. A new line, and one whose message has been
        received, is dealing with it until this finds none."""
    def send(self, text: bytes) -> None:
        """Send a text with the next flush."""
    def put(self, opcode: int, payload: bytes) -> None:
        """Send a frame with the next flush."""
    def finish(self) -> None:
        """Send nothing after what was put."""
    def shut(self) -> None:
        """Let the other end know that nothing comes after what was put."""
    def end_when_sent(self) -> None:
        """Have the news that it has ended when all that was put is sent."""
    def close(self) -> None:
        """Let go of the connection at once."""
    @property
    def held(self) -> bool:
        """Whether so much is unread that no more is read."""
    def silence(self) -> int:
        """How often in a row this was asked while nothing had come; 0 where nothing is being read."""
