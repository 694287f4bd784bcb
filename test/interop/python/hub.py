"""AG2's own hub behind a WebSocket: arguments are a data file, a port, and settings as JSON."""

import asyncio
import json
import logging
import sys
from typing import Any

from lines import say

from ag2.knowledge import DiskKnowledgeStore, SqliteKnowledgeStore
from ag2.network import ApiKeyAuth, AuthRegistry, Hub, NoAuth
from ag2.network.transport.ws import serve_ws


async def main(path: str, port: int, settings: dict[str, Any]) -> None:
    auth = AuthRegistry([NoAuth(), ApiKeyAuth(settings["keys"])])
    timeout = settings["invite_ack_seconds"]
    store = DiskKnowledgeStore(f"{path}.files") if settings["store"] == "disk" else SqliteKnowledgeStore(path)
    hub = await Hub.open(store, auth=auth, invite_ack_timeout=timeout)
    async with serve_ws(hub, "127.0.0.1", port) as server:
        say({"port": server.sockets[0].getsockname()[1]})
        await asyncio.Event().wait()


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])))
