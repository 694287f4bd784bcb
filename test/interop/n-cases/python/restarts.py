"""What is there after the hub was killed and started anew on the same data. These run one by one."""

import asyncio

from world import *

from ag2 import Agent
from ag2.network import TransitionGraph
from channels import packet
from delivery import bare


async def n_209(w: World) -> None:
    client = w.client("empty")
    same(await client.list_agents(), [])
    a = await w.agent("first", on=client)
    same(await client.list_channels(agent_id=a.agent_id, include_terminal=True), [])
    same(await client.list_tasks(), [])


async def away(*clients) -> None:
    for client in clients:
        await hub_of(client).close()


async def back(w: World, client):
    """The same agent on the restarted hub, by its name."""
    again = await w.client("durable").attach(Agent(client.passport.name), client.passport.name)
    only_ack(again)
    return again


async def members(w: World, count: int) -> list:
    return [await w.agent("abc"[n], hub="durable", ack_only=True) for n in range(count)]


async def n_167(w: World) -> None:
    a, b = await members(w, 2)
    channel = await a.open(type="conversation", target=b.passport.name)
    seen: list[Envelope] = []
    only_ack(b, seen)
    text = await channel.send("hello")
    await until(lambda: [e for e in seen if e.envelope_id == text], "B has it")
    await quiet()
    await away(a, b)
    await w.restart("durable")
    link = await bare(w, "durable")
    await link.hello(b.passport.name, "")
    await quiet()
    same([f.envelope.envelope_id for f in link.notified()], [], "what was acknowledged is not sent again")


async def n_206(w: World) -> None:
    a, b = await members(w, 2)
    channel = await a.open(type="consulting", target=b.passport.name)
    await channel.send("question", audience=[b.agent_id])
    await away(a, b)
    await w.restart("durable")
    a = await back(w, a)
    metadata = await hub_of(a).get_channel(channel.channel_id)
    same((metadata.channel_id, metadata.manifest.type), (channel.channel_id, "consulting"))
    folded = await state(a, channel)
    same((folded.initiator_sent, folded.respondent_replied), (True, False))


async def n_207(w: World) -> None:
    a, b, c = await members(w, 3)
    channel = await a.open(type="discussion", target=[b.passport.name, c.passport.name])
    await channel.send("first")
    await away(a, b, c)
    await w.restart("durable")
    again = await back(w, a)
    await hub_of(again).get_channel(channel.channel_id)
    folded = await state(again, channel)
    same((folded.expected_next_speaker, folded.last_speaker_id, folded.turn_count, list(folded.participant_order)),
         (b.agent_id, a.agent_id, 1, [a.agent_id, b.agent_id, c.agent_id]))


async def n_208(w: World) -> None:
    x, y, z, word = w.name("x"), w.name("y"), w.name("z"), w.name("seafaring")
    name = w.name("a")
    a = await w.agent(name=name, hub="durable", passport=Passport(name=name, owner="the owner"),
                      resume=Resume(claimed_capabilities=[x, y], summary=f"Knows {word} well"), skill_md="# By hand")
    b = await w.agent("b", hub="durable", resume=Resume(claimed_capabilities=[z]), rule=Rule())
    await away(a, b)
    await w.restart("durable")
    client = w.client("durable")
    passport = await client.get_agent(name)
    same((passport.agent_id, passport.owner), (a.agent_id, "the owner"))
    same((await client.get_agent(b.passport.name)).agent_id, b.agent_id)
    resume = await client.get_resume(a.agent_id)
    same((resume.claimed_capabilities, resume.summary), ([x, y], f"Knows {word} well"))
    same(await client.get_skill(a.agent_id), "# By hand")
    same([p.agent_id for p in await client.list_agents(capability=z)], [b.agent_id])
    same([p.agent_id for p in await client.list_agents(query=word)], [a.agent_id])


async def n_213(w: World) -> None:
    a, b = await members(w, 2)
    first = await a.open(type="conversation", target=b.passport.name)
    second = await a.open(type="conversation", target=b.passport.name)
    await first.close("done")
    await away(a, b)
    await w.restart("durable")
    a = await back(w, a)
    known = {m.channel_id: m.state for m in await hub_of(a).list_channels(agent_id=a.agent_id, include_terminal=True)}
    same(known, {first.channel_id: ChannelState.CLOSED, second.channel_id: ChannelState.ACTIVE})


async def n_214(w: World) -> None:
    skill = w.name("skill")
    a, b = await members(w, 2)
    await b.set_resume(Resume(claimed_capabilities=[skill]))

    async def talk() -> str:
        channel = await a.open(type="conversation", target=b.passport.name)
        for number in range(100):
            await say((a, b)[number % 2], channel, str(number))
        return channel.channel_id

    ids = [one for start in range(0, 100, 20) for one in await asyncio.gather(*(talk() for _ in range(20)))]
    await away(a, b)
    for _ in range(2):
        await w.restart("durable")
        again = await back(w, a)
        known = {m.channel_id: m for m in await hub_of(again).list_channels(agent_id=a.agent_id, limit=1000)}
        same(set(known), set(ids))
        for channel_id in ids:
            same((known[channel_id].state, known[channel_id].manifest.type), (ChannelState.ACTIVE, "conversation"))
            await hub_of(again).get_channel(channel_id)
            folded = await state(again, channel_id)
            same((folded.turn_count, folded.last_speaker_id), (100, b.agent_id))
        same([p.agent_id for p in await hub_of(again).list_agents(capability=skill)], [b.agent_id])
        await away(again)


async def n_215(w: World) -> None:
    t, e = await members(w, 2)
    graph = TransitionGraph.sequence([t.agent_id, e.agent_id]).to_dict()
    channel = await t.open(type="workflow", target=e.passport.name, knobs={"graph": graph})
    await say(t, channel, **packet("over to you", to=e.agent_id))
    await away(t, e)
    await w.restart("durable")
    again = await back(w, t)
    metadata = await hub_of(again).get_channel(channel.channel_id)
    same((metadata.manifest.type, metadata.state, metadata.creator_id), ("workflow", ChannelState.ACTIVE, t.agent_id))
    folded = await state(again, channel)
    same((folded.expected_next_speaker, folded.last_speaker_id, folded.turn_count, list(folded.participant_order)),
         (e.agent_id, t.agent_id, 1, [t.agent_id, e.agent_id]))
