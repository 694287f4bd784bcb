"""Tools that scripted agents can be given by name."""

import asyncio
from typing import Any, Callable

from ag2 import Context, MemoryStream, tool
from ag2.agent import Agent
from ag2.context import ConversationContext
from ag2.network import AgentClientInject, ChannelInject, Finish, Handoff, HubBackedCheckpointStore
from ag2.network.task_mirror import TaskMirror
from ag2.network.workflow_helpers import delete_context as delete_variable
from ag2.network.workflow_helpers import set_context as set_variable


@tool
async def set_context(key: str, value: Any, channel: ChannelInject = None) -> str:
    """Sets a context variable."""
    await set_variable(channel, key, value)
    return "set"


@tool
async def delete_context(key: str, channel: ChannelInject = None) -> str:
    """Deletes a context variable."""
    await delete_variable(channel, key)
    return "deleted"


@tool
async def route(target: str, reason: str = "") -> Handoff:
    """Hands the turn to a participant by name."""
    return Handoff(target=target, reason=reason)


@tool
async def finish(summary: str = "", reason: str = "finished") -> Finish:
    """Ends the workflow."""
    return Finish(summary=summary, reason=reason)


@tool
async def mark(note: str = "") -> str:
    """Does nothing but be called, for rules that ask whether it was."""
    return f"marked {note}"


@tool
async def work(
    title: str,
    steps: list[dict],
    context: Context,
    capability: str | None = None,
    resume_from: str | None = None,
    client: AgentClientInject = None,
) -> dict:
    """Runs a task within the turn."""
    task = client.agent.task(
        title,
        capability=capability,
        context=context,
        checkpoint_store=HubBackedCheckpointStore(client._hub_client),
        resume_from=resume_from,
    )
    return await take_steps(task, steps)


async def take_steps(task: Any, steps: list[dict], gate: Callable[[str], asyncio.Event] | None = None) -> dict:
    """Steps are methods of AG2's task with their argument, or {"hold"}: wait for a release."""
    async with task:
        for step in steps:
            for name, value in step.items():
                await (gate(value).wait() if gate and name == "hold" else getattr(task, name)(value))
    return {"task_id": task.task_id, "resumed": task.resumed_state, "state": task.state.value}


async def work_alone(client: Any, agent: Agent, gate: Callable[[str], asyncio.Event], args: dict[str, Any]) -> dict:
    """Runs a task outside any turn, mirrored to the hub."""
    context = ConversationContext(stream=MemoryStream())
    mirror = TaskMirror(hub_client=client._hub_client, owner_id=client.agent_id, channel_id=args.get("channel_id"))
    mirror.attach(context.stream)
    task = agent.task(
        args["title"],
        capability=args.get("capability"),
        context=context,
        checkpoint_store=HubBackedCheckpointStore(client._hub_client),
        resume_from=args.get("resume_from"),
    )
    return await take_steps(task, args["steps"], gate)


NAMED_TOOLS = {
    "set_context": set_context,
    "delete_context": delete_context,
    "route": route,
    "finish": finish,
    "mark": mark,
    "work": work,
}
