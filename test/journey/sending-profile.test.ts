import { describe, expect, it } from 'vitest';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
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

const opened = keptPairs();
/** Sender and centre, with the profile `ours` at both. */
async function two(protocol: string, root: string, content: object) {
  const made = await sendingPair(
    { protocol, destAddr: AT_CENTRE, ...LOGIN },
    { mapper: { protocolProfile: 'ours' } },
  );
  opened.push(made);
  const kind = protocol === 'scaip' ? 'xml' : 'tone';
  const row = protocolProfileRequestSchema.parse({ name: 'ours', kind, extends: root, content });
  for (const site of [made.sender, made.centre]) site.tenant.put('protocolprofile', 'ours', row);
  centreKnows(made);
  return made;
}

describe('an event sender with a protocol profile', () => {
  it.each([
    ['bs8521', 'bs8521'],
    ['tt92', 'tt92'],
  ])(
    'makes the check digits of %s that the profile names, and the centre finds them right',
    async (protocol, root) => {
      const check = { method: 'sumMod100' };
      const made = await two(protocol, root, { check: { policy: 'verify', ...check }, sender: { check } });
      centreBridge(made, protocol, { protocolProfile: 'ours' });
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      expect(callbacksOf(made.sender, 'alarmSent')[0]?.alarmString).not.toMatch(/00#?$/);
      await made.after(1_000);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
        { sourceAlarmEvent: { check: { policy: 'verify', result: 'ok' }, warnings: [] } },
      ]);
    },
  );

  it.each([
    ['bs8521', { fixed: '37' }, /37#$/],
    ['tt92', { withoutTable: '*7' }, /\*7$/],
    ['ttnew', { method: 'sumMod100', withoutTable: '*7' }, /\d\d$/],
  ] as const)(
    'says the check digits of %s that stand where no method makes any',
    async (protocol, check, end) => {
      const made = await two(protocol, protocol, { sender: { check } });
      centreBridge(made, protocol, { protocolProfile: 'ours' });
      await send(made);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      expect(callbacksOf(made.sender, 'alarmSent')[0]?.alarmString).toMatch(end);
    },
  );

  it.each([
    [true, '03'],
    [false, '00'],
  ])(
    'says in the status of BS 8521 that an alarm has no speech (nonSpeechStatus): %s',
    async (on, status) => {
      const made = await two('bs8521', 'bs8521', { sender: { nonSpeechStatus: on } });
      centreBridge(made, 'bs8521', { protocolProfile: 'ours' });
      await send(made, { alarmEvent: { audio: 'none' } });
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
      expect(callbacksOf(made.sender, 'alarmSent')[0]?.alarmString).toMatch(new RegExp(`^A\\d{22}${status}`));
    },
  );

  it('speaks SCAIP with the waits and the content type of the profile', async () => {
    const made = await two('scaip', 'scaip', {
      contentType: 'application/xml',
      sender: { answerWaitMs: 1_000, tries: 1 },
    });
    centreBridge(made, 'scaip', { protocolProfile: 'ours' });
    await send(made);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toHaveLength(1);
  });
});
