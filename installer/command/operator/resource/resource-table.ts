import type { CallFailure, Client, OperationName } from '#shared/client/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { readJsonOf } from '../../../io/file/readable-file.ts';
import { type Answered, type Given, type Operation, wholeList } from '../operation/operation.ts';

type Body = Readonly<Record<string, unknown>>;

/** A resource of a tenant: its group of commands, and its operations in the API. */
interface Resource {
  readonly group: string;
  readonly noun: string;
  /** End of the names of its operations, `ProvisioningAlarmbridge`. */
  readonly operation: string;
  readonly id: string;
  readonly member: string;
  readonly columns: readonly string[];
}

const RESOURCES: readonly Resource[] = [
  {
    ...{ group: 'receiver', noun: 'alarm receiver', operation: 'ProvisioningAlarmbridge' },
    ...{ id: 'alarmBridgeId', member: 'alarmbridges' },
    columns: ['id', 'name', 'protocol', 'destinationMatch', 'callbackBaseUrl'],
  },
  {
    ...{ group: 'sender', noun: 'event sender', operation: 'ProvisioningAlarmeventmapper' },
    ...{ id: 'alarmEventMapperId', member: 'alarmeventmappers' },
    columns: ['id', 'name', 'alarmHandling', 'description'],
  },
  {
    ...{ group: 'trunk', noun: 'trunk', operation: 'ProvisioningTrunk', id: 'trunkId', member: 'trunks' },
    columns: ['id', 'name', 'description'],
  },
  {
    ...{ group: 'media', noun: 'media service', operation: 'MediaserviceByDomain' },
    ...{ id: 'mediaServiceId', member: 'mediaservices' },
    columns: ['id', 'name', 'destinationMatch', 'callbackBaseUrl'],
  },
  {
    ...{ group: 'recording', noun: 'recording service', operation: 'CallrecordingByDomain' },
    ...{ id: 'recordingServiceId', member: 'callrecordings' },
    columns: ['id', 'name', 'destinationMatch', 'callbackBaseUrl'],
  },
];

const FROM = ['--from <file>', 'file of JSON; - is the standard input'] as const;
const MOST = ['--most <n>', 'longest list (default 1000)'] as const;

/** Operations of one kind have one shape; their names come from the table. */
type AnyCall = (
  name: OperationName,
  input: Body & { readonly headers?: Record<string, string> },
) => Promise<Result<Body & { readonly nextToken?: string }, CallFailure>>;
const callOf = (client: Client): AnyCall => client.call as unknown as AnyCall;

/** `get`, `post`, `put` or `delete` of a resource, of all or of one. */
function operationOf({ operation, id }: Resource, verb: string, isOne: boolean): OperationName {
  const by = `By${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  return `${verb}${operation}${isOne ? by : ''}` as OperationName;
}

const domainOf = (given: Given) => ({ domain: given.domain ?? '' });

/** The list, show, create, edit and remove of each resource. */
export const RESOURCE_OPERATIONS: readonly Operation[] = RESOURCES.flatMap(
  (resource): readonly Operation[] => [
    {
      name: `${resource.group} list`,
      does: `Lists each ${resource.noun} of a tenant.`,
      arguments: ['domain'],
      options: [MOST],
      example: `carillon ${resource.group} list care.example`,
      run: (client, given) => listOf(client, resource, given),
      list: [resource.member, ...resource.columns],
    },
    {
      name: `${resource.group} show`,
      does: `Shows one ${resource.noun} as JSON, by its name or id.`,
      arguments: ['domain', 'name'],
      example: `carillon ${resource.group} show care.example north`,
      run: (client, given) => shown(client, resource, given),
    },
    {
      name: `${resource.group} create`,
      does: `Creates one ${resource.noun} from a file of JSON.`,
      arguments: ['domain'],
      options: [FROM],
      example: `carillon ${resource.group} create care.example --from ${resource.group}.json`,
      run: (client, given) =>
        callOf(client)(operationOf(resource, 'post', false), { ...domainOf(given), body: bodyOf(given) }),
      sentence: ({ id }) => `Created ${id}.`,
    },
    {
      name: `${resource.group} edit`,
      does: `Changes one ${resource.noun}: fields of the file replace its own, null removes one, all others stay.`,
      arguments: ['domain', 'name'],
      options: [FROM],
      example: `carillon ${resource.group} edit care.example north --from change.json`,
      run: (client, given) => edited(client, resource, given),
      sentence: ({ id }, { name }) => `Changed ${id ?? name}.`,
    },
    {
      name: `${resource.group} remove`,
      does: `Removes one ${resource.noun}, by its name or id.`,
      arguments: ['domain', 'name'],
      example: `carillon ${resource.group} remove care.example north`,
      run: async (client, given) => {
        const found = await idOf(client, resource, given);
        if (!found.ok) return found;
        const input = { ...domainOf(given), [resource.id]: found.value };
        return await callOf(client)(operationOf(resource, 'delete', true), input);
      },
      sentence: (_, { name }) => `Removed ${name}.`,
    },
  ],
);

const listOf = (client: Client, resource: Resource, given: Given): Answered =>
  wholeList(resource.member, given, (part) =>
    callOf(client)(operationOf(resource, 'get', false), { ...domainOf(given), ...part }),
  );

/** A person writes the name; a program the id. */
async function idOf(client: Client, resource: Resource, given: Given) {
  const { most: _, ...all } = given;
  const listed = await listOf(client, resource, all);
  if (!listed.ok) return listed;
  const entries = (listed.value as Readonly<Record<string, readonly Body[]>>)[resource.member] ?? [];
  const found = entries.filter(({ id, name }) => id === given.name || name === given.name);
  if (found.length === 1) return ok(String(found[0]?.id));
  const reason =
    found.length === 0
      ? `There is no ${resource.noun} ${given.name}. carillon ${resource.group} list shows all.`
      : `Several are called ${given.name}. Write the id of one; carillon ${resource.group} list shows it.`;
  return fail('notFound', reason);
}

async function shown(client: Client, resource: Resource, given: Given): Answered {
  const found = await idOf(client, resource, given);
  if (!found.ok) return found;
  const input = { ...domainOf(given), [resource.id]: found.value };
  const answer = await callOf(client)(operationOf(resource, 'get', true), input);
  return answer.ok ? ok(itself(answer.value)) : answer;
}

/** The resource stands in a member of the answer that has its name. */
const itself = (answer: Body): Body => Object.values(answer).find(isObject) ?? answer;

async function edited(client: Client, resource: Resource, given: Given): Answered {
  const change = bodyOf(given);
  const now = await shown(client, resource, given);
  if (!now.ok) return now;
  const { success: _, id, ...fields } = now.value as Body;
  const input = { ...domainOf(given), [resource.id]: id, body: merged(fields, change) };
  const answer = await callOf(client)(operationOf(resource, 'put', true), input);
  return answer.ok ? ok({ ...answer.value, id }) : answer;
}

/** JSON Merge Patch (RFC 7396). */
function merged(before: unknown, change: unknown): unknown {
  if (!isObject(change)) return change;
  const all: Record<string, unknown> = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change))
    if (value === null) delete all[name];
    else all[name] = merged(all[name], value);
  return all;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function bodyOf({ from }: Given): Body {
  if (from === undefined) throw new Stop(exitCode.wrongUse, 'The command needs --from FILE, a file of JSON.');
  const body = readJsonOf(from);
  if (isObject(body)) return body;
  throw new Stop(exitCode.damagedFile, `${from} holds no JSON object. Write { … } with the fields.`);
}
