import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AlarmSessions } from '#appliance/alarm/receiving/alarm-sessions.ts';
import type { AlarmSending } from '#appliance/alarm/sending/index.ts';
import type { AlarmVoice } from '#appliance/alarm/voice/index.ts';
import { DeviceCommands } from '#appliance/engine/device-commands.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { Listeners } from '#shared/listeners.ts';

it('answers a command after 15 s when the device says nothing, and does not hear it afterwards', async () => {
  let nowMs = 1_000;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const ids: string[] = [];
  const voice: Pick<AlarmVoice, 'commandOver'> = { commandOver: new Listeners() };
  const table = new DeviceCommands(
    { clock, timers, random: randomBytes } as unknown as EnginePorts,
    {
      bySession: () => ({ conversation: 'c', facts: { protocol: 'scaip' } }),
      input: (_: string, input: { id: string }) => ids.push(input.id),
    } as unknown as AlarmSessions,
    voice as AlarmVoice,
    { speaks: () => false, hangUp: () => false } as unknown as AlarmSending,
  );
  const answers: unknown[] = [];
  const said = async (work: Promise<unknown> | undefined) => answers.push(await work);
  const first = said(table.command('s', { command: 'volumeUp' }));
  nowMs += 5_000;
  const second = said(table.hangUp('s'));
  expect(timers.nextDueMs).toBe(16_000);
  timers.advance(15_999);
  expect(timers.nextDueMs).toBe(16_000);
  timers.advance(16_000);
  await first;
  expect(answers).toMatchObject([{ ok: false, error: { code: 'deviceSilent' } }]);
  expect(timers.nextDueMs).toBe(21_000);
  for (const id of ids) voice.commandOver.emit(id, { kind: 'done' });
  await second;
  expect(answers[1]).toEqual({ ok: true, value: undefined });
  expect(timers.nextDueMs).toBeUndefined();
});
