/** First line of a summary where it stands as a user message. */
export const SUMMARY_HEADING = "[Summary of earlier conversation]";
