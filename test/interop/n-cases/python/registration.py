"""Registration, identity, and the life of clients."""

import asyncio

from world import *

from ag2 import Agent
from ag2.network import AccessDeniedError, AuthError, NotFoundError, ProtocolError


async def n_001(w: World) -> None:
    a, b, channel = await w.pair()
    async with raises(NotFoundError):
        await say(a, channel, sender_id="0" * 32)


async def n_001_departed(w: World) -> None:
    """Whoever speaks must be bound to the connection; an unknown sender is bound to none."""
    a, b, channel = await w.pair()
    async with raises(AccessDeniedError, "not bound"):
        await say(a, channel, sender_id="0" * 32)
    same(await texts(a, channel), [])


async def n_002(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b")
    channel = await a.open(type="conversation", target=b.passport.name)
    await a.unregister()
    async with raises(RuntimeError, "disconnected"):
        await channel.send("hello")
    async with raises(NotFoundError):
        await hub_of(b).get_agent(a.agent_id)
    listed = {p.name for p in await hub_of(b).list_agents(limit=100_000)}
    holds(b.passport.name in listed and a.passport.name not in listed, "only B is listed")


async def n_003(w: World) -> None:
    capability = w.name("capability")
    a = await w.agent("a", hub="durable", resume=Resume(claimed_capabilities=[capability], summary="s"),
                      rule=Rule(), skill_md="# skill")
    name, agent_id, hub = a.passport.name, a.agent_id, hub_of(a)
    same((await hub.get_resume(agent_id)).summary, "s")
    same(await hub.get_skill(agent_id), "# skill")
    holds(await hub.get_rule(agent_id), "the rule is there")
    await a.unregister()
    await hub.close()
    await w.restart("durable")
    again = w.client("durable")
    for look in (again.get_agent(name), again.get_agent(agent_id), again.get_resume(agent_id), again.get_rule(agent_id)):
        async with raises(NotFoundError):
            await look
    same(await again.get_skill(agent_id), None)
    same(await again.list_agents(capability=capability), [])


async def n_004(w: World) -> None:
    a = await w.agent("a")
    async with raises(ProtocolError, "already registered"):
        await w.agent(name=a.passport.name)


async def n_005(w: World) -> None:
    client, name = w.client(), w.name("a")
    await client.open()
    tries = [client.register(Agent(name), Passport(name=name)) for _ in range(3)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    won = [r for r in results if not isinstance(r, BaseException)]
    lost = [r for r in results if isinstance(r, BaseException)]
    same((len(won), len(lost)), (1, 2), "won and lost")
    for error in lost:
        same(type(error), ProtocolError)
        holds("already registered" in str(error), str(error))
    same([p.agent_id for p in await client.list_agents(limit=100_000) if p.name == name], [won[0].agent_id])


async def n_006(w: World) -> None:
    a, b, channel = await w.pair()
    await a.unregister()
    async with raises(NotFoundError, "sender not registered"):
        await say(a, channel)


async def n_006_departed(w: World) -> None:
    """Whoever has unregistered is bound to the connection no more."""
    a, b, channel = await w.pair()
    await a.unregister()
    async with raises(AuthError, "no bound agent"):
        await say(a, channel)
    same(await texts(b, channel), [])


async def n_008(w: World) -> None:
    name = w.name("a")
    a = await w.client().register(Agent(name))
    same(a.passport.name, name)
    same((await hub_of(a).get_agent(a.agent_id)).name, name)


async def n_010(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b")
    same((await hub_of(b).get_agent(a.passport.name)).agent_id, a.agent_id)
    same(hub_of(b).find_agent_id(a.passport.name), a.agent_id)


async def n_011(w: World) -> None:
    async with raises(NotFoundError):
        await w.client().get_rule("0" * 32)


async def n_012(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    channel = await a.open(type="consulting", target=b.passport.name)
    holds(channel.channel_id in a._channel_inboxes, "the inbox is there")


async def n_014(w: World) -> None:
    a, b = await w.agent("a", ack_only=True), await w.agent("b", ["answer"])
    channel = await a.open(type="consulting", target=b.passport.name)
    await channel.send("question", audience=[b.agent_id])
    await asyncio.sleep(0.2)
    end = await closed(a, channel)
    same(end.event_data["reason"], "consulting_complete")


async def n_015(w: World) -> None:
    async with HubClient(w.client()._link) as client:
        await client.list_agents()
        same(client._closed, False)
    same(client._closed, True)


async def n_016(w: World) -> None:
    watcher = w.client()
    a = await w.agent("a")
    async with a:
        same((await watcher.get_agent(a.agent_id)).name, a.passport.name)
    same(a._disconnected, True)
    async with raises(NotFoundError):
        await watcher.get_agent(a.agent_id)


async def n_022(w: World) -> None:
    shared = w.client()
    first, second = await w.agent("a", on=shared), await w.agent("b", on=shared)
    await first.close()
    async with raises(NotFoundError):
        await shared.get_agent(first.agent_id)
    same(shared._closed, False)
    same((await shared.get_agent(second.passport.name)).agent_id, second.agent_id)


async def n_023(w: World) -> None:
    a, b, channel = await w.pair({"error": "the model is down"}, {"error": "still down"})
    reported = []
    report = hub_of(b).report_turn_failure

    async def watched(**facts: object) -> None:
        await report(**facts)
        reported.append(facts)

    hub_of(b).report_turn_failure = watched
    first = await channel.send("one")
    await until(lambda: reported, "the hub took the report of the failed turn")
    same((reported[0]["channel_id"], reported[0]["agent_id"], reported[0]["envelope_id"]),
         (channel.channel_id, b.agent_id, first), "the report")
    await channel.send("two")
    same([text for _, text in await texts(a, channel)], ["one", "two"])
    same((await channel.info()).state, ChannelState.ACTIVE)


async def n_024(w: World) -> None:
    a, b, channel = await w.pair()

    async def throw(_: Envelope) -> None:
        raise ValueError("a broken handler")

    b.on_envelope(throw)
    await channel.send("one")
    await channel.send("two")
    inbox, seen = b.ensure_channel_inbox(channel.channel_id), []
    while len(dict.fromkeys(seen)) < 2:
        envelope = await asyncio.wait_for(inbox.get(), PATIENCE)
        if envelope.event_type == EV_TEXT:
            seen.append(envelope.event_data["text"])
    same(list(dict.fromkeys(seen)), ["one", "two"])


async def n_025(w: World) -> None:
    a, b, channel = await w.pair()
    await channel.send("one")
    before = await state(a, channel)
    await channel.close("done")
    same(await state(a, channel), before)
    metadata = await channel.info()
    holds(metadata.is_terminal(), "the metadata says that it has ended")


async def n_027(w: World) -> None:
    a, b = await w.agent("a", hub="impatient"), await w.agent("b", hub="impatient")
    b.on_envelope(None)
    async with raises(ProtocolError, "ack timeout"):
        await a.open(type="consulting", target=b.passport.name)


async def n_028(w: World) -> None:
    a, b, channel = await w.pair()
    said = [f"text {number}" for number in range(5)]
    ids = await asyncio.gather(*(channel.send(text) for text in said))
    same(len(set(ids)), 5)
    same(sorted(text for _, text in await texts(a, channel)), said)


async def n_029(w: World) -> None:
    a = await w.agent("a")
    async with raises(NotFoundError, "channel not found"):
        await say(a, "no-such-channel")


async def n_030(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    async with raises(ProtocolError, "listed twice"):
        await a.open(type="discussion", target=[b.passport.name, b.passport.name])
    same(await hub_of(a).list_channels(agent_id=a.agent_id), [])


async def n_031(w: World) -> None:
    a = await w.agent("a")
    async with raises(ProtocolError, "at least one"):
        await a.open(type="conversation", target=[])


async def n_032(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    async with raises(NotFoundError, "no adapter"):
        await a.open(type="no-such-type", target=b.passport.name)


async def n_110(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    channel = await a.open(type="conversation", target=b.passport.name)
    await hub_of(a).get_channel(channel.channel_id)
    same(hub_of(a).name_for(b.agent_id), b.passport.name)


async def n_111(w: World) -> None:
    client = w.client()
    await client.open()
    same(client.name_for("unknown-id"), "unknown-id")
    same(client.name_for("unknown-id", default="somebody"), "somebody")


async def n_183(w: World) -> None:
    capability = w.name("capability")
    first, second = w.client(), w.client()
    a = await w.agent("a", on=first, resume=Resume(claimed_capabilities=[capability]))
    same((first.remote, second.remote), (True, True))
    same((await second.get_agent(a.passport.name)).agent_id, a.agent_id)
    same([p.agent_id for p in await second.list_agents(capability=capability)], [a.agent_id])


async def n_184(w: World) -> None:
    async with raises(NotFoundError):
        await w.client().get_agent("nobody-at-all")


async def n_186(w: World) -> None:
    a = await w.agent("a")
    task = w.name("task")
    same(await hub_of(a).read_task_checkpoint(task), None)
    nested = {"step": 2, "found": [{"a": [1, {"b": None}]}]}
    await hub_of(a).checkpoint_task(task, nested)
    same(await hub_of(a).read_task_checkpoint(task), nested)
