"""AG2's network tools, called as a model would have them called, against this hub."""

import asyncio

from world import *

from ag2 import Agent
from ag2.network import AgentClient
from ag2.network.client.tools.channels import make_channels_tool
from ag2.network.client.tools.context import make_context_tool
from ag2.network.client.tools.delegate import make_delegate_tool
from ag2.network.client.tools.peers import make_peers_tool
from ag2.network.client.tools.say import make_say_tool
from ag2.network.client.tools.tasks import make_tasks_tool
from ag2.task import TaskMetadata, TaskSpec, TaskState


def tool(make, client: AgentClient):
    """What a tool runs, with its injected arguments left to itself."""
    return make(client).model.call


async def n_092(w: World) -> None:
    a = await w.agent("a")
    names = {each.name for each in a.agent.tools}
    holds({"delegate", "peers", "channels", "tasks", "context"} <= names, f"the five tools are among {names}")
    holds("say" not in names, "say is not")


async def n_093(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ["forty-two"])
    reply = await tool(make_delegate_tool, a)(b.passport.name, "What is it?")
    holds("forty-two" in reply, reply)


async def n_094(w: World) -> None:
    a, b, c = await w.agent("a", hub="small"), await w.agent("b", hub="small"), await w.agent("c", hub="small")
    reply = await tool(make_delegate_tool, a)("nobody-at-all", "Hello?")
    holds("not found" in reply, reply)
    holds(b.passport.name in reply and c.passport.name in reply, f"B and C are named: {reply}")
    holds(a.passport.name not in reply, f"A is not: {reply}")


async def n_095(w: World) -> None:
    a = await w.agent("a")
    reply = await tool(make_delegate_tool, a)(a.passport.name, "Hello?")
    holds("cannot delegate to self" in reply and "exactly one respondent" not in reply, reply)
    same(await hub_of(a).list_channels(agent_id=a.agent_id), [])


async def opened(client: AgentClient) -> list:
    known = await hub_of(client).list_channels(agent_id=client.agent_id)
    return [channel for channel in known if channel.state == ChannelState.ACTIVE]


async def n_096(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    asked = asyncio.create_task(tool(make_delegate_tool, a)(b.passport.name, "Anybody?", timeout=300.0))
    [channel] = await until(lambda: opened(b), "an open channel")
    await hub_of(b).close_channel(channel.channel_id, reason="no time")
    reply = await asyncio.wait_for(asked, PATIENCE)
    holds(reply.startswith("Error:"), reply)
    holds("channel closed" in reply.lower() or "prompt send failed" in reply.lower(), reply)


async def n_097(w: World) -> None:
    math = w.name("math")
    a = await w.agent("a", ack_only=True, resume=Resume(claimed_capabilities=["lead"]))
    b = await w.agent("b", ack_only=True, resume=Resume(claimed_capabilities=[math]))
    found = await tool(make_peers_tool, a)("find", capability=math)
    same([peer["name"] for peer in found], [b.passport.name])
    opened = await tool(make_channels_tool, a)("open", type="conversation", target=b.passport.name)
    channel_id = opened["channel_id"]
    said = await tool(make_say_tool, a)("an unmistakable word", channel_id=channel_id)
    holds("posted envelope" in said, said)
    same(await tool(make_tasks_tool, a)("list", scope="own"), [])
    hits = await tool(make_context_tool, a)("search", query="unmistakable", scope="channel", limit=10, channel_id=channel_id)
    same(len(hits), 1)
    holds("unmistakable" in hits[0]["excerpt"], hits)


async def n_098(w: World) -> None:
    a, b, c = [await w.agent(base, hub="small") for base in "abc"]
    names = {peer["name"] for peer in await tool(make_peers_tool, a)("find")}
    holds({b.passport.name, c.passport.name} <= names, f"B and C are found: {names}")
    holds(a.passport.name not in names, f"A is not: {names}")


async def n_099(w: World) -> None:
    a = await w.agent("a")
    b = await w.agent("b", skill_md="# Written by hand", resume=Resume(claimed_capabilities=["math"]))
    c = await w.agent("c", resume=Resume(summary="Knows the sea"))
    describe = tool(make_peers_tool, a)
    of_b, of_c = [await describe("describe", name=peer.passport.name) for peer in (b, c)]
    same((of_b["skill_md"], of_b["resume"]["claimed_capabilities"]), ("# Written by hand", ["math"]))
    holds(f"name: {c.passport.name}" in of_c["skill_md"] and "Knows the sea" in of_c["skill_md"], of_c["skill_md"])


async def n_100(w: World) -> None:
    a, b = await w.agent("a", ack_only=True), await w.agent("b", ack_only=True)
    channels = tool(make_channels_tool, a)
    channel_id = (await channels("open", type="conversation", target=b.passport.name))["channel_id"]
    holds(channel_id in [each["channel_id"] for each in await channels("list")], "it is listed")
    info = await channels("info", channel_id=channel_id)
    same((info["type"], info["state"]), ("conversation", "active"))
    holds(b.agent_id in [each["agent_id"] for each in info["participants"]], info)
    same((await channels("close", channel_id=channel_id))["state"], "closed")


async def n_101(w: World) -> None:
    a, b, channel = await w.pair()
    await channel.send("the sea is wide")
    await channel.send("the land is dry")
    hits = await tool(make_context_tool, a)("search", query="dry", limit=10, channel=channel)
    same(len(hits), 1)
    holds("dry" in hits[0]["excerpt"], hits)


async def n_102(w: World) -> None:
    a, b, channel = await w.pair()
    for text in ("one", "two", "three"):
        await channel.send(text)
    said = await tool(make_context_tool, b)("quote", speaker=a.passport.name, recent_n=2, channel_id=channel.channel_id)
    same([each["text"] for each in said], ["two", "three"])


async def observed(owner: AgentClient, task_id: str, state: TaskState, **fields) -> None:
    await hub_of(owner).observe_task(
        TaskMetadata(task_id=task_id, owner_id=owner.agent_id, spec=TaskSpec(title="work"), state=state, **fields))


async def n_103(w: World) -> None:
    b, task = await w.agent("b"), w.name("task")
    await observed(b, task, TaskState.RUNNING)
    await hub_of(b).update_task(task, state=TaskState.COMPLETED, result={"answer": 42})
    tasks = tool(make_tasks_tool, b)
    listed = await tasks("list", scope="own", state="all")
    same([each["task_id"] for each in listed], [task])
    status = await tasks("status", task_id=task)
    same((status["state"], status["result"]), ("completed", {"answer": 42}))
    same((await tasks("wait", task_id=task, timeout=1.0))["state"], "completed")


async def n_104(w: World) -> None:
    a, b, channel = await w.pair()
    task = w.name("task")
    await observed(b, task, TaskState.RUNNING, channel_id=channel.channel_id)
    reply = await tool(make_tasks_tool, a)("cancel", task_id=task, reason="no need")
    holds("cancel_request posted" in reply, reply)
    asked = [e for e in await wal(a, channel) if e.event_type == "ag2.task.cancel_request"]
    same([(e.sender_id, e.audience, e.event_data) for e in asked],
         [(a.agent_id, [b.agent_id], {"task_id": task, "reason": "no need"})])
    same((await hub_of(b).get_task(task)).state, TaskState.RUNNING)


async def n_105(w: World) -> None:
    a, b, channel = await w.pair()
    task = w.name("task")
    await observed(b, task, TaskState.RUNNING, channel_id=channel.channel_id)
    await hub_of(b).update_task(task, state=TaskState.COMPLETED, result=1)
    before = await events(a, channel)
    reply = await tool(make_tasks_tool, a)("cancel", task_id=task)
    holds("already completed" in reply, reply)
    same(await events(a, channel), before)


async def n_106(w: World) -> None:
    b, task = await w.agent("b"), w.name("task")
    await observed(b, task, TaskState.RUNNING)
    reply = await tool(make_tasks_tool, b)("cancel", task_id=task)
    holds("no associated channel" in reply, reply)
