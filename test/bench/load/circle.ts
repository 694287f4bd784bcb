import { type CircleMember, openBareMember, openHubMember } from "./circle-member.js";
import { postFrame } from "./message.js";

/** Participants of one channel, each on a connection of its own. */
export interface CirclePlan {
  readonly url: string;
  readonly channelId: string;
  readonly members: readonly { readonly id: string; readonly name: string }[];
}

/** When notifies are acknowledged: as they come, or when everybody has heard. */
export type ReceiptTime = "at once" | "afterwards";

/** Which circle speaks, how often, and when the listeners acknowledge. */
export interface SpeakOptions {
  readonly group: string;
  readonly times: number;
  readonly receipts: ReceiptTime;
}

interface Circle {
  readonly plan: CirclePlan;
  readonly members: readonly CircleMember[];
  spoken: number;
}

/** Commands for broadcasts: one member after the other speaks to all others. */
export function createCircleCommands() {
  const circles = new Map<string, Circle>();
  const open = async (
    { group, ...plan }: CirclePlan & { readonly group: string },
    openMember: (url: string, name: string) => Promise<CircleMember>,
  ): Promise<void> => {
    const members: CircleMember[] = [];
    for (const { name } of plan.members) members.push(await openMember(plan.url, name));
    circles.set(group, { plan, members, spoken: 0 });
  };
  return {
    openBareCircle: (plan: CirclePlan & { readonly group: string }) => open(plan, openBareMember),
    openHubCircle: (plan: CirclePlan & { readonly group: string }) => open(plan, openHubMember),
    /** Resolves with the seconds from speaking until everybody had heard, summed over all times. */
    async speak({ group, times, receipts }: SpeakOptions): Promise<number> {
      const circle = circles.get(group);
      if (circle === undefined) throw new Error(`there is no group "${group}"`);
      let seconds = 0;
      for (let time = 0; time < times; time += 1) seconds += await speakOnce(circle, receipts);
      return seconds;
    },
  };
}

async function speakOnce(circle: Circle, receipts: ReceiptTime): Promise<number> {
  const { plan, members } = circle;
  const at = circle.spoken % members.length;
  const sequence = circle.spoken;
  circle.spoken += 1;
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    let missing = members.length - 1;
    for (const member of members) {
      member.acknowledgeAtOnce = receipts === "at once";
      member.onFailed = reject;
      member.onHeard = () => {
        missing -= 1;
        if (missing === 0) resolve();
      };
    }
    const senderId = plan.members[at]?.id ?? "";
    members[at]?.send(postFrame(sequence, { channelId: plan.channelId, senderId }));
  });
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(members.map((member) => member.settle()));
  return seconds;
}
