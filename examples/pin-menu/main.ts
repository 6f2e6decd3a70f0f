import { ask, call, createFlow, end, enterIvr, say } from '#sdk/js/src/flow/index.ts';
import { serve } from '../kit.ts';

/* A PIN before a menu: three attempts, then the caller is led away. The step travels with the call, so that no process remembers it. */

const PIN = process.env.PIN ?? '1234';
const attempts = new Map<string, number>();

const flow = createFlow('pin', {
  pin: {
    command: () => ask([say('Please enter your PIN.')], { maxDigits: 4, firstDigitTimeout: 8_000 }),
    next: (digits, { sessionId }) => {
      const failed = digits === PIN ? 0 : (attempts.get(sessionId) ?? 0) + 1;
      attempts.set(sessionId, failed);
      console.log(failed === 0 ? 'PIN right' : `PIN wrong, attempt ${failed}`);
      if (failed === 0) return 'menu';
      return failed < 3 ? 'pin' : 'refused';
    },
  },
  menu: {
    command: () => ask([say('Press one for the operator, two for the time.')], { maxDigits: 1 }),
    next: (digits) => ({ 1: 'operator', 2: 'time' })[digits] ?? 'menu',
  },
  operator: { command: () => end([say('One moment.')]) },
  time: {
    command: () => ask([say(`It is ${new Date().toTimeString().slice(0, 5)}.`)], { firstDigitTimeout: 100 }),
    next: () => 'menu',
  },
  refused: { command: () => end([say('Goodbye.')]) },
});

await serve({
  newCall: () => enterIvr(),
  getIvrCommand: async (body) => {
    const command = await flow(body);
    console.log(`step ${(command.sessionReferenceId as { flowStep: string }).flowStep}`);
    return command;
  },
  // The IVR has left: who passed is connected, everyone else is hung up.
  callEvent: ({ sessionId, sipStatus, event, ...body }) => {
    const { flowStep } = (body as { sessionReferenceId?: { flowStep?: string } }).sessionReferenceId ?? {};
    attempts.delete(sessionId);
    return flowStep === 'operator' && sipStatus === undefined
      ? call('operator', { maxRingTime: 20 })
      : { action: 'drop' };
  },
});
