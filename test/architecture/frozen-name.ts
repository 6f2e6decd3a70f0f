import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { migrations as replicaMigrations } from '#appliance/io/config/replica-schema.ts';
import { journalMigrations } from '#appliance/io/sqlite/database/journal-schema.ts';
import { readMigrations } from '#cloud/io/database/index.ts';
import { exitCode } from '#installer/exit-code.ts';
import * as access from '#shared/contract/access/index.ts';
import * as alarmQueue from '#shared/contract/alarm-queue/index.ts';
import * as callback from '#shared/contract/callback/index.ts';
import * as feed from '#shared/contract/feed/index.ts';
import * as history from '#shared/contract/history/index.ts';
import * as peer from '#shared/contract/peer/index.ts';
import * as profile from '#shared/contract/profile/index.ts';
import * as provisioning from '#shared/contract/provisioning/index.ts';
import * as record from '#shared/contract/record/index.ts';
import * as runtime from '#shared/contract/runtime/index.ts';
import * as sessionRecord from '#shared/contract/session-record/index.ts';
import * as site from '#shared/contract/site/index.ts';
import { settingTable } from '#shared/setting/index.ts';
import { ROOT } from './repository.ts';

/* The names that other programs, other versions and people's scripts know: collected from the sources as they are. */

/** One frozen list: each line names one thing. */
export type FrozenLists = Readonly<Record<string, readonly string[]>>;

/** Folders of `shared/contract`. */
const CONTRACT = {
  access,
  'alarm-queue': alarmQueue,
  callback,
  feed,
  history,
  peer,
  profile,
  provisioning,
  record,
  runtime,
  'session-record': sessionRecord,
  site,
};
const { cpStateTopic, LANES, shardOf, topicOf } = feed;

const PROGRAMS = /^(appliance|cloud|shared|installer)\/.*\.tsx?$/;

/** Every list, by the name of its file in `test/vectors/frozen`. */
export function frozenNames(texts: readonly { readonly path: string; readonly text: string }[]): FrozenLists {
  const sources = texts.filter(({ path }) => PROGRAMS.test(path));
  const lists = {
    settings: settings(),
    'exit-codes': Object.entries(exitCode).map(([name, code]) => `${code} ${name}`),
    topics: topics(),
    metrics: metrics(sources),
    'failure-codes': failureCodes(sources),
    'journal-columns': columns(journalMigrations),
    'replica-columns': columns(replicaMigrations),
    'cloud-columns': columns(readMigrations('sqlite').map(({ sql }) => sql)),
    'cloud-migrations': (['sqlite', 'pg'] as const).flatMap((dialect) =>
      readMigrations(dialect).map(({ name, sql }) => `${dialect} ${name} ${sha256(sql)}`),
    ),
    'trace-kinds': traceKinds(sources),
    ...contract(),
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, [...new Set(list)].toSorted()]),
  );
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const settings = (): string[] =>
  Object.values(settingTable).map(
    ({ env, programs, secret }) => `${env} ${programs.join('+')}${secret ? ' secret' : ''}`,
  );

function topics(): string[] {
  const place = { sh: '0a', tenant: 'tenant', siteId: 'site', uid: 'uid' };
  const leaves = [
    ...(['up/state', 'up/hb', 'up/cfg', 'up/res', 'up/rec', 'dn/twin', 'dn/ack', 'dn/req'] as const),
    ...LANES.map((lane) => `up/ev/${lane}` as const),
  ];
  return [
    ...leaves.map((leaf) => topicOf(place, leaf)),
    cpStateTopic('0a'),
    // A host and its control plane must find the same shard.
    `shard of uid-1: ${shardOf('uid-1', sha256)}`,
    `lanes in order: ${LANES.join(' ')}`,
  ];
}

/** Families of metrics by the program that shows them, and the labels of those that count. */
function metrics(sources: readonly { readonly path: string; readonly text: string }[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const program = path.split('/')[0];
    const names = [...text.matchAll(/'(carillon_[a-z_]+[a-z])'/g)].map(([, name]) => `${program} ${name}`);
    const labels = [...text.matchAll(/'(carillon_[a-z_]+)',\s*'[^']*',(?:\s*\w+,)?\s*\[([^\]]*)\]/g)].flatMap(
      ([, name, list]) =>
        [...(list ?? '').matchAll(/'(\w+)'/g)].map(([, label]) => `${program} ${name} label ${label}`),
    );
    return [...names, ...labels];
  });
}

/** Codes of failures: what an application reads in `code` of an error, and what a log or a trace names. */
function failureCodes(sources: readonly { readonly path: string; readonly text: string }[]): string[] {
  return sources.flatMap(({ text }) =>
    [...text.matchAll(/(?:\bfail\(\s*|\bcode: )'([a-z][A-Za-z]+)'/g)].map(([, code]) => code ?? ''),
  );
}

/** Tables and columns with their kinds, and the version of the file, after all migrations. */
function columns(migrations: readonly string[]): string[] {
  const db = new Database(':memory:');
  try {
    for (const sql of migrations) db.exec(sql);
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    return tables.flatMap((table) =>
      (db.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[]).map(
        ({ name, type, pk }) => `${table}.${name} ${type}${pk > 0 ? ` key ${pk}` : ''}`,
      ),
    );
  } finally {
    db.close();
  }
}

/** Kinds of lines in the trace of a session, which stand in the journal. */
const traceKinds = (sources: readonly { readonly path: string; readonly text: string }[]): string[] =>
  sources
    .filter(({ path }) => path.startsWith('appliance/'))
    .flatMap(({ text }) =>
      [...text.matchAll(/\btrace\??\.add\(\s*'([a-z][A-Za-z]+)'/g)].map(([, kind]) => kind ?? ''),
    );

/** Fields, kinds and values of every schema of `shared/contract`, and its lists of words: one list for each folder. */
const contract = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(CONTRACT).map(([folder, exported]) => [
      `contract-${folder}`,
      Object.entries(exported).flatMap(([name, value]) => linesOf(value).map((line) => `${name}${line}`)),
    ]),
  );

function linesOf(value: unknown): string[] {
  if (value instanceof z.ZodType) return fieldsOf(jsonSchema(value));
  if (typeof value === 'string' || typeof value === 'number') return [` = ${value}`];
  if (Array.isArray(value))
    return value.flatMap((each) => (typeof each === 'string' ? [` has ${each}`] : []));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => linesOf(each).map((line) => `.${key}${line}`));
  return [];
}

type JsonSchema = { readonly [key: string]: unknown };

const jsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
  }) as JsonSchema;

/** One line for each field, kind and value of a JSON schema; `passed` are the named schemas on the way. */
export function fieldsOf(
  schema: JsonSchema,
  at = '',
  root: JsonSchema = schema,
  passed: readonly string[] = [],
): string[] {
  const fields = (next: JsonSchema, where: string): string[] => fieldsOf(next, where, root, passed);
  const own: string[] = [];
  if (typeof schema.$ref === 'string' && !passed.includes(schema.$ref)) {
    const named = schema.$ref.split('/').at(-1) ?? '';
    const target =
      schema.$ref === '#' ? root : (root.$defs as Record<string, JsonSchema> | undefined)?.[named];
    if (target === undefined)
      throw new Error(`the schema at "${at}" names ${schema.$ref}, which is not there`);
    own.push(...fieldsOf(target, at, root, [...passed, schema.$ref]));
  }
  for (const type of [schema.type ?? []].flat()) own.push(`${at}: ${String(type)}`);
  if (schema.const !== undefined) own.push(`${at} = ${JSON.stringify(schema.const)}`);
  for (const value of (schema.enum as unknown[]) ?? []) own.push(`${at} = ${JSON.stringify(value)}`);
  for (const [name, field] of Object.entries((schema.properties as Record<string, JsonSchema>) ?? {}))
    own.push(...fields(field, `${at}/${name}`));
  for (const inner of ['items', 'additionalProperties'] as const) {
    const next = schema[inner];
    if (typeof next === 'object' && next !== null) own.push(...fields(next as JsonSchema, `${at}[]`));
  }
  for (const forms of [schema.oneOf, schema.anyOf, schema.allOf, schema.prefixItems])
    for (const form of (forms as JsonSchema[]) ?? []) own.push(...fields(form, at));
  return [...new Set(own)];
}

/** The lists as they were frozen. */
export const frozenLists = (): FrozenLists => {
  const folder = join(ROOT, 'test/vectors/frozen');
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name !== 'openapi.json')
      .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]]),
  );
};
