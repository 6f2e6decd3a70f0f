import { expect, it } from 'vitest';
import { ask, createFlow, end, play, recordAfter, say, silence, tone } from '#sdk/js/src/flow/index.ts';
import type { GetIvrCommand } from '#sdk/js/src/index.ts';
import { ivrCommandSchema } from '#shared/contract/callback/index.ts';

const asked = (change: object): GetIvrCommand => ({ sessionId: 's-1', ...change }) as never;

const pin = createFlow('pin', {
  pin: {
    command: () => ask([say('Enter your PIN', { language: 'en-GB' })], { maxDigits: 4, finishOnKey: '#' }),
    next: (digits) => (digits === '1234' ? 'welcome' : 'wrong'),
  },
  wrong: {
    command: () => ask([tone(425, 200), silence(100), play('wrong-pin.wav')], { maxDigits: 4 }),
    next: (digits) => (digits === '1234' ? 'welcome' : 'bye'),
  },
  welcome: { command: () => recordAfter([say('Speak')], { fileName: 'note.wav' }), next: () => 'bye' },
  bye: { command: () => end([say('Goodbye')]) },
});

it('a flow carries its step in the reference of the session, beside what the application keeps there', async () => {
  let reference: unknown = { case: '17' };
  const steps: unknown[] = [];
  for (const digits of [undefined, '9999', '1234', '']) {
    const command = await pin(
      asked({
        sessionReferenceId: reference,
        ...(digits !== undefined && {
          lastCommandResult: { phrases: 'completed' },
          dtmfParams: { dtmfMatch: digits, reason: 'maxDigits' },
        }),
      }),
    );
    expect(ivrCommandSchema.safeParse(command).error).toBeUndefined();
    reference = command.sessionReferenceId;
    steps.push(reference);
  }
  expect(steps).toEqual(['pin', 'wrong', 'welcome', 'bye'].map((flowStep) => ({ case: '17', flowStep })));
});

it('a step that is nowhere is named, with those that are', async () => {
  const flow = createFlow('first', { first: { command: () => end(), next: () => 'gone' } });
  await expect(
    flow(asked({ sessionReferenceId: { flowStep: 'first' }, lastCommandResult: {} })),
  ).rejects.toThrow('The flow has no step gone. Name one of first.');
});
