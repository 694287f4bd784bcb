"""People: AG2's HumanClient on this hub."""

import asyncio

from world import *


async def n_119(w: World) -> None:
    human = await w.human(resume=Resume(summary="Likes to be asked"))
    same((human.passport.kind, human.passport.effective_kind.value if hasattr(human.passport.effective_kind, "value")
          else human.passport.effective_kind), ("human", "human"))
    holds(human.agent_id, "an id is assigned")
    same((await hub_of(human).get_resume(human.agent_id)).summary, "Likes to be asked")


async def n_122(w: World) -> None:
    shared = w.name("skill")
    resume = {"resume": Resume(claimed_capabilities=[shared])}
    agent, human = await w.agent(**resume), await w.human(**resume)
    listed = {}
    for kind in ("agent", "human", None):
        found = await hub_of(agent).list_agents(kind=kind, capability=shared)
        listed[kind] = {passport.agent_id for passport in found}
    same(listed, {"agent": {agent.agent_id}, "human": {human.agent_id}, None: {agent.agent_id, human.agent_id}})


async def n_123(w: World) -> None:
    human, agent = await w.human(), await w.agent(ack_only=True)
    questions = []

    async def answer(envelope: Envelope) -> None:
        if envelope.event_type == EV_TEXT:
            questions.append(envelope.event_data["text"])
            await human.send(envelope.channel_id, "yes", audience=[envelope.sender_id], causation_id=envelope.envelope_id)

    human.on_envelope(answer)
    channel = await agent.open(type="consulting", target=human.passport.name)
    same(channel.state, ChannelState.ACTIVE)
    await channel.send("is it so?", audience=[human.agent_id])
    same((await closed(agent, channel)).event_type, "ag2.channel.closed")
    same(questions, ["is it so?"])


async def n_124(w: World) -> None:
    human, agent = await w.human(), await w.agent(ack_only=True)
    channel = await agent.open(type="conversation", target=human.passport.name)
    first = await human.next_envelope(timeout=PATIENCE)
    holds(first.event_type.startswith("ag2.channel."), first.event_type)
    await channel.send("hello")
    text = await human.next_envelope(predicate=lambda e: e.event_type == EV_TEXT, timeout=PATIENCE)
    same(text.event_data["text"], "hello")


async def n_125(w: World) -> None:
    human, agent = await w.human(), await w.agent(ack_only=True)
    channel = await agent.open(type="conversation", target=human.passport.name)
    await channel.send("one")
    await channel.send("two")
    seen = []

    async def iterate() -> None:
        async for envelope in human.envelopes():
            if envelope.event_type == EV_TEXT:
                seen.append(envelope.event_data["text"])
                if len(seen) == 2:
                    await human.disconnect()

    await asyncio.wait_for(iterate(), PATIENCE)
    same(seen, ["one", "two"])


async def n_126(w: World) -> None:
    human, agent = await w.human(), await w.agent(ack_only=True)
    heard = []

    async def throw(_: Envelope) -> None:
        raise ValueError("a broken page")

    async def hear(envelope: Envelope) -> None:
        if envelope.event_type == EV_TEXT:
            heard.append(envelope.event_data["text"])

    human.on_envelope(throw)
    human.on_envelope(hear)
    channel = await agent.open(type="conversation", target=human.passport.name)
    await channel.send("one")
    await channel.send("two")
    await until(lambda: len(heard) == 2, "the second callback ran for both")
    pulled = [await human.next_envelope(predicate=lambda e: e.event_type == EV_TEXT, timeout=PATIENCE) for _ in "12"]
    same((heard, [e.event_data["text"] for e in pulled]), (["one", "two"], ["one", "two"]))


async def n_127(w: World) -> None:
    human, agent = await w.human(), await w.agent(ack_only=True)
    channel = await agent.open(type="conversation", target=human.passport.name)
    await human.disconnect()
    async with raises(RuntimeError, "disconnected"):
        await human.send(channel.channel_id, "too late")
    same(await texts(agent, channel), [])


async def n_128(w: World) -> None:
    human = await w.human()
    waiting = asyncio.create_task(human.next_envelope(predicate=lambda e: e.event_type == EV_TEXT))
    await asyncio.sleep(0.05)
    await human.disconnect()
    async with raises(RuntimeError, "disconnected"):
        await asyncio.wait_for(waiting, PATIENCE)
