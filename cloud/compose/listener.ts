import { hostPort } from '#shared/host-port.ts';
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
}

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
    'the door of the hosts',
    'CARILLON_EDGE',
    edgeAt,
    openEdgeListener(edgeAt, tls, trust),
  );
  closing.push(() => edge.close());
  return { listener, edge, publicUrl, names };
}

/** A load balancer that is set up wrongly fails with each connection: a line a minute is enough. */
const TOLD_MS = 60_000;

/** Load balancers that say whose connections they pass on. */
export function trustedProxies({
  config,
  clock,
  log,
}: Pick<Infrastructure, 'config' | 'clock' | 'log'>): ProxyTrust {
  let toldMs = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    networks: config.trustedProxies,
    onRefused: (refused) => {
      untold += 1;
      if (clock.monoMs() - toldMs < TOLD_MS) return;
      toldMs = clock.monoMs();
      log(
        'warn',
        'proxy.header_refused',
        'Refused a connection of a load balancer without a right PROXY header',
        {
          ...refused,
          count: untold,
        },
      );
      untold = 0;
    },
  };
}
