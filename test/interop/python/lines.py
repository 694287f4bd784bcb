"""JSON lines: commands come in on standard input, answers and events go out on standard output."""

import asyncio
import dataclasses
import enum
import json
import sys
from typing import Any, Awaitable, Callable

# Longest command that is read, in bytes; whole logs travel as one line.
MAX_LINE = 64 * 1024 * 1024


def say(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, default=plain) + "\n")
    sys.stdout.flush()


def plain(value: Any) -> Any:
    """What a value looks like as JSON."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, enum.Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return str(value)


async def serve_commands(run: Callable[[str, dict[str, Any]], Awaitable[Any]]) -> None:
    """Runs commands, each beside the others, until the input ends."""
    reader = asyncio.StreamReader(limit=MAX_LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    running: set[asyncio.Task[None]] = set()
    while line := await reader.readline():
        command = json.loads(line)
        task = asyncio.create_task(_answer(command, run))
        running.add(task)
        task.add_done_callback(running.discard)


async def _answer(command: dict[str, Any], run: Callable[[str, dict[str, Any]], Awaitable[Any]]) -> None:
    try:
        result = await run(command["command"], command["args"])
        say({"id": command["id"], "ok": True, "result": result})
    except Exception as error:  # every failure is the answer to its command
        say({"id": command["id"], "ok": False, "error": type(error).__name__, "message": str(error)})
