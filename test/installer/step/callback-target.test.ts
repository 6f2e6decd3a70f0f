import { expect, it } from 'vitest';
import { exitCode, Stop } from '#installer/exit-code.ts';
import { baseOf, callbackTarget } from '#installer/step/callback-target.ts';

const taken = (written: string) => {
  const target = callbackTarget('--callback', written);
  return `${target.kind} ${baseOf(target)}`;
};

it.each([
  ['http://localhost:3000', 'forwarded http://localhost:3000'],
  ['http://127.0.0.1:3000/in/', 'forwarded http://127.0.0.1:3000/in'],
  ['http://[::1]:3000', 'forwarded http://[::1]:3000'],
  ['https://app.example/carillon/', 'direct https://app.example/carillon'],
  ['https://192.168.1.5:8443', 'direct https://192.168.1.5:8443'],
])('%s is taken', (written, is) => {
  expect(taken(written)).toBe(is);
});

it.each([
  ['localhost:3000', 'is not spoken; write https:// or http://localhost'],
  ['nonsense', 'no URL; write https://HOST/PATH or http://localhost:PORT'],
  ['ftp://localhost', 'is not spoken'],
  ['http://192.168.1.5:3000', 'plain http is for this machine only'],
  ['http://localhost.example', 'plain http is for this machine only'],
  ['http://me:secret@localhost', 'leave it out'],
  ['https://app.example/?key=1', 'a query or fragment'],
])('%s is refused with what to write', (written, says) => {
  try {
    taken(written);
    expect.unreachable();
  } catch (cause) {
    expect(cause).toBeInstanceOf(Stop);
    expect((cause as Stop).code).toBe(exitCode.wrongUse);
    expect((cause as Stop).message).toContain(says);
  }
});
