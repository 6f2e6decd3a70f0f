/**
 * The devices of a campaign, as a program of their own: what they know survives whatever happens to the site, and
 * they can live in another network. Reads one `DeviceLoad` as JSON from its first argument; writes one line for each
 * acknowledged alarm (its reference) and at the end `done {…}`.
 */
import { simulateScaip } from '#appliance/simulator/index.ts';

export interface DeviceLoad {
  readonly to: string;
  readonly domain: string;
  /** Alarms in all, shared out evenly. */
  readonly count: number;
  /** Alarms per second in all. */
  readonly rate: number;
  readonly devices: readonly string[];
  /** ms without an answer after which an alarm is sent again. */
  readonly answerWaitMs: number;
  readonly tries: number;
}

const load = JSON.parse(process.argv[2] ?? '') as DeviceLoad;
const share = load.devices.length;
const outcomes = await Promise.all(
  load.devices.map((device, index) =>
    simulateScaip({
      to: load.to,
      transport: 'udp',
      domain: load.domain,
      receiver: 'scaip',
      device,
      password: undefined,
      count: Math.floor((load.count + index) / share),
      rate: load.rate / share,
      deviceType: '0003',
      statusCode: '0010',
      trust: undefined,
      behaviour: { answerWaitMs: load.answerWaitMs, tries: load.tries, holdResendMs: 5_000, retryMs: 500 },
      onAcknowledged: (reference) => process.stdout.write(`${reference}\n`),
    }),
  ),
);
const sent = outcomes.reduce((sum, outcome) => sum + outcome.sent, 0);
const failures = outcomes.flatMap((outcome) => outcome.failures);
process.stdout.write(`done ${JSON.stringify({ sent, failures })}\n`);
