import { setTimeout as wait } from 'node:timers/promises';
import { hostPort } from '#shared/host-port.ts';
import { REFUSED_IDLE_S } from '../http/index.ts';
import {
  callable,
  openEdgeListener,
  openPublicListener,
  type ProxyTrust,
  serverNames,
} from '../io/listener/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { listeningAt } from './listening.ts';

/** The two listeners, open but not served yet, and how they are called from outside. */
export interface HttpListeners {
  readonly listener: Awaited<ReturnType<typeof openPublicListener>>;
  readonly edge: Awaited<ReturnType<typeof openEdgeListener>>;
  /** `{base_url}`. */
  readonly publicUrl: string;
  /** Names in the certificates of our own listeners. */
  readonly names: readonly string[];
  /** Says to `/readyz` that this control plane leaves, or null. */
  readonly fault: () => string | null;
  /** Lets load balancers notice that this control plane ends, before a part of it does. */
  readonly leave: () => Promise<void>;
}

/**
 * Chosen: time for a load balancer to see that `/readyz` refuses and to send its callers elsewhere, ms: two checks of
 * `systemd/cloud/several/haproxy.cfg` and as much again, and less than a step of the end may take. Without `CARILLON_TRUSTED_PROXIES` there
 * is none to wait for.
 */
const NOTICED_MS = 4_000;

export async function openHttpListeners(infrastructure: Infrastructure): Promise<HttpListeners> {
  const { config, authority, clock, closing } = infrastructure;
  const { http, edge: edgeAt } = config;
  const trust = trustedProxies(infrastructure);
  const listener = await listeningAt(
    'the API',
    'CARILLON_HTTP',
    http,
    openPublicListener(http, config.tlsFiles, trust),
  );
  closing.push(() => listener.close());
  const scheme = config.tlsFiles === undefined ? 'http' : 'https';
  const publicUrl = config.publicUrl ?? `${scheme}://${hostPort(callable(http.host), listener.port)}`;
  const outside = config.edgeUrl === undefined ? [] : [new URL(config.edgeUrl).hostname];
  const names = [...new Set([...serverNames([edgeAt, config.mqttListen], publicUrl), ...outside])];
  const tls = await authority.issueServer(names, clock.wallMs());
  const edge = await listeningAt(
    'the listener of the hosts',
    'CARILLON_EDGE',
    edgeAt,
    openEdgeListener(edgeAt, tls, REFUSED_IDLE_S, trust),
  );
  closing.push(() => edge.close());
  let isLeaving = false;
  const leave = async (): Promise<void> => {
    if (config.trustedProxies.length === 0) return;
    isLeaving = true;
    for (const each of [listener, edge]) each.leave();
    await wait(NOTICED_MS);
  };
  const fault = (): string | null => (isLeaving ? 'the control plane is about to end' : null);
  return { listener, edge, publicUrl, names, fault, leave };
}

/** A load balancer that is set up wrongly fails with each connection: a line a minute is enough. */
const REPORT_MS = 60_000;

/** Load balancers that say whose connections they pass on. */
export function trustedProxies({
  config,
  clock,
  log,
}: Pick<Infrastructure, 'config' | 'clock' | 'log'>): ProxyTrust {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return {
    networks: config.trustedProxies,
    onRefused: (refused) => {
      unreported += 1;
      if (clock.monoMs() - reportedMs < REPORT_MS) return;
      reportedMs = clock.monoMs();
      log(
        'warn',
        'proxy.header_refused',
        'Refused a connection of a load balancer without a right PROXY header',
        {
          ...refused,
          count: unreported,
        },
      );
      unreported = 0;
    },
  };
}
