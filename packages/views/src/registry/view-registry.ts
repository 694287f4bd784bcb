import {
  InvalidInputError,
  NotFoundError,
  parseWith,
  type ViewPolicy,
  type ViewSpec,
} from "@colloquy/protocol";
import type * as z from "zod";

/** Most characters of an unknown name that an error repeats. */
const MAX_NAME_IN_ERROR = 64;

/** The views that can be named by data, in a knob or on a command line. */
export interface ViewRegistry {
  /** Names of the registered views, sorted. */
  readonly names: readonly string[];
  /**
   * Makes a view known.
   *
   * @param name - how specs name it
   * @param args - the contract of a spec's `args`; refuse unknown keys so that slips are seen
   * @param create - makes the view from arguments that passed
   * @throws InvalidInputError when the name is empty or taken
   */
  register<A>(name: string, args: z.ZodType<A>, create: (args: A) => ViewPolicy): void;
  /**
   * Makes the view that a spec names.
   *
   * @throws NotFoundError when no view has that name; it lists those that exist
   * @throws InvalidInputError when the arguments break the view's contract
   */
  create(spec: ViewSpec): ViewPolicy;
}

/** An empty {@link ViewRegistry}. */
export function createViewRegistry(): ViewRegistry {
  const factories = new Map<string, (args: unknown) => ViewPolicy>();
  return {
    get names() {
      return [...factories.keys()].sort();
    },
    register(name, args, create) {
      checkNewName(name, factories);
      factories.set(name, (given) => create(parseWith(args, given, `arguments of view "${name}"`)));
    },
    create({ name, args }) {
      const factory = factories.get(name);
      if (factory === undefined) throw unknownView(name, [...factories.keys()].sort());
      return factory(args);
    },
  };
}

function checkNewName(name: string, taken: ReadonlyMap<string, unknown>): void {
  if (name !== "" && !taken.has(name)) return;
  const fault = name === "" ? "A view's name is empty." : `A view named "${name}" exists already.`;
  const remedy = "Choose another name.";
  throw new InvalidInputError(`${fault} ${remedy}`, { field: "name", received: "string", remedy });
}

function unknownView(name: string, known: readonly string[]): NotFoundError {
  const shown = JSON.stringify(String(name).slice(0, MAX_NAME_IN_ERROR));
  const list = known.length === 0 ? "none is registered" : `known views: ${known.join(", ")}`;
  return new NotFoundError(`no view is named ${shown}; ${list}`, { details: { known } });
}
