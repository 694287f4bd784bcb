"""The four channel types: opening, speaking in turn, packets, context and closing."""

import asyncio

from world import *

from ag2.network import (
    AgentTarget,
    ContextEquals,
    FromSpeaker,
    Handoff,
    ProtocolError,
    RevertToInitiatorTarget,
    RoundRobinTarget,
    TerminateTarget,
    ToolCalled,
    Transition,
    TransitionGraph,
)

OPENING = ["ag2.channel.invite", "ag2.channel.invite.ack", "ag2.channel.opened"]


async def n_033(w: World) -> None:
    a, b, channel = await w.pair()
    holds(await channel.send("hello", audience=[b.agent_id, "0" * 32]), "an envelope id came back")


async def n_034(w: World) -> None:
    await consult_two(w, "exactly 2")


async def n_034_departed(w: World) -> None:
    await consult_two(w, "exactly one respondent")


async def consult_two(w: World, fragment: str) -> None:
    a = await w.agent("a")
    others = [(await w.agent(base, ack_only=True)).passport.name for base in "bc"]
    async with raises(ProtocolError, fragment):
        await a.open(type="consulting", target=others)


async def n_045(w: World) -> None:
    a = await w.agent("a")
    async with raises(ProtocolError, "at least 2"):
        await a.open(type="discussion", target=[])


async def n_045_departed(w: World) -> None:
    a = await w.agent("a")
    async with raises(ProtocolError, "at least one"):
        await a.open(type="discussion", target=[])


async def n_151(w: World) -> None:
    """The channel's own expectation by its knob, with a second in place of a minute."""
    expectation = {"name": "max_silence", "on_violation": "notify_channel", "params": {"seconds": 1}}
    a, b, channel = await w.pair(knobs={"expectations": [expectation]})
    await until(lambda: _violated(a, channel), "the violation stands in the log")
    await quiet()
    told = [e for e in await wal(a, channel) if e.event_type == "ag2.expectation.violated"]
    same([e.event_data["expectation"] for e in told], ["max_silence"])
    same((await channel.info()).state, ChannelState.ACTIVE)


async def _violated(a, channel) -> bool:
    return "ag2.expectation.violated" in await events(a, channel)


async def n_037(w: World) -> None:
    a, b, channel = await w.pair(type="consulting")
    metadata = channel.metadata
    same((metadata.state, metadata.creator_id, list(metadata.pending_acks)), (ChannelState.ACTIVE, a.agent_id, []))
    same(len(metadata.participants), 2)
    same(await events(a, channel), OPENING)


async def n_038(w: World) -> None:
    a, b, channel = await w.pair("answer", type="consulting")
    await channel.send("question", audience=[b.agent_id])
    same((await closed(a, channel)).event_data["reason"], "consulting_complete")
    metadata = await channel.info()
    same((metadata.state, metadata.close_reason), (ChannelState.CLOSED, "consulting_complete"))
    same(await texts(a, channel), [(a.agent_id, "question"), (b.agent_id, "answer")])


async def n_039(w: World) -> None:
    a, b, channel = await w.pair(type="consulting")
    async with raises(ProtocolError, "initiator"):
        await say(b, channel)


async def n_041(w: World) -> None:
    a, b, channel = await w.pair()
    await say(a, channel)
    await say(b, channel)
    last = await say(a, channel)
    folded = await state(a, channel)
    same((folded.turn_count, folded.last_speaker_id, folded.last_envelope_id), (3, a.agent_id, last))


async def n_042(w: World) -> None:
    a, b, channel = await w.pair()
    metadata = channel.metadata
    same((metadata.state, metadata.creator_id, list(metadata.pending_acks)), (ChannelState.ACTIVE, a.agent_id, []))
    same({p.agent_id for p in metadata.participants}, {a.agent_id, b.agent_id})
    same(await events(a, channel), OPENING)


async def n_043(w: World) -> None:
    a, b = await w.agent("a", ["a2", ""]), await w.agent("b", ["b1", "b2"])
    channel = await a.open(type="conversation", target=b.passport.name)
    await channel.send("a1")
    A, B = a.agent_id, b.agent_id
    want = [(A, "a1"), (B, "b1"), (A, "a2"), (B, "b2")]
    await until(lambda: _gives(texts(a, channel), want), "four texts")
    await quiet()
    same(await texts(a, channel), want)
    folded = await state(a, channel)
    same((folded.turn_count, folded.last_speaker_id), (4, B))


async def n_044(w: World) -> None:
    a, b, channel = await w.pair()
    metadata = await channel.close("done")
    same((metadata.state, metadata.close_reason), (ChannelState.CLOSED, "done"))
    async with raises(ProtocolError):
        await channel.send("late")


async def n_046(w: World) -> None:
    (a, b, c), channel = await w.trio()
    async with raises(ProtocolError, f"expects '{a.agent_id}' to speak"):
        await say(b, channel)


async def n_047(w: World) -> None:
    (a, b, c), channel = await w.trio()
    before = len(await wal(a, channel))
    async with raises(ProtocolError):
        await say(b, channel, "out of turn")
    same(len(await wal(a, channel)), before)
    same(await texts(a, channel), [])


async def n_048(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    async with raises(ProtocolError, "ordering"):
        await a.open(type="discussion", target=b.passport.name, knobs={"ordering": "dynamic"})


async def n_049(w: World) -> None:
    members = [await w.agent(base, ack_only=True) for base in "abcde"]
    names = [member.passport.name for member in members[1:]]
    first = members[0]
    channel = await first.open(type="discussion", target=names, knobs={"ordering": "round_robin"})
    metadata = channel.metadata
    same((metadata.state, list(metadata.pending_acks), list(metadata.rejected_by)), (ChannelState.ACTIVE, [], []))
    same(len(metadata.participants), 5)
    seen = await events(first, channel)
    same(sorted(seen), sorted([OPENING[0]] * 4 + [OPENING[1]] * 4 + [OPENING[2]]))
    folded = await state(first, channel)
    same((folded.expected_next_speaker, folded.participant_order[0]), (first.agent_id, first.agent_id))


async def n_050(w: World) -> None:
    members, channel = await w.trio()
    a, b, c = members
    expected = []
    for member in members:
        await say(member, channel)
        expected.append((await state(a, channel)).expected_next_speaker)
    same(expected, [b.agent_id, c.agent_id, a.agent_id])
    folded = await state(a, channel)
    same((folded.turn_count, folded.last_speaker_id), (3, c.agent_id))


async def n_051(w: World) -> None:
    a, b, c = await w.agent("a"), await w.agent("b", ack_only=True), await w.agent("c")

    async def reject(envelope: Envelope) -> None:
        if envelope.event_type == "ag2.channel.invite":
            await say(c, envelope.channel_id, event_type="ag2.channel.invite.reject",
                      event_data={"channel_id": envelope.channel_id, "reason": "busy"},
                      causation_id=envelope.envelope_id)

    c.on_envelope(reject)
    async with raises(ProtocolError, "rejected"):
        await a.open(type="discussion", target=[b.passport.name, c.passport.name])


async def n_064(w: World) -> None:
    a, b = await w.agent("a"), await w.agent("b", ack_only=True)
    async with raises(ProtocolError, "graph"):
        await a.open(type="workflow", target=b.passport.name, knobs={})


def packet(body: str = "", *, to: str | None = None, tool: str | None = None, kind: str | None = None, **more) -> dict:
    routing = {"kind": kind or ("handoff" if to or tool else "text")}
    routing |= {key: value for key, value in (("tool", tool), ("target", to)) if value}
    routing |= {key: more.pop(key) for key in ("reason", "summary") if key in more}
    updates = {"set": more.pop("set", {}), "delete": more.pop("delete", [])}
    return {"event_type": EV_PACKET, "event_data": {"routing": routing, "context_updates": updates, "body": body}}


async def workflow(w: World, graph_of, count: int = 2, lines: dict[int, list] | None = None, **knobs):
    """Members who only ack, or answer by their lines, in a workflow with the graph that their ids give."""
    lines = lines or {}
    members = [await w.agent("abcde"[n], lines.get(n), ack_only=n not in lines) for n in range(count)]
    graph = graph_of(*(member.agent_id for member in members))
    names = [member.passport.name for member in members[1:]]
    channel = await members[0].open(type="workflow", target=names, knobs={"graph": graph.to_dict(), **knobs})
    return members, channel


def back_and_forth(a: str, b: str) -> TransitionGraph:
    return TransitionGraph(
        initial_speaker=a,
        transitions=[
            Transition(when=FromSpeaker(a), then=AgentTarget(b)),
            Transition(when=FromSpeaker(b), then=RevertToInitiatorTarget()),
        ],
        default_target=TerminateTarget("done"),
        max_turns=8,
    )


async def n_065(w: World) -> None:
    a, b = await w.human("a"), await w.human("b")
    graph = back_and_forth(a.agent_id, b.agent_id).to_dict()
    channel = await a.open(type="workflow", target=b.passport.name, knobs={"graph": graph})
    same(channel.state, ChannelState.ACTIVE)
    adapter = hub_of(a).adapter_for(channel.channel_id)
    await hub_of(a).post_envelope(
        adapter.build_packet_envelope(channel_id=channel.channel_id, sender_id=a.agent_id, body="from A"))
    folded = await state(a, channel)
    same((folded.expected_next_speaker, folded.last_speaker_id), (b.agent_id, a.agent_id))
    await hub_of(b).post_envelope(
        adapter.build_packet_envelope(channel_id=channel.channel_id, sender_id=b.agent_id, body="from B",
                                      handoff=Handoff(target=a.agent_id, reason="back")))
    folded = await state(a, channel)
    same((folded.expected_next_speaker, folded.last_speaker_id), (a.agent_id, b.agent_id))


async def set_context(member, channel, **data) -> None:
    await say(member, channel, event_type="ag2.context.set", event_data=data)


async def n_066(w: World) -> None:
    (a, b), channel = await workflow(w, back_and_forth)
    await set_context(a, channel, set={"one": 1, "two": {"deep": [2]}})
    same((await state(a, channel)).context_vars, {"one": 1, "two": {"deep": [2]}})


async def n_067(w: World) -> None:
    (a, b), channel = await workflow(w, back_and_forth)
    await set_context(a, channel, set={"p": "old", "t": 1})
    await set_context(a, channel, delete=["t"], set={"r": True})
    same((await state(a, channel)).context_vars, {"p": "old", "r": True})


async def n_068(w: World) -> None:
    (a, b), channel = await workflow(w, back_and_forth)
    same((await state(a, channel)).expected_next_speaker, a.agent_id)
    await set_context(b, channel, set={"by": "B"})
    same((await state(a, channel)).context_vars, {"by": "B"})


async def n_069(w: World) -> None:
    (a, b), channel = await workflow(w, back_and_forth)
    await set_context(a, channel, set={"one": 1})
    folded = await state(a, channel)
    same((folded.turn_count, folded.expected_next_speaker), (0, a.agent_id))


async def owes(member, channel) -> None:
    """The hub itself expects the member to speak."""
    pending = await hub_of(member).pending_turns_for(member.agent_id)
    same([turn.channel_id for turn in pending], [channel.channel_id], "the turns that the hub says are owed")


async def n_079(w: World) -> None:
    def graph(a, billing, technical):
        return TransitionGraph(
            initial_speaker=a,
            transitions=[
                Transition(when=ContextEquals("category", "billing"), then=AgentTarget(billing)),
                Transition(when=ContextEquals("category", "technical"), then=AgentTarget(technical)),
            ],
            default_target=TerminateTarget("done"),
        )

    (a, b, t), channel = await workflow(w, graph, 3)
    await say(a, channel, **packet("triaged", set={"category": "technical"}))
    folded = await state(a, channel)
    same((folded.context_vars, folded.expected_next_speaker), ({"category": "technical"}, t.agent_id))
    await owes(t, channel)


async def n_080(w: World) -> None:
    def graph(a, x, y):
        return TransitionGraph(initial_speaker=a, default_target=TerminateTarget("done"),
                               transitions=[Transition(when=ToolCalled("t"), then=AgentTarget(x))])

    (a, x, y), channel = await workflow(w, graph, 3)
    await say(a, channel, **packet("go", tool="t", to=y.agent_id))
    same((await state(a, channel)).expected_next_speaker, y.agent_id)
    await owes(y, channel)


async def n_081(w: World) -> None:
    members, channel = await workflow(w, lambda *ids: TransitionGraph.round_robin(list(ids), max_turns=30), 3)
    a, b, c = members
    same((channel.state, (await state(a, channel)).expected_next_speaker), (ChannelState.ACTIVE, a.agent_id))
    for member in members:
        await say(member, channel)
    folded = await state(a, channel)
    same((folded.expected_next_speaker, folded.turn_count), (a.agent_id, 3))
    async with raises(ProtocolError, "expects"):
        await say(b, channel)


async def n_082(w: World) -> None:
    members, channel = await workflow(w, lambda *ids: TransitionGraph.sequence(list(ids)), 3)
    for member in members:
        await say(member, channel)
    metadata = await channel.info()
    same((metadata.state, metadata.close_reason), (ChannelState.CLOSED, "sequence_complete"))


async def n_083(w: World) -> None:
    (a, b), channel = await workflow(w, back_and_forth)
    await say(a, channel, **packet("that is all", kind="finish", reason="all_done"))
    folded = await state(a, channel)
    same((folded.expected_next_speaker, folded.pending_close_reason), (None, "all_done"))
    metadata = await channel.info()
    same((metadata.state, metadata.close_reason), (ChannelState.CLOSED, "all_done"))


async def n_084(w: World) -> None:
    (a, b, c), channel = await workflow(
        w, lambda *ids: TransitionGraph.sequence(list(ids)), 3, {1: ["from B"], 2: ["from C"]})
    await channel.send("begin")
    same((await closed(a, channel)).event_data["reason"], "sequence_complete")
    same((await channel.info()).close_reason, "sequence_complete")


async def n_085(w: World) -> None:
    lines = {0: ["a2", "a3"], 1: ["b1", "b2"], 2: ["c1", "c2"]}
    (a, b, c), channel = await workflow(
        w, lambda *ids: TransitionGraph.round_robin(list(ids), max_turns=6), 3, lines)
    await channel.send("begin")
    same((await closed(a, channel)).event_data["reason"], "max_turns")


async def n_185(w: World) -> None:
    a, b = await w.agent("a", ack_only=True), await w.agent("b", ["from B"])
    channel = await a.open(type="discussion", target=b.passport.name, knobs={"ordering": "round_robin"})
    await channel.send("from A")
    want = [(a.agent_id, "from A"), (b.agent_id, "from B")]
    await until(lambda: _gives(texts(a, channel), want), "both texts")


async def n_233(w: World) -> None:
    a, b, channel = await w.pair()
    await channel.send("hello")
    said = [e for e in await wal(a, channel) if e.event_type == EV_TEXT]
    same([e.trace_id for e in said], [None])


async def _gives(coroutine, want) -> bool:
    return await coroutine == want
