import { describeKind, type RemoteProxy } from "@colloquy/protocol";

/** The remote proxies of a hub, one per scheme. */
export interface RemoteProxies {
  readonly all: Iterable<RemoteProxy>;
  get(scheme: string): RemoteProxy | null;
  /** Keeps a proxy; gives the one that it replaces. */
  put(proxy: RemoteProxy): RemoteProxy | null;
  /** Forgets the proxy of a scheme and gives it. */
  remove(scheme: string): RemoteProxy | null;
}

/** Makes an empty {@link RemoteProxies}. */
export function createRemoteProxies(): RemoteProxies {
  const proxies = new Map<string, RemoteProxy>();
  return {
    get all() {
      return proxies.values();
    },
    get: (scheme) => proxies.get(scheme) ?? null,
    put(proxy) {
      requireProxy(proxy);
      const replaced = proxies.get(proxy.scheme) ?? null;
      proxies.set(proxy.scheme, proxy);
      return replaced === proxy ? null : replaced;
    },
    remove(scheme) {
      const removed = proxies.get(scheme) ?? null;
      proxies.delete(scheme);
      return removed;
    },
  };
}

function requireProxy(proxy: RemoteProxy): void {
  const { scheme, dispatch, close } = proxy;
  if (typeof scheme !== "string" || scheme === "") {
    throw new TypeError(`remote proxy, field scheme: must be a text, got ${describeKind(scheme)}`);
  }
  for (const [field, value] of Object.entries({ dispatch, close })) {
    if (typeof value === "function") continue;
    throw new TypeError(
      `remote proxy, field ${field}: must be a function, got ${describeKind(value)}`,
    );
  }
}
