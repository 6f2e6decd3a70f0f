import { setInterval } from 'node:timers';
import { connectAsync, type MqttClient } from 'mqtt';
import { type Served, serveParent } from './serve-parent.ts';

/** `publish`: so many connections, together so many heartbeats of 400 bytes a second. `hear`: the bare subscriber. */
export type HeartbeatSetting =
  | {
      readonly kind: 'publish';
      readonly url: string;
      readonly connections: number;
      readonly perSecond: number;
    }
  | { readonly kind: 'hear'; readonly url: string };

/** Hosts know nothing of each other: several at once would be read at once, which costs a broker and its subscriber less. */
const STEP_MS = 1;

/** Every question is answered with the number of heartbeats said, or heard, so far. */
async function start(setting: HeartbeatSetting): Promise<Served<null, null, number>> {
  let count = 0;
  if (setting.kind === 'hear') {
    const ear = await connectAsync(setting.url, { protocolVersion: 4, reconnectPeriod: 0 });
    ear.on('message', () => {
      count += 1;
    });
    await ear.subscribeAsync('carillon/1/+/+/+/+/up/#', { qos: 1 });
    return { ready: null, answer: () => count, close: async () => void ear.end(true) };
  }
  const lines: { readonly line: MqttClient; readonly topic: string }[] = [];
  for (let n = 0; n < setting.connections; n++) {
    const clientId = `h${String(n).padStart(25, '0')}`;
    const line = await connectAsync(setting.url, { protocolVersion: 4, clientId, reconnectPeriod: 0 });
    lines.push({ line, topic: `carillon/1/00/t/s/${clientId}/up/hb` });
  }
  const payload = JSON.stringify({ v: 1, n: 1, filling: 'x'.repeat(370) });
  const beganMs = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - beganMs) / 1_000) * setting.perSecond;
    for (; count < due; count++) {
      const each = lines[count % lines.length];
      each?.line.publish(each.topic, payload, { qos: 0 });
    }
  }, STEP_MS);
  return {
    ready: null,
    answer: () => count,
    close: async () => {
      clearInterval(timer);
      for (const { line } of lines) line.end(true);
    },
  };
}

serveParent(start);
