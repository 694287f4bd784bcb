"""Receipts, cursors, replay, addressing, and coming back."""

import asyncio

from world import *

from ag2 import Agent
from ag2.network import AuthBlock, AuthError, NotFoundError
from ag2.network.transport.frames import ErrorFrame, HelloFrame, NotifyFrame, ReceiptFrame, WelcomeFrame
from ag2.network.transport.ws import WsLink, WsLinkClient


class BareLink:
    """AG2's link, driven frame by frame with no client on top."""

    def __init__(self, link: WsLinkClient) -> None:
        self.link = link
        self.frames: list = []
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for frame in self.link.frames():
            self.frames.append(frame)

    async def close(self) -> None:
        await self.link.close()
        self._reader.cancel()

    async def hello(self, name: str, since: str | None = None, scheme: str = "none", claim: dict | None = None):
        """The answer to a hello: Welcome or Error."""
        before = len(self.frames)
        await self.link.send_frame(
            HelloFrame(name=name, auth_scheme=scheme, auth_claim=claim or {}, since_envelope_id=since))
        return await until(lambda: next((f for f in self.frames[before:] if isinstance(f, (WelcomeFrame, ErrorFrame))), None),
                           "an answer to hello")

    async def receipt(self, envelope_id: str, recipient_id: str, channel_id: str, status: str = "ack", reason: str = ""):
        await self.link.send_frame(ReceiptFrame(
            envelope_id=envelope_id, status=status, recipient_id=recipient_id, channel_id=channel_id, reason=reason))

    def notified(self) -> list[NotifyFrame]:
        return [frame for frame in self.frames if isinstance(frame, NotifyFrame)]

    async def notice_of(self, envelope_id: str) -> NotifyFrame:
        return await until(lambda: next((f for f in self.notified() if f.envelope.envelope_id == envelope_id), None),
                           "the notify came")


async def bare(w: World, hub: str = "open") -> BareLink:
    link = WsLink(w.hubs[hub]).client()
    await link.open()
    driven = BareLink(link)
    w._stack.push_async_callback(driven.close)
    return driven


async def offline_b(w: World, type: str = "discussion", lines: list | None = None):
    """A and B in a channel that A has opened, all acknowledged; then B's connection ends."""
    a, b = await w.agent("a", ack_only=True), await w.agent("b", lines, ack_only=lines is None)
    channel = await a.open(type=type, target=b.passport.name)
    await quiet()
    await hub_of(b).close()
    return a, b, channel


async def replayed(w: World, name: str, since: str | None = "") -> list[NotifyFrame]:
    """What comes to a bare link behind the welcome."""
    link = await bare(w)
    welcome = await link.hello(name, since)
    same(type(welcome), WelcomeFrame)
    await quiet()
    same(link.frames[0], welcome, "first frame")
    return link.notified()


def ids(frames: list[NotifyFrame]) -> list[str]:
    return [frame.envelope.envelope_id for frame in frames]


async def n_158(w: World) -> None:
    a, b = await w.agent("a", ack_only=True), await w.agent("b", [""])
    channel = await a.open(type="discussion", target=b.passport.name)
    seen = []
    run = b._on_envelope

    async def note(envelope: Envelope) -> None:
        await run(envelope)
        seen.append(envelope.envelope_id)

    b.on_envelope(note)
    text = await channel.send("hello")
    await until(lambda: text in seen, "B's turn is over")
    await quiet()
    await hub_of(b).close()
    same(ids(await replayed(w, b.passport.name)), [], "nothing is outstanding up to the text")


async def n_159(w: World) -> None:
    a, b, channel = await offline_b(w)
    link = await bare(w)
    await link.hello(b.passport.name, "")
    earlier = await say(a, channel, event_type="ag2.task.progress", event_data={"step": 1})
    text = await say(a, channel, "hello")
    for envelope_id in (text, earlier):
        await link.notice_of(envelope_id)
        await link.receipt(envelope_id, b.agent_id, channel.channel_id)
    await quiet()
    await link.close()
    same(ids(await replayed(w, b.passport.name)), [], "the cursor stands on the text")


async def n_160(w: World) -> None:
    a, b, channel = await offline_b(w)
    link = await bare(w)
    await link.hello(b.passport.name, "")
    text = await say(a, channel, "hello")
    await link.notice_of(text)
    await link.receipt(text, b.agent_id, channel.channel_id, status="nack", reason="not now")
    await quiet()
    await link.close()
    same(ids(await replayed(w, b.passport.name)), [text], "it is still to be acknowledged")


async def n_161(w: World) -> None:
    a, b, channel = await offline_b(w)
    link = await bare(w)
    await link.hello(b.passport.name, "")
    text = await say(a, channel, "hello")
    await link.notice_of(text)
    await link.receipt(text, b.agent_id, "")
    await quiet()
    await link.close()
    same(ids(await replayed(w, b.passport.name)), [text], "a receipt without a channel counts for nothing")


async def n_162(w: World) -> None:
    a, b, channel = await w.pair()
    cause = await say(b, channel, "cause")
    text = await channel.send("effect", causation_id=cause)
    found = await hub_of(a).find_envelope_by_causation(
        channel_id=channel.channel_id, sender_id=a.agent_id, causation_id=cause)
    same((found.envelope_id, found.sender_id, found.event_data["text"]), (text, a.agent_id, "effect"))


async def n_163(w: World) -> None:
    a, b, channel = await w.pair()
    await channel.send("hello")
    same(await hub_of(a).find_envelope_by_causation(
        channel_id=channel.channel_id, sender_id=a.agent_id, causation_id="never-used"), None)


async def n_164(w: World) -> None:
    a, b, channel = await w.pair(type="discussion")
    seen: list[Envelope] = []
    only_ack(b, seen)
    text = await channel.send("S")
    await until(lambda: [e for e in seen if e.envelope_id == text], "B saw it")
    await quiet()
    await hub_of(b).close()
    posted = [await say(a, channel, event_type="ag2.task.progress", event_data={"step": n}, audience=[b.agent_id])
              for n in (1, 2)]
    got = await replayed(w, b.passport.name, text)
    same((ids(got), [f.recipient_id for f in got]), (posted, [b.agent_id] * 2))


async def n_165(w: World) -> None:
    a, b, channel = await offline_b(w)
    same(ids(await replayed(w, b.passport.name, "")), [])


async def n_166(w: World) -> None:
    a, b, channel = await offline_b(w)
    await say(a, channel, "while B is away")
    same(ids(await replayed(w, b.passport.name, None)), [])


async def n_168(w: World) -> None:
    a, b, channel = await w.pair("first reply", "second reply")
    text = await channel.send("question")
    want = [(a.agent_id, "question"), (b.agent_id, "first reply")]
    await until(lambda: _gives(texts(a, channel), want), "the reply")
    [trigger] = [e for e in await wal(a, channel) if e.envelope_id == text]
    await b.receive(trigger)
    await quiet()
    same(await texts(a, channel), want)


async def n_169(w: World) -> None:
    a, b, channel = await offline_b(w)
    link = await bare(w)
    await link.hello(b.passport.name, "")
    sent = await say(a, channel, event_type="ag2.task.progress", event_data={"step": 1}, audience=[b.agent_id])
    notice = await link.notice_of(sent)
    same((notice.recipient_id, notice.envelope.event_data), (b.agent_id, {"step": 1}))
    await link.receipt(sent, b.agent_id, channel.channel_id)
    await quiet()
    await link.close()
    same(ids(await replayed(w, b.passport.name)), [], "it is acknowledged")


async def n_170(w: World) -> None:
    name, client = w.name("new"), w.client()
    a = await client.attach(Agent(name), name, passport=Passport(name=name), resume=Resume(summary="new here"))
    holds(a.agent_id, "an id is assigned")
    same((await client.get_resume(a.agent_id)).summary, "new here")
    peer = await w.agent("peer", ack_only=True)
    channel = await peer.open(type="conversation", target=name)
    same(channel.state, ChannelState.ACTIVE, "invitations reach this connection")


async def n_171(w: World) -> None:
    async with raises(ValueError, "not registered"):
        await w.client().attach(Agent("x"), w.name("nobody"))


async def n_172(w: World) -> None:
    b = await w.agent("b", passport=None)
    name = b.passport.name
    await hub_of(b).close()
    again = await w.client().attach(Agent(name), name)
    same((again.agent_id, again.passport.name), (b.agent_id, name))


async def n_173(w: World) -> None:
    a, b, channel = await w.pair({"error": "the model is down"}, type="discussion")
    text = await channel.send("well?")
    [said] = [e for e in await wal(a, channel) if e.envelope_id == text]
    pending = await hub_of(b).pending_turns_for(b.agent_id)
    same([(p.channel_id, p.triggering_envelope_id, p.expected_at) for p in pending],
         [(channel.channel_id, text, said.created_at)])


async def n_174(w: World) -> None:
    a, b, channel = await w.pair()
    await channel.send("well?")
    same(await hub_of(a).pending_turns_for(a.agent_id), [])
    same(await hub_of(b).pending_turns_for(b.agent_id), [])


async def n_175(w: World) -> None:
    a, b, channel = await w.pair(type="discussion")
    [pending] = await hub_of(a).pending_turns_for(a.agent_id)
    same(pending.triggering_envelope_id, None)
    holds(pending.expected_at, "a time")


async def n_176(w: World) -> None:
    a, b, channel = await w.pair(type="discussion")
    text = await channel.send("well?")
    await quiet()
    seen: list[Envelope] = []
    only_ack(b, seen)
    same(await b.resume_pending_turns(), 1)
    same([e.envelope_id for e in seen], [text])


async def three_on_one(w: World):
    shared = w.client()
    members = [await w.agent(base, on=shared) for base in "abc"]
    seen: dict[str, list[str]] = {}
    for member in members:
        heard: list[Envelope] = []
        only_ack(member, heard)
        seen[member.agent_id] = heard
    channel = await members[0].open(type="discussion", target=[m.passport.name for m in members[1:]])
    return members, channel, lambda m: [e.event_data["text"] for e in seen[m.agent_id] if e.event_type == EV_TEXT]


async def n_178(w: World) -> None:
    (a, b, c), channel, heard = await three_on_one(w)
    await channel.send("to all")
    await until(lambda: heard(b) and heard(c), "what is sent to each comes over the one connection")


async def n_179(w: World) -> None:
    (a, b, c), channel, heard = await three_on_one(w)
    await channel.send("to B", audience=[b.agent_id])
    await until(lambda: heard(b), "B gets it")
    await quiet()
    same((heard(a), heard(b), heard(c)), ([], ["to B"], []))


async def n_180(w: World) -> None:
    (a, b, c), channel, heard = await three_on_one(w)
    await channel.send("to all")
    await until(lambda: heard(b) and heard(c), "B and C get it")
    await quiet()
    same((heard(a), heard(b), heard(c)), ([], ["to all"], ["to all"]))


async def n_182(w: World) -> None:
    a = await w.agent("a")
    link = await bare(w)
    welcome = await link.hello(a.passport.name)
    holds(welcome.endpoint_id, "an id of the endpoint")
    same(link.link.endpoint_id, welcome.endpoint_id)


# The hub with keys knows one per case: `<case>-key` is the key of the name `<case>-member`.


def credentials(case: str, token: str | None = None) -> AuthBlock:
    return AuthBlock(scheme="api_key", claim={"token": token or f"{case}-key"})


async def member_with_key(w: World, case: str):
    name = f"{case}-member"
    return await w.client("keys").register(Agent(name), Passport(name=name, auth=credentials(case)))


async def registers(w: World, case: str, auth: AuthBlock) -> None:
    name = f"{case}-member"
    agent = await w.client("keys").register(Agent(name), Passport(name=name, auth=auth))
    same((await hub_of(agent).get_agent(name)).agent_id, agent.agent_id)


async def n_187(w: World) -> None:
    await registers(w, "n187", credentials("n187"))


async def n_188(w: World) -> None:
    async with raises(AuthError, "mismatch"):
        await registers(w, "n188", credentials("n188", "wrong"))


async def n_189(w: World) -> None:
    async with raises(AuthError, "no api_key registered"):
        await registers(w, w.name("nobody"), credentials("n189"))


async def n_190(w: World) -> None:
    async with raises(AuthError, "missing required string field 'token'"):
        await registers(w, "n187", AuthBlock(scheme="api_key", claim={}))


async def n_192(w: World) -> None:
    a, b = await w.agent("a", ack_only=True), await w.agent("b")
    await hub_of(b).close()
    link = await bare(w)
    welcome = await link.hello(b.passport.name)
    same((type(welcome), welcome.endpoint_id), (WelcomeFrame, link.link.endpoint_id))
    opening = asyncio.create_task(a.open(type="conversation", target=b.passport.name))
    await until(lambda: link.notified(), "what is for the agent comes over this connection")
    opening.cancel()


async def n_193(w: World) -> None:
    b = await member_with_key(w, "n193")
    await hub_of(b).close()
    link = await bare(w, "keys")
    welcome = await link.hello("n193-member", None, "api_key", {"token": "n193-key"})
    same(type(welcome), WelcomeFrame)
    holds(await invited(w, link, "n193a", "n193-member"), "the connection gets what is for the agent")


async def n_194(w: World) -> None:
    b = await member_with_key(w, "n194")
    await hub_of(b).close()
    link = await bare(w, "keys")
    error = await link.hello("n194-member", None, "api_key", {"token": "wrong"})
    same((type(error), error.code), (ErrorFrame, "auth_failed"))
    holds("mismatch" in error.message, error.message)
    holds(not await invited(w, link, "n194a", "n194-member"), "the agent is on no connection")


async def n_195(w: World) -> None:
    b = await member_with_key(w, "n195")
    await hub_of(b).close()
    link = await bare(w, "keys")
    error = await link.hello("n195-member", None, "no-such-scheme", {"token": "n195-key"})
    same((type(error), error.code), (ErrorFrame, "auth_failed"))
    holds("unknown auth scheme" in error.message, error.message)
    holds(not await invited(w, link, "n195a", "n195-member"), "the agent is on no connection")


async def n_196(w: World) -> None:
    link = await bare(w, "keys")
    error = await link.hello(w.name("nobody"), None, "api_key", {"token": "whatever"})
    same((type(error), error.code), (ErrorFrame, "not_found"))


async def n_197(w: World) -> None:
    name = "n197-member"
    async with raises(AuthError):
        await w.client("keys").register(Agent(name), Passport(name=name, auth=credentials("n197", "wrong")))
    async with raises(NotFoundError):
        await w.client("keys").get_agent(name)


async def invited(w: World, link: BareLink, inviter: str, name: str) -> bool:
    """Whether an invitation to an agent comes over a link."""
    host = await w.client("keys").register(Agent(f"{inviter}-member"), Passport(name=f"{inviter}-member", auth=credentials(inviter)))
    opening = asyncio.create_task(host.open(type="conversation", target=name))
    await quiet()
    came = any(frame.envelope.event_type == "ag2.channel.invite" for frame in link.notified())
    opening.cancel()
    return came


async def _gives(coroutine, want) -> bool:
    return await coroutine == want
