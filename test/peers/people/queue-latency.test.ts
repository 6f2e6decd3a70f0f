import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateScaip } from '#appliance/simulator/index.ts';
import { alarmQueueNewsSchema } from '#shared/contract/alarm-queue/index.ts';
import { openSite, type Site } from '#test/support/site.ts';

/*
 * From the decision of a host that no person of a list has accepted to the event at a person who follows the alarm queue.
 *
 *   simulator ─ SCAIP ─▶ host ─ MQTT ─▶ cloud ─ server-sent events ─▶ this process
 *                         └─ emergencyProgress queued, with the time of the decision ─▶ application
 */
const ALARMS = 10;
/** Longest time until a person sees it, with a line to the control plane, ms. */
const PROMISED_MS = 1_000;
const WAIT = { timeout: 30_000 };

let site: Site;
const following = new AbortController();
/** Epoch ms by session: the decision at the host, and the first event at the person. */
const decided = new Map<string, number>();
const shown = new Map<string, number>();
let isFollowing = false;
/** Fails with whatever ends the reader before its time. */
let reader: Promise<void> = Promise.resolve();

beforeAll(async () => {
  site = await openSite({
    relay({ path, body }) {
      if (!path.endsWith('/emergencyProgress')) return undefined;
      const { step, sessionId, time } = JSON.parse(body) as Record<string, unknown>;
      if (step === 'queued') decided.set(String(sessionId), Number(time));
      return undefined;
    },
    async provision({ api, token, domain, callbacks }) {
      // A telephone that is not registered: the list is over as soon as it begins.
      const absent = `sip:operator@${domain}`;
      const answer = await fetch(`${api}/provisioning/alarmbridge/${domain}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ name: 'queue-scaip', protocol: 'scaip', destinationMatch: '^queue$', ...callbacks },
          defaultEmergencyDestination: absent,
          emergencyCallList: { steps: [{ entries: [{ destination: absent }] }], rounds: 1 },
        }),
      });
      expect(await answer.json()).toMatchObject({ success: true });
    },
  });
  const { api, domain, token } = site;
  const answer = await fetch(`${api}/alarmqueue/${domain}/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: following.signal,
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  reader = follow(answer);
  // Each wait takes its failure; between two of them it must not end the process.
  reader.catch(() => undefined);
});
afterAll(async () => {
  following.abort();
  await site?.close();
});

/** Ends by the abort at the end of the test alone. */
async function follow(answer: Response): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of answer.body ?? []) {
    const atMs = Date.now();
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) takeEvent(block, atMs);
  }
  throw new Error('the stream of the alarm queue has ended');
}

/** The first lines have the interval for the next try, and signs of life are comments: neither is an event. */
function takeEvent(block: string, atMs: number): void {
  const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
  if (event === undefined) return;
  const update = alarmQueueNewsSchema.parse({ event, data: JSON.parse(data) });
  if (update.event === 'reset') isFollowing = true;
  else if ('alarmId' in update.data && !shown.has(update.data.alarmId)) shown.set(update.data.alarmId, atMs);
}

/** Waits for a condition, and no longer than the reader reads. */
const until = (condition: () => unknown, wanted: unknown): Promise<unknown> =>
  Promise.race([
    expect.poll(condition, WAIT).toEqual(wanted),
    reader.then(() => {
      throw new Error('the reader has ended');
    }),
  ]);

it('shows an alarm to people within a second of the decision', { timeout: 120_000 }, async () => {
  await until(() => isFollowing, true);
  for (let each = 1; each <= ALARMS; each++) {
    await simulateScaip({
      ...{ to: site.sip, transport: 'udp', domain: site.domain, receiver: 'queue', password: undefined },
      ...{ device: `scaip-${String(each).padStart(4, '0')}`, count: 1, rate: 1, trust: undefined },
      ...{ deviceType: '0003', statusCode: '0010' },
    });
    await until(() => [shown.size, decided.size], [each, each]);
  }
  // The alarm of the queue has the id of the session that the application hears of.
  expect([...shown.keys()].sort()).toEqual([...decided.keys()].sort());
  const took = [...decided].map(([id, atMs]) => (shown.get(id) ?? Number.NaN) - atMs).sort((a, b) => a - b);
  const figure = (index: number): string => (took[index] ?? Number.NaN).toFixed(0);
  const median = took[ALARMS / 2] ?? Number.NaN;
  console.log(
    `decision at the host until the event at a person: ${figure(0)} ms, median ${figure(ALARMS / 2)} ms, longest ${figure(ALARMS - 1)} ms of ${ALARMS} alarms`,
  );
  expect(took[0]).toBeGreaterThanOrEqual(0);
  expect(median).toBeLessThanOrEqual(PROMISED_MS);
});
