import { openHub } from "@colloquy/hub";
import { createMemoryStore } from "@colloquy/storage-memory";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, it } from "vitest";
import { traceCheckpoints } from "./trace-checkpoints.js";

afterEach(() => context.disable());

async function open() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const hub = await openHub({ store: createMemoryStore() });
  const store = traceCheckpoints({
    write: (taskId, state) => hub.checkpointTask(taskId, state),
    read: (taskId) => hub.readTaskCheckpoint(taskId),
  });
  const span = provider.getTracer("test").startSpan("work");
  const within = <T>(run: () => Promise<T>) =>
    context.with(trace.setSpan(context.active(), span), run);
  return { store, span, within, exporter };
}

it("N-235 shows one write, a read that hits and one that misses on the current span", async () => {
  const { store, span, within, exporter } = await open();
  const found = await within(async () => {
    await store.write("t", { step: "zwölf" });
    return [await store.read("t"), await store.read("other")];
  });
  span.end();
  expect(found).toEqual([{ step: "zwölf" }, null]);
  const events = exporter.getFinishedSpans()[0]?.events ?? [];
  expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["checkpoint.write", { "ag2.checkpoint.task_id": "t", "ag2.checkpoint.bytes": 17 }],
    ["checkpoint.read", { "ag2.checkpoint.task_id": "t", "ag2.checkpoint.hit": true }],
    ["checkpoint.read", { "ag2.checkpoint.task_id": "other", "ag2.checkpoint.hit": false }],
  ]);
  expect(Number.isInteger(events[0]?.attributes?.["ag2.checkpoint.bytes"])).toBe(true);
});

it("is the store itself where no span is current, and shows no write that failed", async () => {
  const { store, span, within, exporter } = await open();
  await store.write("t", { step: 1 });
  expect(await store.read("t")).toEqual({ step: 1 });
  await expect(within(() => store.write("", { step: 2 }))).rejects.toThrow("task");
  span.end();
  expect(exporter.getFinishedSpans()[0]?.events).toEqual([]);
});
