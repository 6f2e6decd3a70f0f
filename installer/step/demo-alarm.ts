import { exitCode, Stop } from '../exit-code.ts';
import { say } from '../io/terminal/terminal.ts';
import type { RunningAppliance, TraceLine } from '../program.ts';
import { openDemoOperator } from './demo-operator.ts';
import { showRecord } from './demo-record.ts';
import type { DemoStage } from './demo-stage.ts';
import { DEMO_DOMAIN } from './demo-tenant.ts';
import { callAsAsked } from './device-call.ts';
import { type Moment, type Party, printTimeline } from './timeline.ts';

const DEVICE = 'scaip-0001';
const ARRIVES_WITHIN_MS = 10_000;
const WRITTEN_WITHIN_MS = 2_000;
/** The operator hangs up long before. */
const SPEAKS_FOR_MS = 30_000;
/** The step of a telephone that has played its greeting. */
export const SAID = 'has said everything';

/** This command cannot distinguish the two causes; the text names the likelier first. */
export function notArrived(cause: unknown): never {
  const why = 'a busy machine takes longer: start again when it has less to do, or read the warnings above';
  throw new Stop(exitCode.unexpected, `${(cause as Error).message}; ${why}`);
}

/**
 * Sends one alarm from a simulated device through the appliance to the demo application and prints its way. A device that is
 * ordered to speak calls, as a real one does: without its call the alarm would be an incident a minute later.
 */
export async function showFirstAlarm(stage: DemoStage): Promise<void> {
  const { programs, arc, appliance, to } = stage;
  const began = Date.now();
  const steps: Moment[] = [];
  const seen =
    (who: Party) =>
    ({ text }: { readonly text: string }) =>
      void steps.push({ atMs: performance.timeOrigin + performance.now(), who, text });
  const arrived = arc
    .received(
      (request) => request.atMs >= began && request.path === '/newAlarmbridgeEvent' && !request.repeated,
      ARRIVES_WITHIN_MS,
    )
    .catch(notArrived);
  const [outcome, request] = await Promise.all([
    programs.simulateScaip({
      to,
      transport: 'udp',
      domain: DEMO_DOMAIN,
      receiver: 'scaip',
      device: DEVICE,
      password: undefined,
      count: 1,
      rate: 0,
      deviceType: '0003',
      statusCode: '0010',
      trust: undefined,
      onStep: seen('device'),
    }),
    arrived,
  ]);
  await wholeTrace(appliance, request.traceId, 'deviceConfirmed');
  const number = outcome.answers[0]?.tnu;
  if (number !== undefined) await speak(stage, number, seen);
  const trace = await wholeTrace(
    appliance,
    request.traceId,
    number === undefined ? 'deviceConfirmed' : 'sessionEnded',
  );
  say();
  printTimeline({
    title: `One alarm, from ${DEVICE} to the application and back`,
    steps: steps.filter(({ text }) => !text.includes('registered')),
    trace,
    request,
  });
  await showRecord(stage.api, request.traceId);
  if (outcome.acknowledged !== 1) {
    const [why] = outcome.failures;
    throw new Stop(exitCode.unexpected, `the alarm did not come back to the device: ${why ?? 'no answer'}`);
  }
  if (number !== undefined && !steps.some(({ who, text }) => who === 'operator' && text === SAID))
    throw new Stop(exitCode.unexpected, 'the operator of the alarm was not reached');
  if (!request.verified) {
    throw new Stop(exitCode.unexpected, 'the callback arrived, but its signature was not valid');
  }
}

/** The device calls the number that it was given, and the operator answers. */
async function speak(
  stage: DemoStage,
  number: string,
  seen: (who: Party) => (step: { readonly text: string }) => void,
): Promise<void> {
  const { programs, to } = stage;
  const operator = await openDemoOperator(stage, seen('operator'));
  try {
    const device = { to, transport: 'udp', domain: DEMO_DOMAIN, user: DEVICE, password: undefined } as const;
    await callAsAsked(programs, { ...device, onStep: seen('device') }, number, SPEAKS_FOR_MS);
  } finally {
    await operator.close();
  }
}

/** `last` ends the way; it is written a moment after it has happened. */
export async function wholeTrace(
  appliance: RunningAppliance,
  traceId: string,
  last: string,
): Promise<readonly TraceLine[]> {
  for (const deadline = Date.now() + WRITTEN_WITHIN_MS; ; ) {
    const trace = await appliance.trace(traceId);
    if (Date.now() > deadline || trace.some((line) => line.kind === last)) return trace;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
