"""
Load through AG2's own clients: two agents on two connections in one conversation, one of whom posts.

Commands: `open` with an address, and `round` with how many texts, and how many of them under way at one
time. A text is over when the hub has answered the post; the round, when the other side has them all.
"""

import asyncio
import logging
import sys
import time
from typing import Any

from lines import serve_commands

from ag2 import Agent
from ag2.network import EV_TEXT, HubClient, Rule
from ag2.network.client.handlers import _auto_ack_invite
from ag2.network.rule import InboxBlock, LimitsBlock
from ag2.network.transport.ws import WsLink

# A bench that is refused measures nothing.
RULE = Rule(limits=LimitsBlock(inbox=InboxBlock(max_pending=1_000_000)))
TEXT = "x" * 200


class Load:
    def __init__(self) -> None:
        self.seen = 0
        self.wanted = 0
        self.complete = asyncio.Event()
        self.channel: Any = None

    async def run(self, command: str, args: dict[str, Any]) -> Any:
        return await getattr(self, f"do_{command}")(**args)

    async def do_open(self, url: str) -> None:
        speaker = await HubClient(WsLink(url)).register(Agent("speaker"), rule=RULE)
        hearer = await HubClient(WsLink(url)).register(Agent("hearer"), rule=RULE)

        async def hear(envelope: Any) -> None:
            if envelope.event_type == "ag2.channel.invite":
                await _auto_ack_invite(envelope, hearer)
            elif envelope.event_type == EV_TEXT:
                self.seen += 1
                if self.seen == self.wanted:
                    self.complete.set()

        hearer.on_envelope(hear)
        speaker.on_envelope(lambda envelope: asyncio.sleep(0))
        self.channel = await speaker.open(type="conversation", target="hearer", knobs={})

    async def do_round(self, texts: int, under_way: int) -> dict[str, Any]:
        self.wanted = self.seen + texts
        self.complete.clear()
        left = iter(range(texts))
        latencies: list[float] = []

        async def post() -> None:
            for _ in left:
                began = time.perf_counter()
                await self.channel.send(TEXT)
                latencies.append((time.perf_counter() - began) * 1_000)

        began = time.perf_counter()
        await asyncio.gather(*(post() for _ in range(under_way)))
        await self.complete.wait()
        return {"seconds": time.perf_counter() - began, "latencies_ms": latencies}


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    asyncio.run(serve_commands(Load().run))
