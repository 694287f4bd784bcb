"""What a case works with: fresh clients of AG2 on a hub behind a WebSocket, and ways to look at it."""

import asyncio
import itertools
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, AsyncIterator, Awaitable, Callable

from script import Script

from ag2 import Agent
from ag2.network import (
    EV_PACKET,
    EV_TEXT,
    AgentClient,
    Channel,
    ChannelState,
    Envelope,
    HubClient,
    HumanClient,
    Passport,
    Resume,
    Rule,
)
from ag2.network.client.handlers import _auto_ack_invite
from ag2.network.transport.ws import WsLink

# Longest wait for something that must happen, in seconds.
PATIENCE = 15.0
# How long to look on before one says that something has not happened.
QUIET = 0.3

_numbers = itertools.count(1)


class World:
    """One hub as a case sees it. Every name is fresh, so that cases share a hub."""

    def __init__(self, case: str, hubs: dict[str, str], restart: Callable[[str], Awaitable[str]]) -> None:
        self.case = case
        self.hubs = hubs
        self._restart = restart
        self._stack = AsyncExitStack()

    async def close(self) -> None:
        await self._stack.aclose()

    def name(self, base: str) -> str:
        return f"{base}-{self.case.lower()}-{next(_numbers)}"

    def client(self, hub: str = "open") -> HubClient:
        client = HubClient(WsLink(self.hubs[hub]))
        self._stack.push_async_callback(client.close)
        return client

    async def restart(self, hub: str) -> None:
        """Kills the hub and starts it anew on the same data."""
        self.hubs[hub] = await self._restart(hub)

    async def agent(
        self,
        base: str = "agent",
        lines: list[Any] | None = None,
        *,
        on: HubClient | None = None,
        hub: str = "open",
        name: str | None = None,
        ack_only: bool = False,
        **registration: Any,
    ) -> AgentClient:
        """A registered agent with a scripted model, on a connection of its own unless told otherwise."""
        name = name or self.name(base)
        agent = Agent(name, config=Script(lines or []))
        client = await (on or self.client(hub)).register(agent, registration.pop("passport", None), **registration)
        if ack_only:
            only_ack(client)
        return client

    async def human(self, base: str = "human", *, on: HubClient | None = None, **registration: Any) -> HumanClient:
        passport = registration.pop("passport", None) or Passport(name=self.name(base))
        return await (on or self.client()).register_human(passport, **registration)

    async def pair(self, *lines: Any, type: str = "conversation", **opening: Any) -> tuple[AgentClient, AgentClient, Channel]:
        """A and B in a channel that A has opened; A only acks, B answers by the lines, or only acks without any."""
        a = await self.agent("a", ack_only=True)
        b = await self.agent("b", list(lines), ack_only=not lines)
        return a, b, await a.open(type=type, target=b.passport.name, **opening)

    async def trio(self, type: str = "discussion", **opening: Any) -> tuple[list[AgentClient], Channel]:
        """A, B and C, who only ack, in a channel that A has opened."""
        members = [await self.agent(base, ack_only=True) for base in "abc"]
        names = [member.passport.name for member in members[1:]]
        return members, await members[0].open(type=type, target=names, **opening)


def only_ack(client: AgentClient, seen: list[Envelope] | None = None) -> None:
    """Takes an agent's default handler away but for the answer to an invitation."""

    async def handle(envelope: Envelope) -> None:
        if envelope.event_type == "ag2.channel.invite":
            await _auto_ack_invite(envelope, client)
        elif seen is not None:
            seen.append(envelope)

    client.on_envelope(handle)


async def say(client: Any, channel: Any, text: str = "hello", **fields: Any) -> str:
    """Posts a text as a member; the envelope's id."""
    envelope = Envelope(
        channel_id=getattr(channel, "channel_id", channel),
        sender_id=fields.pop("sender_id", client.agent_id),
        audience=fields.pop("audience", None),
        event_type=fields.pop("event_type", EV_TEXT),
        event_data=fields.pop("event_data", {"text": text}),
        **fields,
    )
    return await hub_of(client).post_envelope(envelope)


def hub_of(client: Any) -> HubClient:
    return client._hub_client


async def wal(client: Any, channel: Any) -> list[Envelope]:
    return await hub_of(client).read_wal(getattr(channel, "channel_id", channel))


async def texts(client: Any, channel: Any) -> list[tuple[str, str]]:
    """Who said what, in the log's order."""
    lines = await wal(client, channel)
    return [(e.sender_id, e.event_data["text"]) for e in lines if e.event_type == EV_TEXT]


async def events(client: Any, channel: Any) -> list[str]:
    return [envelope.event_type for envelope in await wal(client, channel)]


async def state(client: Any, channel: Any) -> Any:
    """The folded state, by AG2's own adapter over the hub's log."""
    return await hub_of(client).adapter_state(getattr(channel, "channel_id", channel))


async def until(check: Callable[[], Any], what: str) -> Any:
    """Waits for a check to give something true."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE
    while True:
        value = check()
        if asyncio.iscoroutine(value):
            value = await value
        if value:
            return value
        if loop.time() > deadline:
            raise AssertionError(f"it did not happen: {what}")
        await asyncio.sleep(0.01)


async def quiet() -> None:
    """Lets pass the time in which something unwanted would happen."""
    await asyncio.sleep(QUIET)


async def closed(client: Any, channel: Any) -> Any:
    """Waits for the channel's end as the client is told of it."""
    return await client.wait_for_channel_event(
        channel_id=getattr(channel, "channel_id", channel),
        predicate=lambda e: e.event_type == "ag2.channel.closed",
        timeout=PATIENCE,
    )


@asynccontextmanager
async def raises(kind: type[BaseException], *fragments: str) -> AsyncIterator[None]:
    """The body must fail with this very class, and with each fragment in its message."""
    try:
        yield
    except Exception as error:
        name, text = type(error).__name__, str(error)
        if type(error) is not kind:
            raise AssertionError(f"expected {kind.__name__}, got {name}: {text}") from error
        missing = [fragment for fragment in fragments if fragment not in text]
        if missing:
            raise AssertionError(f"{name} says {text!r}, without {missing}") from error
        return
    raise AssertionError(f"expected {kind.__name__}, nothing was raised")


def same(got: Any, want: Any, what: str = "value") -> None:
    if got != want:
        raise AssertionError(f"{what}: expected {want!r}, got {got!r}")


def holds(condition: Any, what: str) -> None:
    if not condition:
        raise AssertionError(f"not so: {what}")


__all__ = (
    "EV_PACKET", "EV_TEXT", "PATIENCE", "ChannelState", "Envelope", "HubClient", "Passport", "Resume", "Rule",
    "World", "closed", "events", "holds", "hub_of", "only_ack", "quiet", "raises", "same", "say", "state",
    "texts", "until", "wal",
)
