import { setTimeout as wait } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';

/** A connection by which a broker is tried, and the last it has heard of each topic. */
export interface BrokerSubscription {
  readonly client: MqttClient;
  readonly received: Map<string, string>;
}

/** A message that has not come by then does not come. */
const RECEIVED_MS = 3_000;
const LOOK_MS = 20;

export function subscriptionOf(client: MqttClient): BrokerSubscription {
  const received = new Map<string, string>();
  client.on('error', () => undefined);
  client.on('message', (topic, payload) => received.set(topic, payload.toString()));
  return { client, received };
}

/** A client that is cut off while it sends gets no answer. */
const soon = async (work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, wait(RECEIVED_MS, undefined, { ref: false })]).catch(() => undefined);
};

export const say = (
  { client }: BrokerSubscription,
  topic: string,
  payload: string,
  retain = false,
): Promise<void> => soon(client.publishAsync(topic, payload, { qos: 1, retain }));

export const hear = ({ client }: BrokerSubscription, filters: readonly string[]): Promise<void> =>
  soon(client.subscribeAsync([...filters], { qos: 1 }));

/** The next message on this topic; undefined when none comes. */
export async function comes(
  { received, client }: BrokerSubscription,
  topic: string,
): Promise<string | undefined> {
  const untilMs = performance.now() + RECEIVED_MS;
  while (!received.has(topic) && client.connected && performance.now() < untilMs) await wait(LOOK_MS);
  return received.get(topic);
}

/** Whether the broker ends this connection. */
export async function closed(client: MqttClient): Promise<boolean> {
  const untilMs = performance.now() + RECEIVED_MS;
  while (client.connected && performance.now() < untilMs) await wait(LOOK_MS);
  return !client.connected;
}
