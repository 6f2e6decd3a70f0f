import { exitCode, Stop } from '../exit-code.ts';
import { say } from '../io/terminal.ts';
import type { Programs, RunningAppliance, RunningArc, TraceLine } from '../program.ts';
import { DEMO_DOMAIN } from './demo-tenant.ts';
import { type Moment, printTimeline } from './timeline.ts';

const DEVICE = 'scaip-0001';
const ARRIVES_WITHIN_MS = 10_000;
const WRITTEN_WITHIN_MS = 2_000;

/** What an alarm of the demo plays on. */
export interface DemoStage {
  readonly programs: Programs;
  readonly arc: RunningArc;
  readonly appliance: RunningAppliance;
  /** `host:port` of SIP. */
  readonly to: string;
}

/** Of two things that cannot be told apart here, the likelier first. */
export function notArrived(cause: unknown): never {
  const why = 'a busy machine takes longer: start again when it has less to do, or read the warnings above';
  throw new Stop(exitCode.unexpected, `${(cause as Error).message}; ${why}`);
}

/** Sends one alarm from a simulated device through the appliance to the demo application and prints its way. */
export async function showFirstAlarm({ programs, arc, appliance, to }: DemoStage): Promise<void> {
  const began = Date.now();
  const steps: Moment[] = [];
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
      onStep: ({ text }) =>
        steps.push({ atMs: performance.timeOrigin + performance.now(), who: 'device', text }),
    }),
    arrived,
  ]);
  const trace = await wholeTrace(appliance, request.traceId, 'deviceConfirmed');
  say();
  printTimeline({
    title: `One alarm, from ${DEVICE} to the application and back`,
    steps,
    trace,
    request,
  });
  if (outcome.acknowledged !== 1) {
    const [why] = outcome.failures;
    throw new Stop(exitCode.unexpected, `the alarm did not come back to the device: ${why ?? 'no answer'}`);
  }
  if (!request.verified) {
    throw new Stop(exitCode.unexpected, 'the callback arrived, but its signature was not valid');
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
