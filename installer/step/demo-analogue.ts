import { exitCode, Stop } from '../exit-code.ts';
import { say } from '../io/terminal/terminal.ts';
import { notArrived, SAID, wholeTrace } from './demo-alarm.ts';
import { openDemoOperator } from './demo-operator.ts';
import { showRecord } from './demo-record.ts';
import type { DemoStage } from './demo-stage.ts';
import { DEMO_ANALOGUE, DEMO_DOMAIN } from './demo-tenant.ts';
import { type Moment, type Party, printTimeline } from './timeline.ts';

const ARRIVES_WITHIN_MS = 20_000;
const LONGEST_MS = 40_000;

/**
 * An analogue unit rings with its alarm in tones, an operator answers, speaks and hangs up, and the unit is cleared; prints
 * the way of it.
 */
export async function showAnalogueAlarm(stage: DemoStage): Promise<void> {
  const { programs, arc, appliance, to, telephonePassword: password } = stage;
  const began = Date.now();
  const steps: Moment[] = [];
  const seen =
    (who: Party) =>
    ({ text }: { readonly text: string }) =>
      void steps.push({ atMs: performance.timeOrigin + performance.now(), who, text });
  const account = { to, transport: 'udp', domain: DEMO_DOMAIN, password } as const;
  const operator = await openDemoOperator(stage, seen('operator'));
  try {
    const arrived = arc
      .received(
        (request) =>
          request.atMs >= began &&
          request.path === '/newAlarmbridgeEvent' &&
          request.body.sourceAlarmProtocol === 'bs8521',
        ARRIVES_WITHIN_MS,
      )
      .catch(notArrived);
    const [outcome, request] = await Promise.all([
      programs.simulateTone({
        ...account,
        receiver: 'analogue',
        device: DEMO_ANALOGUE,
        protocol: 'bs8521',
        identity: '123456780001',
        talkMs: LONGEST_MS,
        onStep: seen('device'),
      }),
      arrived,
    ]);
    const trace = await wholeTrace(appliance, request.traceId, 'sessionEnded');
    say();
    printTimeline({
      title: `An analogue alarm in tones, from ${DEMO_ANALOGUE} to a person`,
      steps: steps.filter(({ text }) => !text.includes('registered')),
      trace,
      request,
    });
    await showRecord(stage.api, request.traceId);
    if (!outcome.acknowledged)
      throw new Stop(exitCode.unexpected, `the analogue alarm was not acknowledged: ${outcome.ended}`);
    if (!steps.some(({ who, text }) => who === 'operator' && text === SAID))
      throw new Stop(exitCode.unexpected, 'the operator of the analogue alarm was not reached');
  } finally {
    await operator.close();
  }
}
