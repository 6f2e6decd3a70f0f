import { type Row, VOCABULARY } from './row.ts';
import { CLOUD_PART_ROWS, CONSOLE_PACKAGES } from './table-cloud-part.ts';

const CLOUD_CORES = [
  'cloud/provisioning',
  'cloud/tenant',
  'cloud/site',
  'cloud/feed',
  'cloud/monitoring',
  'cloud/callback-relay',
  'cloud/privacy',
  'cloud/record',
  'cloud/alarm-queue',
];

/** Rows of the control plane. */
export const CLOUD_ROWS: readonly Row[] = [
  // The control plane
  {
    folders: ['cloud/http'],
    may: ['shared/contract', 'shared/authorize', 'shared/documentation', ...VOCABULARY, ...CLOUD_CORES],
    packages: ['hono', 'hono/*', '@hono/zod-openapi'],
    reason: 'a route parses by the contract, makes one call and maps the result',
  },
  {
    folders: CLOUD_CORES,
    may: ['shared', 'cloud/store'],
    packages: ['zod', 'fast-json-patch', 're2js', 'ipaddr.js', 'drizzle-orm'],
    reason: 'the decisions of the control plane, one folder each; none reaches into another',
  },
  {
    folders: ['cloud/store'],
    may: ['shared'],
    packages: ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/pg-core'],
    reason: 'tables and queries for two dialects; the connection arrives as an interface, drivers stay in io',
  },
  {
    folders: ['cloud/io'],
    may: ['shared'],
    typesOf: ['cloud/store', 'cloud/http', ...CLOUD_CORES],
    packages: [
      '@hono/node-server',
      '@hono/node-server/*',
      '@peculiar/x509',
      'aedes',
      'better-sqlite3',
      'csv-parse',
      'drizzle-orm',
      'drizzle-orm/*',
      'ipaddr.js',
      'jose',
      'mqtt',
      'music-metadata',
      'pg',
      'reflect-metadata',
      'undici',
    ],
    edge: true,
    reason: 'the only place for sockets, files and drivers; it carries and stores, and decides nothing',
  },
  {
    folders: ['cloud/cli'],
    may: ['shared/contract', 'shared/client', 'shared/http'],
    edge: true,
    reason: 'what a person can do, an application can do: both use the public API only',
  },
  {
    folders: ['cloud/installation'],
    may: ['shared', 'cloud/store', 'cloud/io/authority', 'cloud/io/database', 'cloud/io/key'],
    edge: true,
    reason: 'a database and the keys in it open together: daemon and commands share this',
  },
  {
    folders: ['cloud/backup'],
    may: ['shared', 'cloud/store', 'cloud/installation', 'cloud/io/database', 'cloud/io/key'],
    packages: ['age-encryption'],
    edge: true,
    reason: 'a copy of a whole installation joins its rows, its files and a cipher',
  },
  {
    folders: ['cloud/cli/backup.ts'],
    may: ['shared', 'cloud/config.ts', 'cloud/backup', 'cloud/installation'],
    edge: true,
    reason: 'copies the installation itself, while no API is there to be asked',
  },
  {
    folders: ['cloud/cli/database.ts', 'cloud/cli/broker.ts', 'cloud/cli/installation.ts'],
    may: [
      'shared',
      'cloud/config.ts',
      'cloud/store',
      'cloud/installation',
      'cloud/cli/installation.ts',
      'cloud/io/authority',
      'cloud/io/database',
      'cloud/io/key',
    ],
    edge: true,
    reason: 'moves and checks the database itself, while no API is there to be asked',
  },
  {
    folders: ['cloud/cli/broker-check.ts'],
    may: ['shared', 'cloud/config.ts', 'cloud/cli/installation.ts', 'cloud/io/broker', 'cloud/io/digest'],
    edge: true,
    reason: 'tries the broker itself, as control plane and as a host that it makes up',
  },
  {
    folders: ['cloud/console'],
    may: ['shared/client', 'shared/contract', 'shared/self-test'],
    typesOf: ['shared'],
    packages: [...CONSOLE_PACKAGES, '@lingui/conf', '@lingui/format-po'],
    edge: true,
    reason: 'the console is a user of the public API like any other, and runs in a browser',
  },
  {
    folders: ['cloud/main.ts', 'cloud/compose'],
    may: ['shared', 'cloud'],
    packages: ['hono', '@hono/node-server'],
    edge: true,
    reason: 'the composition root: everything is constructed and joined here',
  },
  {
    folders: ['cloud/config.ts'],
    may: ['shared'],
    edge: true,
    reason: 'configuration is read once, validated and frozen',
  },
  ...CLOUD_PART_ROWS,
];
