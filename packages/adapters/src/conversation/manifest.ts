import { type ChannelManifest, channelManifestSchema } from "@colloquy/protocol";

/** What `conversation` declares about itself. */
export const conversationManifest: ChannelManifest = channelManifestSchema.parse({
  type: "conversation",
  participants: { min: 2, max: 2, roles: ["initiator", "respondent"] },
  default_view_policy: "windowed_summary",
  expectations: [{ name: "max_silence", on_violation: "audit", params: { seconds: 3600 } }],
});
