import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL("../page/", import.meta.url));

/** The page, on a port of loopback. */
export interface ServedPage extends AsyncDisposable {
  readonly origin: string;
}

/** Bundles the page from the client's entries and serves it. */
export async function servePage(): Promise<ServedPage> {
  const [html, script] = await Promise.all([readFile(`${PAGE}index.html`), bundle()]);
  const server = createServer(({ url = "/" }, response) => {
    const isScript = url === "/page.js";
    const type = isScript ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bundle(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [`${PAGE}main.ts`],
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    minify: true,
    conditions: ["@colloquy/source"],
    write: false,
    logLevel: "silent",
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild gave no bundle of the page");
  return file.contents;
}
