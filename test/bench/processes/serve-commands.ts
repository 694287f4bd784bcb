import type { CommandAnswer, CommandCall, Commands } from "./commands.js";

/** Answers the parent's calls for as long as there is a parent; then the process ends. */
export function serveCommands(commands: Commands): void {
  const answer = (message: CommandAnswer): void => {
    process.send?.(message);
  };
  process.on("message", (call: CommandCall) => {
    const { id, name, params } = call;
    run(commands, name, params).then(
      (result) => answer({ id, ok: true, result }),
      (error: unknown) => answer({ id, ok: false, error: describe(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
}

async function run(commands: Commands, name: string, params: unknown): Promise<unknown> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Error(`there is no command "${name}"`);
  return await command(params as never);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
