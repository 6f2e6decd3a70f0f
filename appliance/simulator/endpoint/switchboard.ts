import type { CallDecision } from '#shared/contract/callback/index.ts';

type Body = Readonly<Record<string, unknown>>;
/** The state of a call in the application: it travels as sessionReferenceId. */
type Step = 'menu' | 'operator' | 'talking';

const speech = (Text: string) => ({ format: 'cloudtts', cloudTTSParameters: { Text } });
const MENU =
  'Welcome to Carillon. Press 1 to speak with the operator, 2 to hear yourself, 3 to hear some tones.';

/**
 * The flow of calls as a customer would write it: a menu, and whoever presses 1 is connected with `operator`. A recording session
 * is written to a file.
 *
 *   newCall ─▶ ivr: menu ─┬─ 1 ─▶ the IVR leaves ─ callEvent ─▶ call ─┬─ hung up ─▶ drop
 *                         ├─ 2 ─▶ echo for 10 s ─▶ menu               └─ not reached ─▶ ivr: menu
 *                         └─ 3 ─▶ tones ─▶ menu
 */
export function switchboard(path: string, body: Body, operator = 'operator'): Body | undefined {
  if (path === '/callrecording/newCall') return { startFileRecording: {} };
  if (path === '/newCall') return { action: 'ivr', ...at('menu') };
  if (path === '/getIvrCommand') return command(body);
  if (path === '/callEvent') return decision(body, operator);
  return undefined;
}

const at = (step: Step) => ({ sessionReferenceId: { step } });

function command({ dtmfParams, lastCommandResult }: Body): Body {
  const dtmf = { maxDigits: 1, firstDigitTimeout: 8_000 };
  const pressed = (dtmfParams as { dtmfMatch?: string } | undefined)?.dtmfMatch;
  switch (pressed) {
    case '1':
      return { phrases: [speech('One moment, I am calling the operator.')], hangup: true, ...at('operator') };
    case '2':
      return { phrases: [speech('Say something.')], echo: true, getIVRCommandAfter: 10 };
    case '3':
      return {
        phrases: [440, 550, 660].map((frequency) => ({ format: 'tone', frequency, duration: 400 })),
        dtmf,
      };
    default: {
      const again = lastCommandResult === undefined ? [] : [{ format: 'silence', duration: 500 }];
      return { phrases: [...again, speech(MENU)], dtmf };
    }
  }
}

function decision({ sessionReferenceId, sipStatus }: Body, operator: string): CallDecision {
  const step = (sessionReferenceId as { step?: Step } | undefined)?.step;
  if (sipStatus !== undefined) return { action: 'ivr', ...at('menu') };
  return step === 'operator'
    ? { action: 'call', destAddr: operator, ringbackTone: 'default', maxRingTime: 30, ...at('talking') }
    : { action: 'drop', dropCode: 480 };
}
