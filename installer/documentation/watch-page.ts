import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { figureText, namedFigures } from '#appliance/io/site-listener/index.ts';
import type { OpenApi, Schema } from '../build/openapi.ts';
import { code, joined, type Page, plain, table } from './page.ts';

/** A family of metrics: its name, kind and meaning. */
interface Family {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
}

const MADE = /\b(counter|gauge|histogram)\(\s*'(carillon_\w+)',\s*'([^']*)'/g;

/** The families that the sources of a program make, by name. */
function familiesIn(root: string, folders: string): Family[] {
  return globSync(`${folders}/**/*.ts`, { cwd: root })
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(MADE)])
    .map(([, kind = '', name = '', help = '']) => ({ name, kind, help }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** The figures of a host that no source of families makes: they stand in the table of `/metrics` itself. */
const figuresOfHost = (): Family[] => {
  const text = figureText(Object.fromEntries([...namedFigures()].map((name) => [name, 0])));
  const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name, kind]));
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => ({
    ...{ name, help },
    kind: kinds.get(name) ?? '',
  }));
};

/** The figures of both programs, as their `/metrics` describe them. */
export function metricPage(root: string): Page {
  const list = (families: readonly Family[]): string =>
    table(
      ['Name', 'Kind', 'Meaning'],
      families.map(({ name, kind, help }) => [code(name), kind, plain(help)]),
    );
  return {
    address: 'reference/metrics',
    title: 'Metrics',
    summary: 'The figures of the control plane and of a host for Prometheus.',
    body: joined(
      '`/metrics` of the control plane and of each host speaks the text format of Prometheus. Names and labels never change their meaning. `systemd/monitoring` has alert rules, dashboards and runbooks for them.',
      '## Control plane and host',
      list(familiesIn(root, 'shared')),
      '## Control plane',
      list(familiesIn(root, 'cloud')),
      '## Host',
      list([...familiesIn(root, 'appliance'), ...figuresOfHost()]),
    ),
  };
}

/** The alarms of the platform by type, with the errors that a service alarm names. */
export function platformAlarmPage(document: OpenApi): Page {
  const { schemas } = document.components;
  const types = (schemas.PlatformAlarm?.oneOf ?? []).flatMap(({ $ref = '' }) => {
    const schema = schemas[$ref.split('/').at(-1) ?? ''];
    return schema === undefined ? [] : [schema];
  });
  const typeOf = (schema: Schema): string => {
    const { type } = schema.properties ?? {};
    return String(type?.const ?? type?.enum?.[0] ?? '');
  };
  return {
    address: 'reference/platform-alarms',
    title: 'Platform alarms',
    summary: 'The alarms that the platform raises about itself, its hosts and devices.',
    body: joined(
      'A platform alarm goes to the addresses of the notification settings, to `/site/{domain}/alarm` and to the console. Its body stands at [platformAlarm](/docs/callbacks/platform-alarm).',
      table(
        ['Type', 'Raised when', 'Errors'],
        types.map((schema) => [
          code(typeOf(schema)),
          plain(schema.description ?? ''),
          (schema.properties?.error?.enum ?? []).map((each) => code(String(each))).join(', '),
        ]),
      ),
    ),
  };
}

/** The runbooks that the alert rules name: one heading for each. */
export function runbookPage(root: string): Page {
  const folder = join(root, 'systemd', 'monitoring', 'runbook');
  const files = globSync('**/*.md', { cwd: folder }).toSorted();
  return {
    address: 'reference/runbooks',
    title: 'Runbooks',
    summary: `The ${files.length} runbooks of the alert rules: the cause of an alert, and the steps after it.`,
    body: joined(
      'An alert names its runbook. The same texts stand in `systemd/monitoring/runbook` and in the console.',
      ...files.map((file) => deeper(readFileSync(join(folder, file), 'utf8'), basename(file, '.md'))),
    ),
  };
}

/** Headings one level below a heading of the page. */
function deeper(text: string, name: string): string {
  const titled = text.startsWith('# ') ? text : `# ${name}\n\n${text}`;
  return titled.replaceAll(/^(#+) /gm, '#$1 ').trim();
}

/** The members of an AsyncAPI document that the page reads. */
export interface MessageDocument {
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly address: string;
        readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
      }
    >
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly summary?: string; readonly title?: string }>>;
  };
}

/** The topics of the broker between hosts and control plane, and of the command queue of a site. */
export const topicPage = (document: MessageDocument): Page => ({
  address: 'reference/topics',
  title: 'Topics and events',
  summary: 'The MQTT topics between hosts and control plane, and of the command queue of a site.',
  body: joined(
    'The whole document is `/asyncapi.json` (AsyncAPI 3). Payloads are JSON in UTF-8.',
    table(
      ['Channel', 'Topic', 'Messages'],
      Object.entries(document.channels).map(([name, { address, messages }]) => [
        name,
        code(address),
        Object.keys(messages).map(code).join(', '),
      ]),
    ),
    table(
      ['Message', 'Content'],
      Object.entries(document.components.messages).map(([name, { summary, title }]) => [
        code(name),
        plain(summary ?? title ?? ''),
      ]),
    ),
  ),
});
