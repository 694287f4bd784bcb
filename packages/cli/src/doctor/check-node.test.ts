import { expect, it } from "vitest";
import { checkNode } from "./check-node.js";

it("knows the oldest Node that will do", () => {
  for (const version of ["v20.19.0", "v20.20.2", "v22.0.0", "v24.1.0"]) {
    expect(checkNode(version).status, version).toBe("ok");
  }
  for (const version of ["v20.18.9", "v18.20.0"]) {
    const { status, remedy } = checkNode(version);
    expect(status, version).toBe("fail");
    expect(remedy).toContain("20.19");
  }
});
