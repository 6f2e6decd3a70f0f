import { hostPort } from '#shared/host-port.ts';
import { callable, openEdgeListener, openPublicListener, serverNames } from '../io/listener/index.ts';
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

export async function openHttpListeners({
  config,
  authority,
  clock,
  closing,
}: Infrastructure): Promise<HttpListeners> {
  const { http, edge: edgeAt } = config;
  const listener = await listeningAt(
    'the API',
    'CARILLON_HTTP',
    http,
    openPublicListener(http, config.tlsFiles),
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
    openEdgeListener(edgeAt, tls),
  );
  closing.push(() => edge.close());
  return { listener, edge, publicUrl, names };
}
