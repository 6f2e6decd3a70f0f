import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { framesInto } from '#appliance/compose/frame.ts';
import { type Listening, openFramedListener } from '#appliance/io/frame-listener/index.ts';
import { FRAMED_TOY } from '#test/appliance/alarm/protocol/toy/framed.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* A new protocol of frames over TCP is one folder, one row and a listener: `FRAMED_TOY` passes the whole appliance by a real socket. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let listening: Listening;
let panel: Socket;
let received: string;

afterEach(async () => {
  panel.destroy();
  await listening.close();
  await site.close();
});

async function begin(protocol = FRAMED_TOY.name): Promise<void> {
  site = await testAppliance({ frameProtocols: [FRAMED_TOY] });
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
  site.device({ deviceId: 'unit' });
  const bridge = site.bridge({ name: 'Toys', destinationMatch: '^toy#' });
  // No contract names the toy.
  site.tenant.put('alarmbridge', bridge.id, { ...bridge, protocol } as never);
  const adapter = site.runtime.framed.get(FRAMED_TOY.name);
  if (adapter === undefined) throw new Error('the engine has no adapter');
  const framing = { protocol: 'Toy', setting: 'CARILLON_TOY', cutter: FRAMED_TOY.cutter };
  const sink = framesInto(adapter, () => undefined);
  listening = await openFramedListener(framing, { host: '127.0.0.1', port: 0 }, sink);
  received = '';
  panel = connect(listening.port, '127.0.0.1');
  panel.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  await once(panel, 'connect');
}

const say = (text: string): void => void panel.write(`\x02${text}\x03`, 'latin1');
/** Until this is so: the socket is real, the clock stands. */
const becomes = (what: () => unknown, expected: unknown): Promise<void> =>
  expect
    .poll(
      async () => {
        await site.quiet();
        return what();
      },
      { timeout: 20_000, interval: 5 },
    )
    .toEqual(expected);
const alarms = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => [body.sourceAlarmProtocol, (body.sourceAlarmEvent as { raw: unknown }).raw]);

it('is stored, reported to the application and answered; its repeat is answered, and no event', async () => {
  await begin();
  say('toy unit 1');
  await becomes(() => received, '\x061');
  await becomes(alarms, [['framedToy', 'toy unit 1']]);
  say('toy unit 1');
  await becomes(() => received, '\x061\x061');
  say('toy unit 2');
  await becomes(() => received, '\x061\x061\x062');
  expect(alarms()).toHaveLength(2);
});

it('gets no answer while its event is not on the disk, and is taken when it comes again', async () => {
  await begin();
  site.breakDisk(true);
  say('toy unit 1');
  await becomes(() => site.logged.some((line) => /^(warn|error)/.test(line)), true);
  expect(received).toBe('');
  site.breakDisk(false);
  say('toy unit 1');
  await becomes(() => received, '\x061');
});

it('gets no answer without a bridge, and a person is notified', async () => {
  await begin('scaip');
  say('toy unit 1');
  await becomes(() => site.posted.map(({ body }) => body.error), ['noReceiver']);
  expect(received).toBe('');
});
