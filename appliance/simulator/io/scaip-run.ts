import { createHash, randomBytes } from 'node:crypto';
import { openSipTransport, type SipTransport } from '../../io/sip-transport/index.ts';
import { type Flow, SipEndpoint } from '../../sip/endpoint/index.ts';
import { type AlarmResult, type DeviceBehaviour, ScaipDevices } from '../endpoint/scaip-device.ts';

/** Alarms to send, and to whom. */
export interface ScaipRun {
  /** `host:port` of the appliance. */
  readonly to: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly domain: string;
  /** User part of the request URI. */
  readonly receiver: string;
  readonly device: string;
  readonly password: string | undefined;
  readonly count: number;
  /** Alarms per second; 0 = one after the other. */
  readonly rate: number;
  /** SCAIP dty and stc. */
  readonly deviceType: string;
  readonly statusCode: string;
  /** PEM of the authority that a TLS listener's certificate was issued by. */
  readonly trust: string | undefined;
  readonly behaviour?: DeviceBehaviour;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
  /** The call of a device whose answer names a number to call (tnu); one at a time awaits it before its next alarm. Never rejects. */
  readonly speak?: (number: string) => Promise<void>;
  /** Called for each alarm that was acknowledged (snu 0), with its reference. */
  readonly onAcknowledged?: (reference: string) => void;
}

export interface ScaipOutcome {
  readonly sent: number;
  /** Answers with snu 0. */
  readonly acknowledged: number;
  readonly answers: readonly Readonly<Record<string, string>>[];
  readonly failures: readonly string[];
}

const TICK_MS = 10;
const KEPT_ANSWERS = 1_000;

/** Sends `count` alarms as one device would and waits for the result of each. Rejects when no receiver can be reached. */
export async function simulateScaip(run: ScaipRun): Promise<ScaipOutcome> {
  const startMs = performance.now();
  let transport: SipTransport | undefined;
  const endpoint: SipEndpoint = new SipEndpoint({
    capability: {
      methods: ['MESSAGE', 'OPTIONS'],
      accept: ['application/scaip+xml', 'application/xml'],
      supported: [],
    },
    random: (length) => randomBytes(length),
    nowMs: performance.now(),
    effects: {
      send: (flow: Flow, bytes: Buffer) => void transport?.send(flow, bytes),
      deliver: (request, server, _flow, nowMs) => devices?.deliver(request, server, nowMs),
      acknowledged: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    },
  });
  let devices: ScaipDevices | undefined;
  const udp = run.transport === 'udp' ? { udp: [{ host: localFor(run.to), port: 0 }] } : {};
  transport = await openSipTransport(
    {
      ...udp,
      monoMs: () => performance.now(),
      ...(run.trust !== undefined && { tlsCredentials: () => ({ ca: run.trust ?? '' }) }),
    },
    {
      message: (flow, bytes, nowMs) => endpoint.receive(flow, bytes, nowMs),
      closed: (flow) => endpoint.transportFailed(flow, performance.now()),
      failed: (flow) => endpoint.transportFailed(flow, performance.now()),
    },
  );
  const ticker = setInterval(() => {
    endpoint.advance(performance.now());
    devices?.advance(performance.now());
  }, TICK_MS);
  try {
    const flow = await connect(transport, run);
    devices = new ScaipDevices(
      {
        endpoint,
        flow,
        receiver: `sip:${run.receiver}@${run.domain}`,
        domain: run.domain,
        token: () => randomBytes(8).toString('hex'),
        hash: (algorithm, text) =>
          createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
            .update(text)
            .digest('hex'),
        password: run.password,
        onStep: ({ text }) => run.onStep?.({ atMs: performance.now() - startMs, text }),
      },
      performance.now(),
      run.behaviour,
    );
    return await sendAll(devices, run);
  } finally {
    clearInterval(ticker);
    await transport.close();
  }
}

async function connect(transport: SipTransport, run: ScaipRun): Promise<Flow> {
  const colon = run.to.lastIndexOf(':');
  const host = run.to.slice(0, colon).replace(/^\[|\]$/g, '');
  const kind = run.transport === 'udp' ? 'UDP' : run.transport === 'tcp' ? 'TCP' : 'TLS';
  // Without an authority any certificate is taken: a simulator holds no secret but a device's password.
  const flow = await transport.connect(kind, host, Number(run.to.slice(colon + 1)), {
    trust: run.trust === undefined,
  });
  if (!flow.ok) throw new Error(`${run.to} cannot be reached over ${run.transport}: ${flow.error.reason}`);
  return flow.value;
}

const localFor = (to: string): string =>
  to.startsWith('127.') ? '127.0.0.1' : to.startsWith('[') ? '::' : '0.0.0.0';

async function sendAll(devices: ScaipDevices, run: ScaipRun): Promise<ScaipOutcome> {
  const prefix = randomBytes(4).toString('hex').toUpperCase();
  const answers: Readonly<Record<string, string>>[] = [];
  const failures: string[] = [];
  let acknowledged = 0;
  const one = (number: number): Promise<void> =>
    new Promise((resolve) => {
      const reference = `${prefix}${number.toString(36).toUpperCase()}`;
      const { device, deviceType, statusCode } = run;
      devices.raise({ device, reference, deviceType, statusCode }, performance.now(), (result) => {
        if (result.kind === 'answered' && result.response.snu === 0) {
          acknowledged++;
          run.onAcknowledged?.(reference);
        } else failures.push(failureOf(result, reference));
        if (result.kind === 'answered' && answers.length < KEPT_ANSWERS)
          answers.push(written(result.response));
        const number = callbackNumber(result);
        if (number === undefined || run.speak === undefined) resolve();
        else void run.speak(number).then(resolve);
      });
    });
  if (run.rate === 0) for (let number = 0; number < run.count; number++) await one(number);
  else await paced(run, one);
  return { sent: run.count, acknowledged, answers, failures };
}

/** Keeps the rate whatever the answers do: each tick sends what is due by then. */
async function paced(run: ScaipRun, one: (number: number) => Promise<void>): Promise<void> {
  const startMs = performance.now();
  const running: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const ticker = setInterval(() => {
      const due = Math.min(run.count, Math.floor(((performance.now() - startMs) / 1000) * run.rate) + 1);
      while (running.length < due) running.push(one(running.length));
      if (running.length < run.count) return;
      clearInterval(ticker);
      resolve();
    }, 1);
  });
  await Promise.all(running);
}

/** The number that the device is to call; a tnu without a number means that the centre calls. */
const callbackNumber = (result: AlarmResult): string | undefined =>
  result.kind === 'answered' ? result.response.tnu?.find((one) => /:.*[A-Za-z0-9]/.test(one)) : undefined;

function failureOf(result: AlarmResult, reference: string): string {
  if (result.kind === 'failed') return `alarm ${reference}: ${result.reason}`;
  const { snu, statusText } = result.response;
  return `alarm ${reference}: answered snu ${snu}${statusText === undefined ? '' : ` (${statusText})`}`;
}

const written = (response: object): Record<string, string> =>
  Object.fromEntries(Object.entries(response).map(([name, value]) => [name, String(value)]));
