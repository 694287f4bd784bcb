/** The built-in channel types, and the transition graphs that route a workflow. */
export type { AdapterOptions, OpenEndedOptions } from "./adapter-options.js";
export { createConsultingAdapter } from "./consulting/consulting-adapter.js";
export type { ConsultingState } from "./consulting/state.js";
export { createConversationAdapter } from "./conversation/conversation-adapter.js";
export type { ConversationState } from "./conversation/state.js";
export { createDefaultAdapters } from "./default-adapters.js";
export { createDiscussionAdapter } from "./discussion/discussion-adapter.js";
export type { DiscussionState } from "./discussion/state.js";
export { always, contextEquals, fromSpeaker, toolCalled } from "./graph/conditions.js";
export { dumpGraph } from "./graph/dump-graph.js";
export { roundRobinGraph, sequenceGraph } from "./graph/graph-factories.js";
export { loadGraph } from "./graph/load-graph.js";
export {
  closes,
  type Decision,
  type RoutingContext,
  type RoutingState,
  speaks,
} from "./graph/routing-context.js";
export {
  type BoundCondition,
  type BoundTarget,
  type ConditionDefinition,
  type ConditionType,
  defineCondition,
  defineTarget,
  type TargetDefinition,
  type TargetType,
} from "./graph/step-types.js";
export {
  agentTarget,
  revertToInitiator,
  roundRobinTarget,
  stayTarget,
  terminateTarget,
} from "./graph/targets.js";
export {
  type ConditionSpec,
  type TargetSpec,
  type Transition,
  type TransitionGraph,
  transition,
  transitionGraphSchema,
} from "./graph/transition-graph.js";
export {
  createTransitionRegistry,
  type TransitionRegistry,
  type TransitionRegistryOptions,
} from "./graph/transition-registry.js";
export { DEFAULT_LOOP_GUARD } from "./knobs/turn-limits.js";
export { viewKnobSchema } from "./knobs/view-knob.js";
export { createSayTool, SAY_TOOL } from "./say-tool.js";
export { MOVED_TURN_INPUT, PASSED_TURN_INPUT } from "./text/turn-input.js";
export {
  type RoundRouting,
  type RoutingSources,
  resolveRouting,
} from "./workflow/resolve-routing.js";
export type { WorkflowState } from "./workflow/state.js";
export { createWorkflowAdapter, type WorkflowOptions } from "./workflow/workflow-adapter.js";
