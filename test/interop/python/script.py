"""AG2's scripted model, with one script for all turns of an agent, and with a memory."""

import asyncio
import json
from typing import Any

from ag2.events import ModelMessage, ModelRequest, ModelResponse, TextInput, ToolCallEvent, ToolResultsEvent
from ag2.testing import TestClient, TestConfig


class Script(TestConfig):
    """
    Lines are texts, {"tool", "args"}, lists of such calls, {"error"}, and {"hold"}: wait for a release
    and read on. Two lines are never used up: {"count"}, one more than the number that was said last,
    and {"nth": word}, the word and the number of this answer of the agent by the history.
    """

    def __init__(self, lines: list[Any]) -> None:
        super().__init__()
        self.lines = list(lines)
        # What the model was shown, call by call.
        self.asked: list[dict[str, Any]] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.waiting: set[str] = set()

    def create(self) -> "ScriptedModel":
        return ScriptedModel(self)

    def gate(self, name: str) -> asyncio.Event:
        return self.gates.setdefault(name, asyncio.Event())


class ScriptedModel(TestClient):
    __test__ = False

    def __init__(self, script: Script) -> None:
        super().__init__(raise_tool_errors=False)
        self.script = script

    async def __call__(self, messages: Any, context: Any, **kwargs: Any) -> ModelResponse:
        script = self.script
        tools = [schema.function.name for schema in kwargs.get("tools", ()) if hasattr(schema, "function")]
        script.asked.append({"messages": [shown(m) for m in messages], "tools": sorted(tools)})
        while True:
            if not script.lines:
                raise RuntimeError("the script has no line left")
            line = script.lines[0]
            if isinstance(line, dict) and ("count" in line or "nth" in line):
                break
            script.lines.pop(0)
            if not (isinstance(line, dict) and "hold" in line):
                break
            script.waiting.add(line["hold"])
            await script.gate(line["hold"]).wait()
        self.events = iter([turn_of(line, messages)])
        return await super().__call__(messages, context, **kwargs)


def turn_of(line: Any, messages: Any) -> Any:
    if isinstance(line, str):
        return line
    if isinstance(line, list):
        return [call_of(call) for call in line]
    if "tool" in line:
        return call_of(line)
    if "count" in line:
        return str(last_number(messages) + 1)
    if "nth" in line:
        said = sum(1 for message in messages if isinstance(message, (ModelMessage, ModelResponse)))
        return f"{line['nth']} {said + 1}"
    return RuntimeError(line["error"])


def call_of(call: dict[str, Any]) -> ToolCallEvent:
    return ToolCallEvent(name=call["tool"], arguments=json.dumps(call.get("args", {})))


def last_number(messages: Any) -> int:
    texts = [part.content for part in messages[-1].parts if isinstance(part, TextInput)]
    return int(texts[-1].split()[-1])


def shown(message: Any) -> dict[str, Any]:
    """One message as the model sees it, without AG2's own objects."""
    if isinstance(message, ModelRequest):
        return {"user": [part.content if isinstance(part, TextInput) else str(part) for part in message.parts]}
    if isinstance(message, ModelMessage):
        return {"assistant": message.content}
    if isinstance(message, ModelResponse):
        text = message.message.content if message.message else None
        return {"assistant": text, "calls": [call.name for call in message.tool_calls.calls]}
    if isinstance(message, ToolResultsEvent):
        return {"results": [result_of(result) for result in message.results]}
    return {"other": type(message).__name__}


def result_of(result: Any) -> dict[str, Any]:
    if hasattr(result, "error"):
        return {"tool": result.name, "error": str(result.error)}
    parts = [part.content if isinstance(part, TextInput) else getattr(part, "data", str(part)) for part in result.result.parts]
    return {"tool": result.name, "result": parts[0] if len(parts) == 1 else parts}
