import { type ChannelManifest, channelManifestSchema } from "@colloquy/protocol";

/** What `discussion` declares about itself. */
export const discussionManifest: ChannelManifest = channelManifestSchema.parse({
  type: "discussion",
  participants: { min: 2, max: null, roles: [] },
  knobs_schema: { ordering: "str" },
  default_view_policy: "named_windowed_summary",
  expectations: [
    { name: "turn_within", on_violation: "warn", params: { seconds: 120 } },
    { name: "turn_within", on_violation: "hide", params: { seconds: 600 } },
  ],
});
