"""
A process with AG2's own clients in it, driven by commands.

Connections and members have names. What comes for a member is told as an event as soon as it has
come, before AG2 handles it; what AG2 does then is AG2's own doing.
"""

import asyncio
import logging
import sys
from dataclasses import dataclass
from typing import Any, Coroutine

from lines import plain, say, serve_commands
from script import Script
from tools import NAMED_TOOLS, work_alone
from watched_link import WatchedLink
from workflows import build_graph, fold_at_every_position

from ag2 import Agent
from ag2.network import ChannelMetadata, Envelope, Handoff, HubClient, Passport, Resume, Rule, TransitionGraph
from ag2.task import TaskMetadata, TaskState

# Pause between attempts to come back, and the time that one may take.
RETRY_SECONDS = 0.05
ATTACH_SECONDS = 5.0


@dataclass
class Connection:
    name: str
    url: str
    # Come back after a break, and attach everybody again.
    keeps: bool
    client: HubClient


@dataclass
class Member:
    name: str
    connection: Connection
    client: Any
    args: dict[str, Any]
    script: Script | None = None
    agent: Agent | None = None


class Peer:
    def __init__(self) -> None:
        self.connections: dict[str, Connection] = {}
        self.members: dict[str, Member] = {}
        self.names: dict[str, str] = {}
        self.background: set[asyncio.Task[None]] = set()

    async def run(self, command: str, args: dict[str, Any]) -> Any:
        return await getattr(self, f"do_{command}")(**args)

    # Connections

    def dial(self, name: str, url: str) -> HubClient:
        def on_notify(frame: Any) -> None:
            to = self.names.get(frame.recipient_id, frame.recipient_id)
            say({"event": "envelope", "to": to, "envelope": frame.envelope.to_dict()})

        def on_end() -> None:
            self.on_end(name, client)

        client = HubClient(WatchedLink(url, on_notify, on_end))
        return client

    def on_end(self, name: str, client: HubClient) -> None:
        connection = self.connections.get(name)
        if connection is None or connection.client is not client:
            return
        say({"event": "end", "connection": name})
        if connection.keeps:
            # Not waited for: AG2's close waits for handlers, and one that asks a dead link waits 30 s.
            self.spawn(client.close())
            self.spawn(self.come_back(connection))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.background.add(task)
        task.add_done_callback(self.background.discard)

    async def come_back(self, connection: Connection) -> None:
        """AG2 leaves reconnecting to the program that uses it: a new client, and attach."""
        while True:
            fresh = self.dial(connection.name, connection.url)
            try:
                await asyncio.wait_for(self.attach_all(connection, fresh), ATTACH_SECONDS)
            except Exception as error:
                logging.warning("no connection yet: %r", error)
                self.spawn(fresh.close())
                await asyncio.sleep(RETRY_SECONDS)
                continue
            say({"event": "back", "connection": connection.name})
            return

    async def attach_all(self, connection: Connection, fresh: HubClient) -> None:
        await fresh.open()
        for member in [m for m in self.members.values() if m.connection is connection and m.agent]:
            await self.attach_member(member, fresh, "")
        connection.client = fresh

    async def do_connect(self, name: str, url: str, keeps: bool = False) -> None:
        connection = Connection(name, url, keeps, self.dial(name, url))
        self.connections[name] = connection
        await connection.client.open()

    async def do_cut(self, name: str) -> None:
        self.connections[name].client._client_link.cut()

    async def do_rest(self, member: str) -> None:
        """Resolves when AG2 has handled all that has come over the member's connection."""
        while tasks := self.members[member].connection.client._notify_tasks:
            await asyncio.wait(set(tasks))

    async def do_close(self, name: str) -> None:
        self.connections[name].keeps = False
        await self.connections[name].client.close()

    async def do_shutdown(self, name: str) -> None:
        self.connections[name].keeps = False
        await self.connections[name].client.shutdown()

    # Members

    def make_agent(self, member: Member) -> Agent:
        tools = [NAMED_TOOLS[name] for name in member.args.get("tools", [])]
        member.agent = Agent(member.name, config=member.script, tools=tools)
        return member.agent

    async def do_register(self, connection: str, name: str, **args: Any) -> dict[str, Any]:
        at = self.connections[connection]
        member = Member(name, at, None, args, script=Script(args.get("script", [])))
        member.client = await at.client.register(
            self.make_agent(member),
            passport_of(name, args),
            resume_of(args),
            skill_md=args.get("skill_md"),
            rule=rule_of(args),
        )
        return self.admit(member)

    async def do_register_human(self, connection: str, name: str, **args: Any) -> dict[str, Any]:
        at = self.connections[connection]
        member = Member(name, at, None, args)
        member.client = await at.client.register_human(
            passport_of(name, args),
            resume=resume_of(args),
            rule=rule_of(args),
            auto_ack_invites=args.get("auto_ack_invites", True),
        )
        return self.admit(member)

    async def do_attach(self, connection: str, name: str, since: str | None = "", **args: Any) -> dict[str, Any]:
        member = Member(name, self.connections[connection], None, args, script=Script(args.get("script", [])))
        return await self.attach_member(member, member.connection.client, since)

    async def attach_member(self, member: Member, client: HubClient, since: str | None) -> dict[str, Any]:
        with_auth = "auth" in member.args
        member.client = await client.attach(
            self.make_agent(member),
            member.name,
            passport=passport_of(member.name, member.args) if with_auth else None,
            since_envelope_id=since,
        )
        return self.admit(member)

    def admit(self, member: Member) -> dict[str, Any]:
        self.members[member.name] = member
        self.names[member.client.agent_id] = member.name
        return plain(member.client.passport)

    async def do_resume_pending(self, member: str) -> int:
        return await self.members[member].client.resume_pending_turns()

    async def do_disconnect(self, member: str) -> None:
        await self.members[member].client.disconnect()

    async def do_unregister(self, member: str) -> None:
        await self.members[member].client.unregister()

    async def do_set_rule(self, member: str, rule: dict[str, Any]) -> None:
        await self.members[member].client.set_rule(Rule.from_dict(rule))

    async def do_set_resume(self, member: str, resume: dict[str, Any]) -> dict[str, Any]:
        client = self.members[member].client
        await client.set_resume(Resume.from_dict(resume))
        return plain(client.resume)

    async def do_set_skill(self, member: str, skill_md: str | None) -> None:
        await self.members[member].client.set_skill(skill_md)

    # Scripts

    async def do_add_lines(self, member: str, lines: list[Any]) -> None:
        self.members[member].script.lines.extend(lines)

    async def do_release(self, member: str, gate: str) -> None:
        self.members[member].script.gate(gate).set()

    async def do_asked(self, member: str) -> dict[str, Any]:
        script = self.members[member].script
        return {"calls": script.asked, "waiting": sorted(script.waiting), "left": len(script.lines)}

    async def do_ask(self, member: str, text: str) -> str:
        """A turn outside any channel, with the agent's network tools."""
        reply = await self.members[member].agent.ask(text)
        return reply.body or ""

    # Channels

    async def do_open(self, member: str, **args: Any) -> dict[str, Any]:
        channel = await self.members[member].client.open(**args)
        return plain(channel.metadata)

    async def do_send(self, member: str, channel_id: str, text: str = "", **args: Any) -> str:
        client = self.members[member].client
        event_data = args.pop("event_data", {"text": text})
        envelope = Envelope(
            channel_id=channel_id,
            sender_id=client.agent_id,
            audience=args.pop("audience", None),
            event_type=args.pop("event_type", "ag2.msg.text"),
            event_data=event_data,
            **args,
        )
        return await client.send_envelope(envelope)

    async def do_send_packet(self, member: str, channel_id: str, body: str, **args: Any) -> str:
        """A packet as AG2's adapter builds it for programs without a model."""
        client = self.members[member].client
        hub = client._hub_client
        adapter = hub.adapter_for_metadata(await hub.get_channel(channel_id))
        handoff = Handoff(**args["handoff"]) if "handoff" in args else None
        envelope = adapter.build_packet_envelope(
            channel_id, client.agent_id, body, handoff=handoff, context_set=args.get("context_set")
        )
        return await client.send_envelope(envelope)

    async def do_send_value(self, member: str, channel_id: str, source: str) -> str:
        """An event of a program's own, with a value as Python's source has it."""
        return await self.do_send(member, channel_id, event_type="test.value", event_data={"value": eval(source)})

    async def do_values(self, connection: str, channel_id: str) -> list[str]:
        wal = await self.connections[connection].client.read_wal(channel_id)
        return [repr(line.event_data["value"]) for line in wal if line.event_type == "test.value"]

    async def do_wait_for_text(self, member: str, channel_id: str, text: str, timeout: float = 20.0) -> dict[str, Any]:
        def matches(envelope: Envelope) -> bool:
            return envelope.event_data.get("text") == text

        client = self.members[member].client
        return plain(await client.wait_for_channel_event(channel_id=channel_id, predicate=matches, timeout=timeout))

    async def do_next_envelope(self, member: str, event_type: str, timeout: float = 20.0) -> dict[str, Any]:
        client = self.members[member].client
        return plain(await client.next_envelope(predicate=lambda e: e.event_type == event_type, timeout=timeout))

    async def do_close_channel(self, member: str, channel_id: str, reason: str = "") -> dict[str, Any]:
        client = self.members[member].client
        return plain(await client._hub_client.close_channel(channel_id, reason=reason))

    # The hub, tasks, graphs, folds

    async def do_call(self, connection: str, method: str, args: dict[str, Any]) -> Any:
        """Any verb of a hub client by its name."""
        if args.get("state") and method in ("update_task", "list_tasks"):
            args["state"] = TaskState(args["state"])
        if method == "record_observation":
            args["outcome"] = TaskState(args["outcome"])
        if method == "observe_task":
            args["metadata"] = TaskMetadata.from_dict(args["metadata"])
        if method == "post_envelope":
            args["envelope"] = Envelope.from_dict(args["envelope"])
        result = getattr(self.connections[connection].client, method)(**args)
        return await result if asyncio.iscoroutine(result) else result

    async def do_work(self, member: str, **args: Any) -> dict[str, Any]:
        mine = self.members[member]
        return await work_alone(mine.client, mine.agent, mine.script.gate, args)

    async def do_graph(self, description: dict[str, Any]) -> dict[str, Any]:
        graph = build_graph(description)
        return {"graph": graph.to_dict(), "text": graph.dumps()}

    async def do_read_graph(self, graph: Any) -> dict[str, Any]:
        return TransitionGraph.loads(graph).to_dict()

    async def do_fold(self, connection: str, channel_id: str) -> list[dict[str, Any]]:
        client = self.connections[connection].client
        metadata = await client.get_channel(channel_id)
        return fold_at_every_position(client, metadata, await client.read_wal(channel_id))

    async def do_fold_log(self, metadata: dict[str, Any], wal: list[dict[str, Any]]) -> list[dict[str, Any]]:
        client = HubClient(WatchedLink("ws://127.0.0.1:1", lambda _: None, lambda: None))
        envelopes = [Envelope.from_dict(line) for line in wal]
        return fold_at_every_position(client, ChannelMetadata.from_dict(metadata), envelopes)


def passport_of(name: str, args: dict[str, Any]) -> Passport:
    data = {"name": name, **args.get("passport", {})}
    if "auth" in args:
        data["auth"] = args["auth"]
    return Passport.from_dict(data)


def resume_of(args: dict[str, Any]) -> Resume:
    return Resume.from_dict(args.get("resume", {}))


def rule_of(args: dict[str, Any]) -> Rule | None:
    return Rule.from_dict(args["rule"]) if "rule" in args else None


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    asyncio.run(serve_commands(Peer().run))
