import * as z from "zod";

const bytes = z.int().min(1);

/** How a hub serves WebSockets; see `ServeOptions` of `@colloquy/hub/ws`. */
export const socketSettings = z.strictObject({
  /** `*` is any path, as clients of the bare profile expect. */
  path: z.string().min(1).default("*").meta({
    unit: "path",
    description: "Path of the WebSocket, such as /ws; others answer 404. * takes any path.",
  }),
  /** Pages of the server itself on a loopback name always may. */
  allowedOrigins: z.array(z.string().min(1)).default([]).meta({
    unit: "origins",
    description: "Origins that browser pages may come from, such as https://app.example.",
  }),
  /** A larger message closes its socket. */
  maxFrameBytes: bytes.default(1_048_576).meta({
    unit: "bytes",
    description: "Size of one incoming message; a larger one closes its socket.",
  }),
  /** A larger answer becomes an error. */
  maxAnswerBytes: bytes.default(8_388_608).meta({
    unit: "bytes",
    description: "Size of one outgoing answer; a larger one becomes an error.",
  }),
  /** A peer that is silent for two of them is cut. */
  heartbeatMs: z.int().min(0).default(20_000).meta({
    unit: "ms",
    description: "Time between two pings; 0 switches them off.",
  }),
  /** Then its socket is destroyed. */
  closeTimeoutMs: z.int().min(1).default(5_000).meta({
    unit: "ms",
    description: "How long a peer has to answer a close.",
  }),
  /** A further one is refused before the upgrade. */
  maxConnections: z.int().min(1).default(10_000).meta({
    unit: "sockets",
    description: "Open sockets; a further one is refused.",
  }),
  /** Costs memory and time per socket. */
  perMessageDeflate: z.boolean().default(false).meta({
    description: "Compresses messages for peers that offer it.",
  }),
});
