"""Rules: who may reach whom, and how much of it. And capabilities, resumes and observations."""

import asyncio
from datetime import datetime

from world import *

from ag2.network import AccessDeniedError, NetworkError, ProtocolError
from ag2.network.rule import AccessBlock, InboxBlock, LimitsBlock
from ag2.task import TaskMetadata, TaskSpec, TaskState


def access(**fields) -> Rule:
    return Rule(access=AccessBlock(**fields))


def limits(**fields) -> Rule:
    return Rule(limits=LimitsBlock(**fields))


async def n_129(w: World) -> None:
    a, b, channel = await w.pair()
    await a.set_rule(access(outbound_to=[w.name("c")]))
    async with raises(AccessDeniedError):
        await channel.send("hello", audience=[b.agent_id])


async def hold_texts(client, gate: asyncio.Event) -> None:
    """Lets a client take up texts and not acknowledge them until the gate opens."""
    only_ack(client)
    acks_invites = client._on_envelope

    async def handle(envelope: Envelope) -> None:
        if envelope.event_type == EV_TEXT:
            await gate.wait()
        await acks_invites(envelope)

    client.on_envelope(handle)


async def full_inbox(w: World, max_pending: int):
    a = await w.agent("a", ack_only=True)
    b = await w.agent("b", rule=limits(inbox=InboxBlock(max_pending=max_pending)))
    gate = asyncio.Event()
    await hold_texts(b, gate)
    return a, b, gate, await a.open(type="conversation", target=b.passport.name)


async def n_130(w: World) -> None:
    a, b, gate, channel = await full_inbox(w, 2)
    await channel.send("one")
    await channel.send("two")
    async with raises(NetworkError, "inbox at capacity"):
        await channel.send("three")
    await say(b, channel, "an answer")
    await channel.send("three")


async def n_130_departed(w: World) -> None:
    """What B has acknowledged no longer counts, whether B has spoken or not."""
    a, b, gate, channel = await full_inbox(w, 2)
    await channel.send("one")
    await channel.send("two")
    async with raises(NetworkError, "inbox at capacity"):
        await channel.send("three")
    await say(b, channel, "an answer")
    async with raises(NetworkError, "inbox at capacity"):
        await channel.send("three")
    gate.set()
    await until(lambda: accepted(channel, "three"), "room after the receipts")
    same([text for _, text in await texts(a, channel)], ["one", "two", "an answer", "three"])


async def accepted(channel, text: str) -> bool:
    try:
        await channel.send(text)
    except NetworkError:
        return False
    return True


async def n_131(w: World) -> None:
    a, b, gate, channel = await full_inbox(w, 1)
    await channel.send("fills it")
    async with raises(NetworkError, "inbox at capacity"):
        await channel.send("one more")
    c = await w.agent("c", ack_only=True)
    second = await c.open(type="conversation", target=b.passport.name)
    same(second.state, ChannelState.ACTIVE)


async def n_134(w: World) -> None:
    prefix = w.name("bot")
    a = await w.agent("a", ack_only=True, rule=access(outbound_to=[f"{prefix}-*"]))
    bot = await w.agent(name=f"{prefix}-1", ack_only=True)
    channel = await a.open(type="conversation", target=bot.passport.name)
    await channel.send("hello", audience=[bot.agent_id])
    await a.set_rule(Rule())
    user = await w.agent("user", ack_only=True)
    both = await a.open(type="discussion", target=[bot.passport.name, user.passport.name])
    await a.set_rule(access(outbound_to=[f"{prefix}-*"]))
    await both.send("to the bot", audience=[bot.agent_id])
    await say(bot, both)
    await say(user, both)
    async with raises(AccessDeniedError):
        await both.send("to the user", audience=[user.agent_id])


async def n_135(w: World) -> None:
    a, b, channel = await w.pair()
    seen: list[Envelope] = []
    only_ack(b, seen)
    await channel.send("before")
    await until(lambda: [e for e in seen if e.event_type == EV_TEXT], "B sees the first")
    await b.set_rule(access(inbound_from=[]))
    await channel.send("after")
    same([text for _, text in await texts(a, channel)], ["before", "after"])
    await quiet()
    same([e.event_data["text"] for e in seen if e.event_type == EV_TEXT], ["before"])


async def n_136(w: World) -> None:
    a = await w.agent("a", ack_only=True)
    b = await w.agent("b", ack_only=True, rule=access(inbound_from=[w.name("friend")]))
    async with raises(AccessDeniedError, "does not accept inbound"):
        await a.open(type="conversation", target=b.passport.name)
    same(await hub_of(a).list_channels(agent_id=a.agent_id), [])


async def n_137(w: World) -> None:
    a, b, channel = await w.pair()
    await a.set_rule(limits(delegation_depth=3))
    await channel.send("deep", depth=3)
    async with raises(AccessDeniedError, "delegation_depth"):
        await channel.send("too deep", depth=4)


async def n_138(w: World) -> None:
    a, b, channel = await w.pair()
    await a.set_rule(limits(delegation_depth=0))
    holds(await channel.send("very deep", depth=99999), "accepted")


async def n_139(w: World) -> None:
    a = await w.agent("a", ack_only=True, rule=limits(max_concurrent_channels=2))
    b = await w.agent("b", ack_only=True)
    first = await a.open(type="conversation", target=b.passport.name)
    await a.open(type="conversation", target=b.passport.name)
    async with raises(AccessDeniedError, "max_concurrent_channels"):
        await a.open(type="conversation", target=b.passport.name)
    await first.close()
    same((await a.open(type="conversation", target=b.passport.name)).state, ChannelState.ACTIVE)


async def n_140(w: World) -> None:
    a = await w.agent("a", rule=limits(max_concurrent_tasks=2))
    ids = [w.name("task") for _ in range(3)]

    async def observe(task_id: str) -> None:
        await hub_of(a).observe_task(TaskMetadata(
            task_id=task_id, owner_id=a.agent_id, spec=TaskSpec(title="work"), state=TaskState.RUNNING))

    await observe(ids[0])
    await observe(ids[1])
    async with raises(AccessDeniedError, "max_concurrent_tasks"):
        await observe(ids[2])
    await hub_of(a).update_task(ids[0], state=TaskState.COMPLETED)
    await observe(ids[2])
    same((await hub_of(a).get_task(ids[2])).state, TaskState.RUNNING)


async def n_141(w: World) -> None:
    a = await w.agent("a", ack_only=True, rule=limits(channel_ttl_default="1h"))
    b = await w.agent("b", ack_only=True)
    metadata = (await a.open(type="conversation", target=b.passport.name)).metadata
    created, expires = (datetime.fromisoformat(at) for at in (metadata.created_at, metadata.expires_at))
    holds(abs((expires - created).total_seconds() - 3600) <= 1, f"{created} to {expires}")


async def n_142(w: World) -> None:
    a, b, channel = await w.pair(ttl=0)
    same(channel.metadata.expires_at, None)


async def observe(client, capability: str, outcome: TaskState, task: str, latency_ms: int | None = None) -> None:
    await hub_of(client).record_observation(
        owner_id=client.agent_id, capability=capability, outcome=outcome, task_id=task, latency_ms=latency_ms)


async def stat(client, capability: str):
    return (await hub_of(client).get_resume(client.agent_id)).observed[capability]


async def n_245(w: World) -> None:
    a, t, u = await w.agent("a"), w.name("t"), w.name("u")
    await observe(a, "math", TaskState.COMPLETED, t)
    await observe(a, "math", TaskState.COMPLETED, t)
    first = await stat(a, "math")
    same((first.n, first.completed), (1, 1))
    await observe(a, "math", TaskState.FAILED, u)
    second = await stat(a, "math")
    same((second.n, second.failed), (2, 1))


async def n_246(w: World) -> None:
    math, policy = w.name("math"), w.name("policy")
    a = await w.agent("a")
    index = []

    async def note() -> None:
        found = [await hub_of(a).list_agents(capability=each) for each in (math, policy)]
        index.append(tuple([p.agent_id for p in some] for some in found))

    await note()
    for claims in ([math], [math, policy], [policy]):
        await a.set_resume(Resume(claimed_capabilities=claims))
        await note()
    A = a.agent_id
    same(index, [([], []), ([A], []), ([A], [A]), ([], [A])])


async def n_253(w: World) -> None:
    x, y, z = w.name("x"), w.name("y"), w.name("z")
    a = await w.agent("a", resume=Resume(claimed_capabilities=[x, y]))
    found = [[p.agent_id for p in await hub_of(a).list_agents(capability=each)] for each in (x, y, z)]
    same(found, [[a.agent_id], [a.agent_id], []])


async def n_254(w: World) -> None:
    a = await w.agent("a")
    await observe(a, "math", TaskState.COMPLETED, w.name("t"), latency_ms=420)
    await observe(a, "math", TaskState.FAILED, w.name("t"))
    await observe(a, "math", TaskState.EXPIRED, w.name("t"))
    got = await stat(a, "math")
    same((got.n, got.completed, got.failed, got.expired, got.p50_latency_ms), (3, 1, 1, 1, 420))


async def n_255(w: World) -> None:
    a, x = await w.agent("a"), w.name("x")
    await observe(a, x, TaskState.COMPLETED, w.name("t"))
    same([p.agent_id for p in await hub_of(a).list_agents(capability=x)], [a.agent_id])


async def n_256(w: World) -> None:
    a, x = await w.agent("a"), w.name("x")
    await a.set_resume(Resume(claimed_capabilities=[x]))
    first = [p.agent_id for p in await hub_of(a).list_agents(capability=x)]
    same((a.resume.claimed_capabilities, first), ([x], [a.agent_id]))
    await a.set_resume(Resume())
    same((a.resume.claimed_capabilities, await hub_of(a).list_agents(capability=x)), ([], []))
