import { codecFor, type HubConnection } from "@colloquy/protocol";
import { expect, it } from "vitest";
import { receiveText } from "./read-message.js";

it("tells the hub how large a message was, for its bounds", () => {
  const received: unknown[][] = [];
  const connection: HubConnection = {
    endpointId: "e",
    receive: (...args) => void received.push(args),
    receiveBad: () => undefined,
    closed: () => undefined,
  };
  const text = '{"kind":"request","request_id":"1","op":"list_agents","params":{}}';
  receiveText(connection, codecFor("colloquy.v1"), text);
  expect(received).toEqual([[JSON.parse(text), true, text.length]]);
});
