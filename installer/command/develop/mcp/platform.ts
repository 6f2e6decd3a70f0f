import { type Client, createClient, type OperationName } from '#shared/client/index.ts';
import { EXPLAINED, type ExplainedKind, type Programs } from '../../../program.ts';
import { type Login, RECORD_OPERATIONS } from '../../operator/index.ts';
import type { Arguments, Tool } from './tool.ts';

/** Operations that create, each of which only judges with dryRun=true. */
const JUDGED = {
  receiver: 'postProvisioningAlarmbridge',
  sender: 'postProvisioningAlarmeventmapper',
  trunk: 'postProvisioningTrunk',
  mediaService: 'postMediaserviceByDomain',
  recordingService: 'postCallrecordingByDomain',
  cloudSipUserAgent: 'postProvisioningCloudsipua',
} as const satisfies Readonly<Record<string, OperationName>>;

const domain = { type: 'string', description: 'Tenant, such as care.example' } as const;
const filter = (description: string) => ({ type: 'string', description, isOptional: true }) as const;

/** Reading at the control plane, by the same operations as the commands of the operator. `login` is asked for with each use. */
export function platformTools(login: () => Login): readonly Tool[] {
  const client = (): Client => {
    const { cloud, token } = login();
    return createClient({ baseUrl: cloud, token: () => token, fetch });
  };
  return [
    {
      name: 'list_records',
      description: 'Lists sessions of a tenant (alarms, calls, messages, refused attempts), newest first.',
      input: {
        domain,
        device: filter('Only devices whose id begins with it'),
        number: filter('Only calling or called numbers that begin with it'),
        kind: filter('alarm, alarmSent, call, mediaService, cloudUserAgent, recording, message or attempt'),
        result: filter('running, done, refused, unanswered, failed or interrupted'),
        trace: filter('Only of this trace'),
        from: filter('Begin, as ISO 8601; default: the last 24 hours'),
        most: filter('Longest list; default 50'),
      },
      run: (given) => asked(client(), 'record list', { most: '50', ...given }),
    },
    {
      name: 'show_record',
      description: 'Shows the whole record of one session.',
      input: { domain, recordId: { type: 'string', description: 'Id of the record' } },
      run: (given) => asked(client(), 'record show', given),
    },
    {
      name: 'explain_trace',
      description:
        'Tells the steps of one session in sentences with times. Each look stands in the audit log.',
      input: { domain, traceId: { type: 'string', description: 'Trace id, as callbacks carry it' } },
      run: (given) => asked(client(), 'trace', given),
    },
    {
      name: 'check_configuration',
      description:
        'Judges a resource as a write would (dryRun): nothing is stored. Answers warnings or the fault.',
      input: {
        domain,
        kind: { type: 'string', description: 'Kind of resource', oneOf: Object.keys(JUDGED) },
        body: { type: 'object', description: 'The resource, as the API takes it' },
      },
      run: async ({ kind, ...given }) => {
        const input = { domain: given.domain, body: given.body, dryRun: 'true' } as never;
        const answer = await client().call(JUDGED[kind as keyof typeof JUDGED], input);
        if (!answer.ok) throw new Error(answer.error.reason);
        return JSON.stringify(answer.value, undefined, 2);
      },
    },
  ];
}

/** A row of the operator's commands, run and shown as its command shows it. */
async function asked(client: Client, name: string, given: Arguments): Promise<string> {
  const operation = RECORD_OPERATIONS.find((each) => each.name === name);
  const words = given as Readonly<Record<string, string>>;
  const answer = await operation?.run(client, words);
  if (answer?.ok !== true) throw new Error(answer?.error.reason ?? `There is no operation ${name}.`);
  const body = answer.value as Readonly<Record<string, unknown>>;
  // Events of a trace that has no record.
  if (Array.isArray(body.entries) && body.entries.length === 0 && body.trace === undefined)
    throw new Error('The platform has nothing of it. Check the id; records end with their retention.');
  return operation?.sentence?.(body, words) ?? JSON.stringify(body, undefined, 2);
}

/** Frames of alarm protocols, taken apart by the cores that receive them. */
export function explainTool(programs: Pick<Programs, 'explain'>): Tool {
  return {
    name: 'explain_frame',
    description:
      'Takes one frame of an alarm protocol apart: fields, check, the alarm event it means, warnings.',
    input: {
      kind: {
        type: 'string',
        description: 'Kind of frame; tone: digits of any tone protocol',
        oneOf: EXPLAINED,
      },
      content: { type: 'string', description: 'The frame as text' },
      key: filter('dc09: AES key of an encrypted frame, in hexadecimal digits'),
    },
    run: async ({ kind, content, key }) => {
      const options = key === undefined ? {} : { key: Buffer.from(String(key), 'hex') };
      const read = await programs.explain(kind as ExplainedKind, Buffer.from(String(content)), options);
      if (!read.ok) throw new Error(read.error.reason);
      return JSON.stringify(read.value, undefined, 2);
    },
  };
}

/** An alarm of a simulated device, for a platform that runs on this machine. */
export function simulateTool(programs: Pick<Programs, 'simulateScaip'>, to: string, tenant: string): Tool {
  return {
    name: 'simulate_alarm',
    description: `Sends one SCAIP alarm to the demo at ${to} and tells how it was answered.`,
    acts: true,
    input: {
      device: filter('Device; default scaip-0001'),
      deviceType: filter('SCAIP dty of four digits; default 0003, a personal trigger'),
      statusCode: filter('SCAIP stc of four digits; default 0010, an alarm'),
    },
    run: async ({ device = 'scaip-0001', deviceType = '0003', statusCode = '0010' }) => {
      const outcome = await programs.simulateScaip({
        ...{ to, transport: 'udp', domain: tenant, receiver: 'scaip', device: String(device) },
        ...{ password: undefined, count: 1, rate: 0, trust: undefined },
        ...{ deviceType: String(deviceType), statusCode: String(statusCode) },
      });
      return JSON.stringify(outcome, undefined, 2);
    },
  };
}
