/** The default name resolver: a participant's name is its id. */
export function identityName(agentId: string): string {
  return agentId;
}
