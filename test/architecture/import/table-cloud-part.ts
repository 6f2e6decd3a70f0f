import { type Row, VOCABULARY } from './row.ts';

const CORE_PACKAGES = ['zod', 'fast-json-patch', 're2js', 'ipaddr.js', 'drizzle-orm'];

/** A part of a core of the control plane: it knows the store, and the parts of its core that it names. */
const partOfCore = (folder: string, may: readonly string[], reason: string): Row => ({
  folders: [folder],
  may: ['shared', 'cloud/store', ...may],
  packages: CORE_PACKAGES,
  reason,
});

const partOfStore = (folder: string, may: readonly string[], reason: string): Row => ({
  folders: [`cloud/store/${folder}`],
  may: ['shared', 'cloud/store/schema', ...may.map((part) => `cloud/store/${part}`)],
  packages: ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/pg-core'],
  reason,
});

/** Libraries of the browser, one for each task. */
export const CONSOLE_PACKAGES = [
  'react',
  'react-dom',
  'react-dom/client',
  'react-aria-components',
  '@tanstack/react-router',
  '@tanstack/react-query',
  '@lingui/core',
  '@lingui/core/macro',
  '@lingui/react',
  '@lingui/react/macro',
  'qrcode-generator',
  'sip.js',
  'uplot',
  'uplot/dist/uPlot.min.css',
  'wavesurfer.js',
  // Made by the bundler of the contracts.
  'virtual:contract/*',
  // Made by the bundler of the runbooks of the alarms.
  'virtual:runbook',
];

const page = (folder: string, may: readonly string[], reason: string): Row => ({
  folders: [`cloud/console/${folder}`],
  may: [
    'shared/client',
    'shared/contract',
    'shared/self-test',
    'cloud/console/client',
    'cloud/console/text',
    ...may.map((part) => `cloud/console/${part}`),
  ],
  typesOf: ['shared'],
  packages: CONSOLE_PACKAGES,
  edge: true,
  reason,
});

const SETUP = page(
  'page/setup',
  ['component', 'page/bridge', 'page/event-trial'],
  'drafts stand above the list of what is in service, and a pattern is tried with the function of the hosts',
);

/** An event map is tried with the functions of the hosts. */
const EVENT_TRIAL = page('page/event-trial', ['component'], 'editors try a map on alarms that came');

/** The wizard of a new device offers the receivers that understand its family of protocols. */
const WIZARD = page(
  'page/device-wizard',
  ['component', 'page/record'],
  'the wizard watches the records of the new device',
);

/** Rows of the parts inside the folders of the control plane: imports between parts run one way. */
export const CLOUD_PART_ROWS: readonly Row[] = [
  {
    folders: ['cloud/http/routing'],
    may: [
      'shared/contract',
      'shared/authorize',
      'shared/documentation',
      ...VOCABULARY,
      'cloud/provisioning',
      'cloud/tenant',
    ],
    packages: ['hono', 'hono/*', '@hono/zod-openapi'],
    reason: 'the vocabulary of all routes knows none of them',
  },
  {
    folders: ['cloud/http/description', 'cloud/http/middleware'],
    may: ['shared/contract', ...VOCABULARY, 'cloud/http/routing'],
    packages: ['hono', 'hono/*', '@hono/zod-openapi'],
    reason: 'the same for every route, so it calls no core',
  },

  partOfCore(
    'cloud/site/lifecycle',
    [],
    'the rows and the lifecycle of a host, on which the other parts build',
  ),
  partOfCore('cloud/site/status', ['cloud/site/lifecycle'], 'status is read from rows that lifecycle writes'),
  partOfCore('cloud/site/request', ['cloud/site/lifecycle'], 'a request to a host checks its state first'),
  partOfCore('cloud/site/enrolment', ['cloud/site/lifecycle'], 'enrolment and renewal move a host on'),

  {
    folders: ['cloud/monitoring/presence'],
    may: ['shared', 'cloud/store'],
    reason:
      'the decision whether a host is silent reads no row; the tally that replicas share has the shape of one',
  },
  partOfCore('cloud/monitoring/alarm', ['cloud/monitoring/presence'], 'the silence of a host raises alarms'),
  partOfCore(
    'cloud/monitoring/usage',
    ['cloud/monitoring/presence'],
    'counters of the watch are counted here',
  ),
  partOfCore(
    'cloud/monitoring/host',
    ['cloud/monitoring/presence', 'cloud/monitoring/alarm'],
    'the table of hosts joins rows, presence and alarms',
  ),
  partOfCore(
    'cloud/monitoring/uplink',
    [
      'cloud/monitoring/presence',
      'cloud/monitoring/alarm',
      'cloud/monitoring/host',
      'cloud/monitoring/usage',
    ],
    'a payload of a host reaches every other part of supervision',
  ),

  partOfCore('cloud/provisioning/resource', [], 'every kind of resource has the same verbs and checks'),
  partOfCore(
    'cloud/provisioning/device',
    ['cloud/provisioning/resource'],
    'a device is checked like a resource',
  ),
  partOfCore(
    'cloud/provisioning/configuration',
    ['cloud/provisioning/resource', 'cloud/provisioning/device'],
    'the whole configuration is made of resources and devices',
  ),

  partOfCore('cloud/tenant/credential', [], 'keys and tokens are checked before any person is read'),
  partOfCore('cloud/tenant/person', ['cloud/tenant/credential'], 'a person signs in and gets a credential'),

  partOfStore('schema', [], 'tables know no query'),
  partOfStore('sql', [], 'transactions and dialects know no table of a feature'),
  partOfStore('change', ['sql'], 'every write is a numbered change with an audit entry'),
  partOfStore('people', ['sql'], 'people and tenants are not replicated: they need no change'),
  partOfStore('configuration', ['sql', 'change'], 'configuration is replicated to hosts'),
  partOfStore('site', ['sql', 'change'], 'sites and hosts are replicated to hosts'),
  partOfStore('record', ['sql', 'change'], 'records of hosts are written in the turn of their tenant'),
  partOfStore('alarm-queue', ['sql'], 'alarms that wait are written in the turn of their tenant'),
  partOfStore('transient', ['sql'], 'what lives for minutes is neither replicated nor audited'),
  partOfStore('privacy', ['sql', 'configuration', 'record'], 'rows are removed when their time is over'),
  partOfStore(
    'database',
    ['sql', 'change', 'configuration', 'site'],
    'work on the whole database walks every table',
  ),

  page('client', [], 'state and requests of the console know no page'),
  page('text', [], 'words for states are plain functions'),
  page('component', [], 'a component knows no page'),
  page('page', ['component'], 'a page knows components, never another page'),
  page('page/bridge', ['component'], 'drafts of a bridge are compared here'),
  page(
    'page/host',
    ['component', 'page/bridge', 'page/host-health'],
    'a host shows how its configuration differs, as drafts do, and how it is',
  ),
  {
    ...WIZARD,
    may: [...(WIZARD.may ?? []), 'shared/matching'],
  },
  {
    ...EVENT_TRIAL,
    may: [...(EVENT_TRIAL.may ?? []), 'shared/matching'],
  },
  {
    ...SETUP,
    may: [...(SETUP.may ?? []), 'shared/matching'],
  },
  page('page/site', ['component', 'page/host'], 'a site opens its hosts'),
  page('foundation', ['component', 'page'], 'the frame knows every page, and no page knows the frame'),
];
