import type { CrashPoint } from "@colloquy/testkit";
import type { ClientHost } from "../world/client-host.js";
import type { World } from "../world/world.js";
import type { Action } from "./action.js";

const CRASH_POINTS: readonly CrashPoint[] = [
  "commit:before",
  "commit:before",
  "commit:after",
  "commit:after",
  "readWal:before",
  "readEnvelope:after",
  "recover:before",
  "recover:after",
];

function onClient(
  name: string,
  weight: number,
  does: (client: ClientHost & { readonly isUp: boolean }, world: World) => void,
): Action {
  return {
    name,
    family: "network",
    weight,
    run(world) {
      const client = world.dice.pick(world.clients.filter(({ isUp }) => isUp));
      if (client === undefined) return false;
      world.chronicle.note(name, { client: client.name });
      does(client, world);
      return true;
    },
  };
}

const NETWORK: readonly Action[] = [
  onClient("cut", 4, ({ link }) => link?.cut()),
  onClient("freeze", 2, ({ link }) => link?.freeze()),
  onClient("thaw", 4, ({ link }) => link?.thaw()),
  onClient("refuse dials", 1, ({ link }, { dice }) => link?.refuse(1 + dice.int(3))),
  onClient("delay frames", 2, ({ link }, { dice }) => link?.randomly({ delayMs: dice.int(200) })),
  onClient("cut at random", 1, ({ link }, { dice }) =>
    link?.randomly({ cut: 0.05 * dice.next(), delayMs: dice.int(50) }),
  ),
  onClient("lose frames to the hub", 1, (client) => client.lose("to_hub")),
  onClient("lose frames to the client", 1, (client) => client.lose("to_client")),
  onClient("read slowly", 2, ({ reading }) => reading.shut()),
  onClient("read on", 3, ({ reading }) => reading.open()),
  onClient("mend the network", 5, (client) => client.mend()),
  {
    name: "stammer",
    family: "network",
    weight: 1,
    run(world) {
      world.stammer = world.dice.pick([0, 0.2, 1]) ?? 0;
      return true;
    },
  },
];

const PROCESSES: readonly Action[] = [
  {
    name: "kill the hub",
    family: "process",
    weight: 1,
    run({ host }) {
      if (host.state === "down") return false;
      host.kill();
      return true;
    },
  },
  {
    name: "end the hub",
    family: "process",
    weight: 1,
    run({ host, dice }) {
      if (host.state !== "running") return false;
      host.end(dice.chance(0.5) ? "close" : "drain");
      return true;
    },
  },
  {
    name: "kill a client",
    family: "process",
    weight: 2,
    run({ clients, dice }) {
      const client = dice.pick(clients.filter(({ isUp }) => isUp));
      client?.kill();
      return client !== undefined;
    },
  },
  {
    name: "leave",
    family: "process",
    weight: 1,
    run({ members, dice, chronicle }) {
      const member = dice.pick(members.filter(({ client }) => client !== null));
      if (member?.client == null) return false;
      chronicle.note("leaves", { member: member.name });
      member.isAway = true;
      member.client.disconnect();
      return true;
    },
  },
  {
    name: "unregister",
    family: "process",
    weight: 0.2,
    run(world) {
      const member = world.dice.pick(world.members.filter(({ client }) => client !== null));
      if (member?.client == null) return false;
      const { client } = member;
      member.isGone = true;
      world.attempt(`${member.name} unregisters`, client.unregister());
      return true;
    },
  },
  {
    name: "set the clock",
    family: "process",
    weight: 1,
    run({ clock, dice, chronicle }) {
      const stepMs = dice.int(120_000) - 60_000;
      chronicle.note("set the clock", { stepMs });
      clock.set(clock.now() + stepMs);
      return true;
    },
  },
  {
    name: "come back",
    family: "process",
    weight: 3,
    run({ clients, dice }) {
      const away = clients.flatMap((client) =>
        client.members.filter(({ isAway }) => isAway).map((member) => ({ client, member })),
      );
      const found = dice.pick(away);
      found?.client.join(found.member);
      return found !== undefined;
    },
  },
];

function onDisk(
  name: string,
  weight: number,
  does: (store: NonNullable<World["host"]["store"]>, world: World) => void,
): Action {
  return {
    name,
    family: "disk",
    weight,
    run(world) {
      const { store, state } = world.host;
      if (store === null || state === "closing") return false;
      world.chronicle.note(name);
      does(store, world);
      return true;
    },
  };
}

const DISK: readonly Action[] = [
  onDisk("fail commits", 2, (store, { dice }) => store.failNext("commit", 1 + dice.int(3))),
  onDisk("fail reads", 2, (store, { dice }) => {
    const method = dice.pick(["readWal", "readEnvelope", "readChannel", "readSnapshot"] as const);
    store.failNext(method ?? "readWal", 1 + dice.int(3));
  }),
  onDisk("slow commits", 3, (store, { dice }) =>
    store.delayNext("commit", dice.int(800), 1 + dice.int(5)),
  ),
  onDisk("slow reads", 2, (store, { dice }) =>
    store.delayNext("readWal", dice.int(300), 1 + dice.int(5)),
  ),
  onDisk("tear a commit", 2, (store, { dice }) =>
    store.tearNext(dice.chance(0.5) ? "written" : "lost"),
  ),
  onDisk("crash in the store", 2, (store, { dice }) =>
    store.crashAt(dice.pick(CRASH_POINTS) ?? "commit:before", 1 + dice.int(3)),
  ),
  onDisk("stand still", 1, (store, { dice }) => {
    store.block(dice.chance(0.7) ? "commit" : "readWal");
  }),
  onDisk("fail now and then", 1, (store, { dice }) =>
    store.randomly({
      commit: { fail: 0.2 * dice.next(), torn: 0.1 * dice.next() },
      readWal: { fail: 0.2 * dice.next() },
      readEnvelope: { fail: 0.2 * dice.next() },
    }),
  ),
  onDisk("work again", 5, (store) => store.heal()),
];

export const TROUBLE: readonly Action[] = [...NETWORK, ...PROCESSES, ...DISK];
