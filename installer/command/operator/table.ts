import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Operations } from '#shared/client/index.ts';
import { ok } from '#shared/result.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { readFileOf, readJsonOf } from '../../io/file/readable-file.ts';
import { progress } from '../../io/terminal/terminal.ts';
import { type Answered, type Given, type Operation, wholeList } from './operation/operation.ts';

const MOST = ['--most <n>', 'longest list (default 1000)'] as const;
const POLL_MS = 200;

/** The operations of the operator from a shell; the public API offers every row. */
export const OPERATIONS_OF_OPERATOR: readonly Operation[] = [
  {
    name: 'tenant list',
    does: 'Lists the tenants of the deployment.',
    arguments: [],
    options: [MOST],
    example: 'carillon tenant list',
    run: (client, given) => wholeList('tenants', given, (part) => client.call('getPlatformTenant', part)),
    list: ['tenants', 'domain', 'name'],
  },
  {
    name: 'tenant create',
    does: 'Creates a tenant.',
    arguments: ['domain'],
    options: [['--name <name>', 'name that people see']],
    example: 'carillon tenant create care.example --name "Care"',
    run: (client, given) =>
      client.call('postPlatformTenant', { body: { domain: word(given.domain), ...some(given, 'name') } }),
    sentence: (answer) => `The tenant ${answer.domain} is there.`,
  },
  {
    name: 'site list',
    does: 'Lists the sites of a tenant.',
    arguments: ['domain'],
    example: 'carillon site list care.example',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomain', domainOf(given));
      return answer.ok ? ok({ success: true, sites: answer.value.data.sites }) : answer;
    },
    list: ['sites', 'siteId', 'profile', 'name'],
  },
  {
    name: 'site create',
    does: 'Creates a site.',
    arguments: ['domain'],
    options: [
      ['--site-id <id>', 'id of the site; without it one is made'],
      ['--name <name>', 'name that people see'],
      ['--profile <profile>', 'supervision: high, standard or economy'],
    ],
    example: 'carillon site create care.example --site-id north --name "North"',
    run: (client, given) => {
      const body = { ...some(given, 'siteId', 'name'), ...some(given, 'profile') };
      return client.call('postSiteByDomain', { ...domainOf(given), body: body as SiteBody });
    },
    sentence: (answer) => `The site ${answer.siteId} is there.`,
  },
  {
    name: 'host list',
    does: 'Lists the hosts of a tenant and how they are.',
    arguments: ['domain'],
    example: 'carillon host list care.example',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomain', domainOf(given));
      return answer.ok ? ok({ success: true, hosts: answer.value.data.site }) : answer;
    },
    list: ['hosts', 'siteId', 'hostId', 'status', 'hostName'],
  },
  {
    name: 'host claim',
    does: 'Creates a claim code with which a machine joins a site.',
    arguments: ['domain', 'siteId'],
    options: [
      ['--host-id <id>', 'only for the host of this name'],
      ['--uses <n>', 'how many machines may use it (default 1)'],
      ['--expires-in <seconds>', 'how long it is good (default 3 days)'],
    ],
    example: 'carillon host claim care.example north --host-id gw-1',
    run: (client, given) =>
      client.call('postSiteByDomainBySiteIdClaim', {
        ...domainOf(given),
        siteId: word(given.siteId),
        body: { ...some(given, 'hostId'), ...numbers(given, 'uses', 'expiresIn') },
      }),
    sentence: ({ claimCode, expiresAt }) =>
      `${claimCode}\nOn the machine: carillon appliance --claim ${claimCode} (good until ${new Date(Number(expiresAt)).toISOString()})`,
  },
  {
    name: 'host claim-file',
    does: 'Prints the claim file of a code, signed, for a machine without a line: on a stick, carillon enrol --file.',
    arguments: ['domain', 'siteId', 'claimCode'],
    example: 'carillon host claim-file care.example north 4F7K2M9QXT > claim-north.json',
    run: async (client, given) => {
      const answer = await client.call('getSiteByDomainBySiteIdClaimByClaimCodeFile', {
        ...domainOf(given),
        siteId: word(given.siteId),
        claimCode: word(given.claimCode),
      });
      return answer.ok ? ok({ success: true, file: answer.value }) : answer;
    },
    sentence: ({ file }) => JSON.stringify(file, null, 2),
  },
  {
    name: 'device list',
    does: 'Lists devices.',
    arguments: ['domain'],
    options: [['--filter <prefix>', 'only ids that begin with it'], MOST],
    example: 'carillon device list care.example --filter scaip-',
    run: (client, given) =>
      wholeList('devices', given, (part) =>
        client.call('getProvisioningDevice', { ...domainOf(given), ...some(given, 'filter'), ...part }),
      ),
    list: ['devices', 'deviceId', 'authType', 'srtp', 'heartbeatStatus', 'description'],
  },
  {
    name: 'device get',
    does: 'Shows a device.',
    arguments: ['domain', 'deviceId'],
    example: 'carillon device get care.example scaip-0001',
    run: (client, given) => client.call('getProvisioningDeviceByDeviceId', deviceOf(given)),
  },
  {
    name: 'device put',
    does: 'Adds a device or overwrites it, from a file of JSON.',
    arguments: ['domain', 'file'],
    example: 'carillon device put care.example device.json',
    run: (client, given) =>
      client.call('putProvisioningDevice', {
        ...domainOf(given),
        body: jsonOf<Operations['putProvisioningDevice']['body']>(given.file),
      }),
    sentence: ({ password }) =>
      password === undefined ? 'Stored.' : `Stored. Its password, shown this once: ${password}`,
  },
  {
    name: 'device delete',
    does: 'Deletes a device.',
    arguments: ['domain', 'deviceId'],
    example: 'carillon device delete care.example scaip-0001',
    run: (client, given) => client.call('deleteProvisioningDeviceByDeviceId', deviceOf(given)),
    sentence: (_, given) => `The device ${given.deviceId} is deleted.`,
  },
  {
    name: 'device bulk',
    does: 'Loads devices from a CSV file and waits until they are in.',
    arguments: ['domain', 'file'],
    options: [['--dry-run', 'only check the rows']],
    example: 'carillon device bulk care.example devices.csv --dry-run',
    run: bulk,
    sentence: ({ status }) => {
      const { rows, failed, dryRun } = status as Operations[BulkRead]['answer']['status'];
      return `${rows - failed} of ${rows} devices ${dryRun ? 'would be' : 'are'} in.`;
    },
  },
  {
    name: 'config get',
    does: 'Shows the whole configuration of a tenant, secrets masked.',
    arguments: ['domain'],
    example: 'carillon config get care.example --json > care.json',
    run: (client, given) => client.call('getProvisioningConfiguration', domainOf(given)),
  },
  {
    name: 'config promote',
    does: 'Moves drafts into service, all or none; without ids every draft.',
    arguments: ['domain'],
    options: [
      ['--alarmbridges <ids>', 'only these, by comma'],
      ['--alarmeventmappers <ids>', 'only these, by comma'],
      ['--cloudsipuas <ids>', 'only these, by comma'],
      ['--trunks <ids>', 'only these, by comma'],
    ],
    example: 'carillon config promote care.example --alarmbridges north,south',
    run: (client, given) =>
      client.call('postProvisioningConfigurationPromote', {
        ...domainOf(given),
        body: lists(given, 'alarmbridges', 'alarmeventmappers', 'cloudsipuas', 'trunks'),
      }),
  },
  {
    name: 'key list',
    does: 'Lists the API keys of a tenant.',
    arguments: ['domain'],
    options: [MOST],
    example: 'carillon key list care.example',
    run: (client, given) =>
      wholeList('apikeys', given, (part) =>
        client.call('getProvisioningApikey', { ...domainOf(given), ...part }),
      ),
    list: ['apikeys', 'kid', 'alg', 'scope', 'name'],
  },
  {
    name: 'key add',
    does: 'Registers the public key of an application, a PEM file.',
    arguments: ['domain', 'file'],
    options: [
      ['--alg <name>', 'RS256, ES256 or EdDSA (default ES256)'],
      ['--kid <kid>', 'id of the key; without it its thumbprint'],
      ['--name <name>', 'name that people see'],
      ['--scope <scope>', 'what its tokens may open'],
    ],
    example: 'carillon key add care.example public.pem --kid crm',
    run: (client, given) =>
      client.call('postProvisioningApikey', {
        ...domainOf(given),
        body: {
          publicKey: fileOf(given.file),
          alg: (given.alg ?? 'ES256') as 'ES256',
          ...some(given, 'kid', 'name', 'scope'),
        },
      }),
    sentence: (answer) => `The key ${answer.kid} is registered.`,
  },
  {
    name: 'key rotate',
    does: 'Registers the next key of an application, with name, scope and kind of the one before; both are good until that one is deleted.',
    arguments: ['domain', 'kid', 'file'],
    options: [
      ['--new-kid <kid>', 'id of the new key; without it its thumbprint'],
      ['--end-old', 'delete the one before at once: what it signs opens nothing from then on'],
    ],
    example: 'carillon key rotate care.example crm next-public.pem --new-kid crm-2',
    run: rotateKey,
    sentence: ({ kid, ended }, given) =>
      ended === true
        ? `The key ${kid} took the place of ${given.kid}.`
        : `The key ${kid} is registered; when the application signs with it: carillon key delete ${given.domain} ${given.kid}`,
  },
  {
    name: 'key delete',
    does: 'Removes an API key; its tokens open nothing from then on.',
    arguments: ['domain', 'kid'],
    example: 'carillon key delete care.example crm',
    run: (client, given) =>
      client.call('deleteProvisioningApikeyByKid', { ...domainOf(given), kid: word(given.kid) }),
    sentence: (_, given) => `The key ${given.kid} is deleted.`,
  },
];

type SiteBody = Operations['postSiteByDomain']['body'];
type BulkRead = 'getProvisioningDeviceBulkByBulkId';

async function rotateKey(client: Client, given: Given): Answered {
  const publicKey = fileOf(given.file);
  const at = { ...domainOf(given), kid: word(given.kid) };
  const all = await wholeList('apikeys', {}, (part) =>
    client.call('getProvisioningApikey', { ...domainOf(given), ...part }),
  );
  if (!all.ok) return all;
  const { apikeys } = all.value as Pick<Operations['getProvisioningApikey']['answer'], 'apikeys'>;
  const currentKey = apikeys.find(({ kid }) => kid === given.kid);
  if (currentKey === undefined)
    throw new Stop(
      exitCode.refused,
      `There is no key ${given.kid}; carillon key list shows those there are.`,
    );
  const { alg, name, scope } = currentKey;
  const added = await client.call('postProvisioningApikey', {
    ...domainOf(given),
    body: {
      publicKey,
      alg,
      ...(name === undefined ? {} : { name }),
      ...(scope === undefined ? {} : { scope }),
      ...(given.newKid === undefined ? {} : { kid: given.newKid }),
    },
  });
  if (!added.ok) return added;
  const { kid } = added.value;
  if (given.endOld === undefined) return ok({ success: true, kid, ended: false });
  // The new one stands by now: without an answer the two are good, and the command says what went wrong.
  const removal = await client.call('deleteProvisioningApikeyByKid', at);
  return removal.ok ? ok({ success: true, kid, ended: true }) : removal;
}

async function bulk(client: Client, given: Given): Answered {
  const place = { ...domainOf(given), bulkId: randomUUID() };
  const dryRun = given.dryRun === undefined ? {} : ({ dryRun: 'true' } as const);
  const started = await client.call('putProvisioningDeviceBulkByBulkId', {
    ...place,
    ...dryRun,
    body: fileOf(given.file),
  });
  if (!started.ok) return started;
  for (;;) {
    const answer = await client.call('getProvisioningDeviceBulkByBulkId', place);
    if (!answer.ok) return answer;
    const { status, rows, failed, reason, errors } = answer.value.status;
    if (status === 'STARTED') {
      progress(`${rows} rows`);
      await wait(POLL_MS);
      continue;
    }
    if (status === 'COMPLETED' && failed === 0) return answer;
    const first = errors[0];
    const where = first === undefined ? '' : ` First: row ${first.row} ${first.reason}.`;
    throw new Stop(exitCode.damagedFile, `${reason ?? `${failed} rows were not taken.`}${where}`);
  }
}

const word = (given: string | undefined): string => given ?? '';
const domainOf = (given: Given) => ({ domain: word(given.domain) });
const deviceOf = (given: Given) => ({ ...domainOf(given), deviceId: word(given.deviceId) });

/** Those of the names that were given. */
function some<Name extends string>(given: Given, ...names: Name[]): { [N in Name]?: string } {
  return Object.fromEntries(
    names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  ) as { [N in Name]?: string };
}

function numbers<Name extends string>(given: Given, ...names: Name[]): { [N in Name]?: number } {
  return Object.fromEntries(
    Object.entries(some(given, ...names)).map(([name, text]) => {
      const value = Number(text);
      if (Number.isNaN(value)) throw new Stop(exitCode.wrongUse, `${name} must be a number, not ${text}.`);
      return [name, value];
    }),
  ) as { [N in Name]?: number };
}

function lists<Name extends string>(given: Given, ...names: Name[]): { [N in Name]?: string[] } {
  return Object.fromEntries(
    Object.entries(some(given, ...names)).map(([name, text]) => [name, String(text).split(',')]),
  ) as { [N in Name]?: string[] };
}

/** A file's text; `-` is what comes on the standard input. */
function fileOf(file: string | undefined): string {
  return readFileOf(word(file), `The file ${file}`, exitCode.missing).toString('utf8');
}

function jsonOf<T>(file: string | undefined): T {
  return readJsonOf(word(file)) as T;
}
