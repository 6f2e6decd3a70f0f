import {
  bracketed,
  callable,
  openEdgeListener,
  openPublicListener,
  serverNames,
} from '../io/listener/index.ts';
import { clock, type Ground } from './ground.ts';

/** The two listeners, open but not served yet, and how they are called from outside. */
export interface Doors {
  readonly listener: Awaited<ReturnType<typeof openPublicListener>>;
  readonly edge: Awaited<ReturnType<typeof openEdgeListener>>;
  /** `{base_url}`. */
  readonly publicUrl: string;
  /** Names in the certificates of our own listeners. */
  readonly names: readonly string[];
}

export async function openDoors({ config, authority, closing }: Ground): Promise<Doors> {
  const listener = await openPublicListener(config.http, config.tlsFiles);
  closing.push(() => listener.close());
  const scheme = config.tlsFiles === undefined ? 'http' : 'https';
  const publicUrl =
    config.publicUrl ?? `${scheme}://${bracketed(callable(config.http.host))}:${listener.port}`;
  const names = serverNames([config.edge, config.mqttListen], publicUrl);
  const edge = await openEdgeListener(config.edge, await authority.issueServer(names, clock.wallMs()));
  closing.push(() => edge.close());
  return { listener, edge, publicUrl, names };
}
