import { describe, expect, it } from 'vitest';
import { decodeRequest, encodeResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import {
  allQuiet,
  answerCall,
  callbacksOf,
  keptPairs,
  phoneAt,
  send,
  sendingPair,
  VOICE,
} from '#test/support/sending.ts';

const opened = keptPairs();

/** A receiver of SCAIP that takes the alarm and says that it will call by itself, within three minutes. */
async function willCall(body: Record<string, unknown> = {}) {
  const made = await sendingPair({ protocol: 'scaip', destAddr: 'sip:arc@192.0.2.31' });
  opened.push(made);
  made.sender.notify('https://app.example/alarms');
  const arc = await phoneAt(made, 'sender', 'arc');
  const unit = await phoneAt(made, 'sender', 'unit', {
    serviceData: { alarmBridge: { alarmProtocol: 'ttnew' } },
  });
  await send(made, {
    ...VOICE,
    sipFrom: 'unit-17',
    alarmEvent: { callerId: 'sip:4712@care.example' },
    ...body,
  });
  await made.until(() => arc.has('MESSAGE'), 5_000);
  const message = arc.request('MESSAGE');
  arc.respond(message, 200);
  const alarm = decodeRequest(message.body);
  if (!alarm.ok) throw new Error(alarm.error.reason);
  arc.send({
    method: 'MESSAGE',
    uri: message.from.uriText,
    headers: [
      ['From', '<sip:arc@care.example>;tag=a'],
      ['To', `<${message.from.uriText}>`],
      ['Call-ID', 'answer'],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/scaip+xml'],
    ],
    body: Buffer.from(encodeResponse({ ref: alarm.value.ref, snu: 0, mre: 1, cre: 3 })),
  });
  await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
  return { made, arc, unit };
}

describe('a receiver that calls by itself (cre 1 to 60)', () => {
  it.each([
    ['the number that the alarm came from', 'unit-17'],
    ['the caller id that it was given', '4712'],
  ])('is joined with the device when it calls %s, and commands it', async (_, number) => {
    const { made, arc, unit } = await willCall();
    await made.after(40_000);
    expect(unit.has('INVITE')).toBe(false);
    const talk = await arc.invite(number, made.pump);
    await made.until(() => arc.has(200), 5_000);
    arc.acknowledge(talk, arc.response(200));
    await answerCall(made, unit);
    await made.after(1_500);
    unit.audio.digits.splice(0);
    unit.audio.press('5');
    await made.after(800);
    expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
    // Its control tones are commands of the device's protocol.
    arc.audio.press('8', { onMs: 200 });
    await made.after(1_500);
    expect(unit.audio.digits.map(({ digit, ms }) => `${digit} ${Math.round(ms / 100) * 100}`)).toEqual([
      'C 500',
    ]);
    arc.inDialog(talk, 'BYE');
    await made.until(() => unit.has('BYE'), 15_000);
    unit.respond(unit.request('BYE'), 200);
    await made.after(200_000);
    expect(made.sender.posted.map(({ body }) => body.error)).not.toContain('voiceCallMissing');
    allQuiet(made);
  });

  it('is waited for as long as it said; then a person is notified, and its call goes where calls go', async () => {
    const { made, arc } = await willCall();
    await made.after(181_000);
    expect(made.sender.posted.map(({ body }) => body.error)).toContain('voiceCallMissing');
    await arc.invite('unit-17', made.pump);
    await made.after(2_000);
    expect(() => arc.response(200)).toThrow('got no 200 INVITE');
    await made.after(40_000);
    allQuiet(made);
  });

  it('is not waited for any more when the application ends its call before it came', async () => {
    const { made } = await willCall();
    const [sent] = callbacksOf(made.sender, 'alarmSent');
    void made.sender.runtime.commands.hangUp(String(sent?.sessionId));
    await made.after(200_000);
    expect(made.sender.posted.map(({ body }) => body.error)).not.toContain('voiceCallMissing');
    allQuiet(made);
  });
});
