import * as z from "zod";

const bareHelloFields = {
  kind: z.literal("hello"),
  /** Name of a registered participant to bind to this connection. */
  name: z.string(),
  auth_scheme: z.string().default("none"),
  auth_claim: z.record(z.string(), z.unknown()).default({}),
  /** Replay what lies above this id; `""` replays all that is outstanding, null nothing. */
  since_envelope_id: z.string().nullable().default(null),
};

const bareWelcomeFields = {
  kind: z.literal("welcome"),
  endpoint_id: z.string(),
  /** ISO time at the hub. */
  hub_time: z.string(),
};

/** `hello` of the bare profile: exactly its fields. */
export const bareHelloFrameSchema = z.strictObject(bareHelloFields);

/** `hello`, client to hub: binds a registered participant to the connection. */
export const helloFrameSchema = z.object({
  ...bareHelloFields,
  /** Token of an earlier `welcome`, to take up that session. `colloquy.v1` only. */
  resume_token: z.string().nullish(),
});

/** `welcome` of the bare profile: exactly its fields. */
export const bareWelcomeFrameSchema = z.strictObject(bareWelcomeFields);

/** `welcome`, hub to client: the binding stands. The optional fields are `colloquy.v1` only. */
export const welcomeFrameSchema = z.object({
  ...bareWelcomeFields,
  agent_id: z.string().optional(),
  name: z.string().optional(),
  /** Give it back in the next `hello` to take up this session. */
  resume_token: z.string().optional(),
  /** Interval at which the hub expects a sign of life, in milliseconds. */
  heartbeat_ms: z.int().min(0).optional(),
  /** Largest frame that the hub accepts, in bytes of UTF-8. */
  max_frame_bytes: z.int().min(1).optional(),
});

/** See {@link helloFrameSchema}. */
export type HelloFrame = z.infer<typeof helloFrameSchema>;
/** See {@link welcomeFrameSchema}. */
export type WelcomeFrame = z.infer<typeof welcomeFrameSchema>;
