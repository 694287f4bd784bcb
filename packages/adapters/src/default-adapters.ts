import type { ChannelAdapter } from "@colloquy/protocol";
import { createConsultingAdapter } from "./consulting/consulting-adapter.js";
import { createConversationAdapter } from "./conversation/conversation-adapter.js";
import { createDiscussionAdapter } from "./discussion/discussion-adapter.js";
import { createWorkflowAdapter } from "./workflow/workflow-adapter.js";

/** The four built-in channel types, version 1, with their defaults. */
export function createDefaultAdapters(): ChannelAdapter[] {
  return [
    createConsultingAdapter(),
    createConversationAdapter(),
    createDiscussionAdapter(),
    createWorkflowAdapter(),
  ];
}
