import { type ChannelManifest, channelManifestSchema } from "@colloquy/protocol";

/** What `consulting` declares about itself. */
export const consultingManifest: ChannelManifest = channelManifestSchema.parse({
  type: "consulting",
  participants: { min: 2, max: 2, roles: ["initiator", "respondent"] },
  default_view_policy: "full_transcript",
  expectations: [
    { name: "acks_within", on_violation: "auto_close", params: { seconds: 30 } },
    { name: "reply_within", on_violation: "auto_close", params: { seconds: 600 } },
  ],
});
