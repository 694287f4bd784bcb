/**
 * Serves a small language model on this machine, over the chat completions of OpenAI. Fetches what it
 * needs at the first start. Ends at SIGINT, SIGTERM, or when its parent goes away.
 *
 * `COLLOQUY_MODEL_PORT` chooses the port, `COLLOQUY_MODEL_FILE` another GGUF file, and
 * `COLLOQUY_MODEL_THREADS` the threads that compute.
 */
import { once } from "node:events";
import { fetchModel } from "./fetch-model.js";
import { installLibrary } from "./install-library.js";
import { openLlamaEngine } from "./open-llama-engine.js";
import { serveChat } from "./serve-chat.js";

console.error("Preparing the model; the first time it is fetched.");
const [library, file] = await Promise.all([installLibrary(), fetchModel()]);
const threads = numberOf("COLLOQUY_MODEL_THREADS", 1);
await using engine = await openLlamaEngine({
  ...{ library, threads },
  modelPath: file.path,
  tellsFunctions: file.callsFunctions,
});
await using server = await serveChat(engine, {
  port: numberOf("COLLOQUY_MODEL_PORT", 0),
  onError: (error) => console.error(error),
});
// One line each, so that a shell or another program can take them over.
console.log(`COLLOQUY_MODEL_BASE_URL=${server.baseUrl}`);
console.log(`COLLOQUY_MODEL_NAME=${engine.model}`);

await Promise.race([
  once(process, "SIGINT"),
  once(process, "SIGTERM"),
  ...(process.connected ? [once(process, "disconnect")] : []),
]);

function numberOf(name: string, normal: number): number {
  const text = process.env[name] ?? "";
  if (text === "") return normal;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`${name}: received "${text}". Give a whole number.`);
}
