import { connect, type MqttClient } from 'mqtt';
import { ANSWER_FILTER } from '#shared/contract/feed/index.ts';
import { sendAtOnce } from '#shared/mqtt/index.ts';
import { type Dial, inTime } from './owner-link.ts';
import { processSession } from './process-session.ts';
import { Publications } from './publications.ts';

export interface RequestLinkSetting {
  /** One for each process, so that no other connection pushes it out. */
  readonly clientId: string;
  readonly dial: Extract<Dial, { kind: 'url' }>;
  readonly onMessage: (topic: string, payload: Buffer) => void;
}

/** The connection of a replica for hosts of shards that others own: questions go out, answers come in. */
export interface RequestLink {
  readonly publish: (
    topic: string,
    payload: string,
    options: { qos: 0 | 1; retain: boolean },
  ) => Promise<void>;
  /** Whether the broker answers. */
  readonly isUp: () => boolean;
  readonly close: () => Promise<void>;
}

/** Hears the answers of all hosts, and takes up those that were asked for here; a take-over of a shard breaks none. */
export function openRequestLink({ clientId, dial, onMessage }: RequestLinkSetting): RequestLink {
  const client: MqttClient = connect(dial.url, processSession(clientId, dial));
  // It comes back by itself; the links of the shards report a broker that is away.
  client.on('error', () => undefined);
  client.on('connect', () => {
    sendAtOnce(client.stream);
    client.subscribeAsync(ANSWER_FILTER, { qos: 1 }).catch(() => undefined);
  });
  client.on('message', onMessage);
  const publications = new Publications();
  client.on('close', () => publications.fail('the connection to the broker has ended'));
  return {
    publish: async (topic, payload, { qos, retain }) => {
      if (!client.connected) throw new Error('not published: the broker is away');
      await publications.take(client.publishAsync(topic, payload, { qos, retain }));
    },
    isUp: () => client.connected,
    close: () => inTime(client, () => client.endAsync(!client.connected)),
  };
}
