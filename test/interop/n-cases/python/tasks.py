"""Tasks of agents, mirrored to the hub by AG2's own TaskMirror, and their checkpoints."""

from world import *

from ag2 import MemoryStream
from ag2.context import ConversationContext
from ag2.network import HubBackedCheckpointStore
from ag2.network.task_mirror import TaskMirror
from ag2.task import TaskState


def mirrored(client):
    """A context whose task events reach the hub."""
    context = ConversationContext(stream=MemoryStream())
    TaskMirror(hub_client=hub_of(client), owner_id=client.agent_id).attach(context.stream)
    return context


async def n_236(w: World) -> None:
    b, c = await w.agent("b"), w.name("capability")
    async with b.agent.task("work", capability=c, context=mirrored(b)) as task:
        await task.complete({"done": True})
    observed = (await hub_of(b).get_resume(b.agent_id)).observed[c]
    same((observed.n, observed.completed), (1, 1))
    same([p.agent_id for p in await hub_of(b).list_agents(capability=c)], [b.agent_id])


async def n_242(w: World) -> None:
    a, task = await w.agent("a"), w.name("task")
    store = HubBackedCheckpointStore(hub_of(a))
    await store.write(task, {"step": 3, "nested": {"list": [1, 2]}})
    same(await store.read(task), {"step": 3, "nested": {"list": [1, 2]}})


async def n_243(w: World) -> None:
    a = await w.agent("a")
    store, context = HubBackedCheckpointStore(hub_of(a)), mirrored(a)
    first = a.agent.task("work", context=context, checkpoint_store=store)
    async with first:
        await first.checkpoint({"step": 3})
    second = a.agent.task("work", context=context, checkpoint_store=store, resume_from=first.task_id)
    async with second:
        same(second.resumed_state, {"step": 3})
        await second.complete("done")
    same(second.state, TaskState.COMPLETED)
    same((await hub_of(a).get_task(second.task_id)).state, TaskState.COMPLETED)


async def n_244(w: World) -> None:
    a = await w.agent("a")
    task = a.agent.task("work", context=mirrored(a))
    async with task:
        await task.cancel("no need")
    metadata = await hub_of(a).get_task(task.task_id)
    same((metadata.state, metadata.error), (TaskState.CANCELLED, "no need"))
    holds(metadata.completed_at, "a time of its end")
