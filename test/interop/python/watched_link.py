"""AG2's WebSocket link, telling what comes over it and when it ends."""

from typing import Any, AsyncIterator, Callable

from ag2.network.transport.frames import NotifyFrame
from ag2.network.transport.ws import WsLink, WsLinkClient


class WatchedLink:
    def __init__(self, url: str, on_notify: Callable[[NotifyFrame], None], on_end: Callable[[], None]) -> None:
        self._link = WsLink(url)
        self._on_notify = on_notify
        self._on_end = on_end

    def client(self) -> "WatchedLinkClient":
        return WatchedLinkClient(self._link.client(), self._on_notify, self._on_end)


class WatchedLinkClient:
    def __init__(self, inner: WsLinkClient, on_notify: Callable[[NotifyFrame], None], on_end: Callable[[], None]) -> None:
        self._inner = inner
        self._on_notify = on_notify
        self._on_end = on_end

    @property
    def endpoint_id(self) -> str:
        return self._inner.endpoint_id

    async def open(self) -> None:
        await self._inner.open()

    async def send_frame(self, frame: Any) -> None:
        await self._inner.send_frame(frame)

    async def frames(self) -> AsyncIterator[Any]:
        async for frame in self._inner.frames():
            if isinstance(frame, NotifyFrame):
                self._on_notify(frame)
            yield frame
        self._on_end()

    async def close(self) -> None:
        await self._inner.close()

    def cut(self) -> None:
        """Ends the connection as a lost network does: without a word."""
        socket = self._inner._ws
        if socket is not None:
            socket.transport.abort()
