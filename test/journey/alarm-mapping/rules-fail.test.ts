import { expect, it } from 'vitest';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  send,
  sendingPair,
} from '#test/support/sending.ts';

/* Rules of an event mapper that cannot be carried out: the event goes out unchanged, and one platform alarm names the rule. */

const opened = keptPairs();
const TOO_MUCH = {
  mappingRules: {
    rules: [
      {
        set: Object.fromEntries(
          Array.from({ length: 200 }, (_, i) => [`a${i}`, '{{alarmEvent}}'.repeat(20)]),
        ),
        path: '/x',
      },
    ],
  },
};

async function pair(mapper: Record<string, unknown>) {
  const made = await sendingPair({ destAddr: AT_CENTRE, protocol: 'scaip', ...LOGIN }, { mapper });
  opened.push(made);
  made.sender.notify('https://app.example/alarms');
  centreKnows(made);
  centreBridge(made, 'scaip');
  return made;
}

const faultsOf = (made: Awaited<ReturnType<typeof pair>>) =>
  made.sender.posted.filter(({ body }) => body.error === 'mappingRulesFailed').map(({ body }) => body);

it('sendalarmevent goes out unchanged when its rules fail', async () => {
  const made = await pair(TOO_MUCH);
  for (let each = 0; each < 3; each++) await send(made);
  await made.after(3_000);
  expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(3);
  expect(faultsOf(made)).toMatchObject([
    { type: 'serviceAlarm', errorDetails: { alarmEventMapperId: 'mapper-1', path: '/mappingRules/rules/0' } },
  ]);
  expect(
    made.sender.logged.filter((line) => line.includes('event_mapper.apply_failed')).length,
  ).toBeGreaterThan(2);
});

it('the alarm of a device that is sent on goes out unchanged when its rules fail', async () => {
  const made = await pair(TOO_MUCH);
  const id = 'devices';
  made.sender.bridge({
    id,
    protocol: 'scaip',
    name: id,
    destinationMatch: '^devices$',
    alarmEventMapperId: 'mapper-1',
  });
  const text = 'x'.repeat(12_000);
  made.sender.request('MESSAGE', 'scaip-0001', {
    uri: 'sip:devices@care.example',
    body: `<mrq><ref>R1</ref><cid>12345678</cid><dty>0003</dty><crd>no-voice:</crd><ite>${text}</ite></mrq>`,
  });
  await made.after(3_000);
  expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
  expect(faultsOf(made)).toHaveLength(1);
});
