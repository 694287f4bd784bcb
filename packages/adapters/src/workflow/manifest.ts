import { type ChannelManifest, channelManifestSchema } from "@colloquy/protocol";

/** What `workflow` declares about itself. */
export const workflowManifest: ChannelManifest = channelManifestSchema.parse({
  type: "workflow",
  participants: { min: 2, max: null, roles: [] },
  knobs_schema: { graph: "TransitionGraph" },
  default_view_policy: "named_windowed_summary",
  expectations: [
    { name: "turn_within", on_violation: "warn", params: { seconds: 120 } },
    { name: "turn_within", on_violation: "auto_close", params: { seconds: 600 } },
  ],
});
