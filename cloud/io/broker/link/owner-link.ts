import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type IClientOptions, MqttClient, connect as mqttConnect } from 'mqtt';
import { writeToStream } from 'mqtt-packet';
import { cpStateTopic, OWNER_KEEPALIVE_S, reportFilters, upFilter } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { sendAtOnce } from '#shared/mqtt/index.ts';
import { Publications } from './publications.ts';

// The library would keep each number of two bytes as a Buffer of its own, 8 MB in all; a new one for each packet costs less than 1 µs.
writeToStream.cacheNumbers = false;

/** How the owner of a shard reaches the broker: a stream inside the process, or an address. */
export type Dial =
  | { readonly kind: 'stream'; readonly open: (sh: string) => Duplex }
  | {
      readonly kind: 'url';
      /** `mqtt://` or `mqtts://`, user and password in it if the broker wants them. */
      readonly url: string;
      /** PEM texts: client certificate and key, roots. */
      readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string };
    };

const contexts = new WeakMap<Dial, SecureContext>();

/** Certificate, key and roots of an address, read once for all of its connections: they take 76 kB, and there are 64 connections. */
export function securityOf(dial: Extract<Dial, { kind: 'url' }>): { readonly secureContext?: SecureContext } {
  if (dial.tls === undefined) return {};
  const secureContext = contexts.get(dial) ?? createSecureContext(dial.tls);
  contexts.set(dial, secureContext);
  return { secureContext };
}

export interface OwnerLinkSetting {
  readonly sh: string;
  readonly dial: Dial;
  /** Term of the ownership, carried by cp/state. */
  readonly epoch: number;
  /** Abilities of this control plane, carried by cp/state. */
  readonly cap: readonly string[];
  readonly random: (length: number) => Uint8Array;
  /** `retained`: the broker had it before this connection subscribed. */
  readonly onMessage: (topic: string, payload: Buffer, retained: boolean) => void;
  /** Whether this process still owns the shard: one that slept must not push its successor out. */
  readonly mayConnect: () => boolean;
  readonly onUp: (sh: string) => void;
  readonly onDown: (sh: string, reason: string) => void;
}

/** The owner's one connection for one shard; it comes back by itself until it is closed. */
export interface OwnerLink {
  readonly publish: (
    topic: string,
    payload: string,
    options: { qos: 0 | 1; retain: boolean },
  ) => Promise<void>;
  /**
   * Disconnects. `goodbye`: says `off` on cp/state first, for no owner follows. `handOver`: says nothing, so that hosts notice
   * nothing. `lost`: drops the connection at once; the broker may say `off`, and the new owner says `on` behind it.
   */
  readonly close: (why: 'goodbye' | 'handOver' | 'lost') => Promise<void>;
}

const BACK_OFF_BASE_MS = 1_000;
const BACK_OFF_CAP_MS = 15_000;
/** A broker that hangs holds up no hand-over for longer. */
const LAST_MESSAGE_MS = 1_000;

/**
 * Client id `cp-{sh}`, session kept: a new owner of the shard pushes the old one out by MQTT's rule of takeover
 * (3.1.1, section 3.1.4). The library's own reconnect is off; one loop, one timer.
 */
export function openOwnerLink(setting: OwnerLinkSetting): OwnerLink {
  const { sh, dial, random } = setting;
  let client: MqttClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let closing = false;
  const publications = new Publications();

  const state = (members: object): string => JSON.stringify({ v: 1, ...members });

  function start(): void {
    if (!setting.mayConnect()) {
      timer = setTimeout(start, BACK_OFF_BASE_MS);
      return;
    }
    const sid = ulid(Date.now(), random(10));
    const options: IClientOptions = {
      clientId: `cp-${sh}`,
      protocolVersion: 4,
      clean: false,
      // Dead wires are seen before the first host of the shortest profile would be called silent. A stream inside the process has no
      // wire: the questions of 64 shards would wake it ten times a second.
      keepalive: dial.kind === 'stream' ? 0 : OWNER_KEEPALIVE_S,
      connectTimeout: 10_000,
      reconnectPeriod: 0,
      resubscribe: false,
      will: {
        topic: cpStateTopic(sh),
        payload: Buffer.from(state({ st: 'off', sid })),
        qos: 1,
        retain: true,
      },
    };
    const current =
      dial.kind === 'stream'
        ? new MqttClient(() => dial.open(sh) as never, options)
        : mqttConnect(dial.url, { ...options, ...securityOf(dial) });
    client = current;
    let reason = 'the broker closed the connection';
    let over = false;
    current.on('message', (topic, payload, { retain }) => setting.onMessage(topic, payload, retain));
    current.on('error', (error) => {
      reason = error.message;
      current.end(true);
    });
    current.on('connect', () => {
      failures = 0;
      sendAtOnce(current.stream);
      greet(current, sid).catch((error: Error) => {
        reason = error.message;
        current.end(true);
      });
    });
    current.on('close', () => {
      if (over) return;
      over = true;
      publications.fail(reason);
      if (closing) return;
      setting.onDown(sh, reason);
      // Full jitter: replicas that lost the same broker must not come back together.
      const step = Math.min(BACK_OFF_CAP_MS, BACK_OFF_BASE_MS * 2 ** failures++);
      timer = setTimeout(start, Math.random() * step);
    });
  }

  async function greet(current: MqttClient, sid: string): Promise<void> {
    if (dial.kind === 'stream') await current.subscribeAsync(upFilter(sh), { qos: 1 });
    else {
      await current.subscribeAsync(reportFilters(sh), { qos: 1 });
      // The session of an earlier version has it, and heartbeats would come twice and be kept for an owner who is away.
      await current.unsubscribeAsync(upFilter(sh));
    }
    const on = state({ st: 'on', sid, epoch: setting.epoch, cap: setting.cap });
    const sayOn = () => current.publishAsync(cpStateTopic(sh), on, { qos: 1, retain: true });
    current.on('message', (topic, payload) => {
      // The will of an owner before us may come late and would stand for ever: we live.
      if (topic === cpStateTopic(sh) && isFarewell(payload) && !closing && setting.mayConnect())
        sayOn().catch(() => undefined);
    });
    if (dial.kind === 'url') await current.subscribeAsync(cpStateTopic(sh), { qos: 1 });
    await sayOn();
    setting.onUp(sh);
  }

  start();
  return {
    publish: async (topic, payload, { qos, retain }) => {
      if (client?.connected !== true) throw new Error(`not published: shard ${sh} has no broker`);
      await publications.take(client.publishAsync(topic, payload, { qos, retain }));
    },
    close: async (why) => {
      closing = true;
      clearTimeout(timer);
      const current = client;
      if (current === undefined) return;
      await inTime(current, async () => {
        if (current.connected && why === 'goodbye') {
          const off = state({ st: 'off', sid: ulid(Date.now(), random(10)), why: 'shutdown' });
          await current.publishAsync(cpStateTopic(sh), off, { qos: 1, retain: true }).catch(() => undefined);
        }
        await current.endAsync(why === 'lost' || !current.connected);
      });
    },
  };
}

/**
 * Ends a connection by `farewell`, and drops it when that takes longer than a moment. The library waits for the acknowledgement of
 * what is under way before it ends, and gives no second order to end a meaning: on a half-open connection it waits for ever, and
 * with it the hand-over of every shard.
 */
export async function inTime(client: MqttClient, farewell: () => Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    late = setTimeout(() => {
      client.stream.destroy();
      resolve();
    }, LAST_MESSAGE_MS);
  });
  await Promise.race([farewell().catch(() => undefined), over]);
  clearTimeout(late);
}

/** Whether a word on cp/state says that the owner is away. */
function isFarewell(payload: Buffer): boolean {
  try {
    return (JSON.parse(payload.toString('utf8')) as { readonly st?: unknown }).st === 'off';
  } catch {
    return false;
  }
}
