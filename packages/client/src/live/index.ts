/** Channels as screens show them: each envelope once, in order, and answers while they are written. */
export type { BreakReason, ChannelEntry } from "./channel-entry.js";
export type { ChannelFeed, FeedListener, FollowOptions } from "./channel-feed.js";
export { type Follower, followChannel } from "./follow-channel.js";
