import { describe, expect, it } from 'vitest';
import { IMPORT_TABLE } from './import/table.ts';
import { importsOf } from './import-reader.ts';
import { aroundEntries, forbiddenImports, rulingFor } from './import-rule.ts';
import { repositorySources } from './repository.ts';
import { lines, source } from './source.ts';

const judged = (path: string, text: string) => lines(forbiddenImports(source(path, text)));

// Every source is read: beside other work that takes longer than a test may.
describe('imports of the repository', { timeout: 60_000 }, () => {
  it('are those of the table', () => {
    const sources = repositorySources();
    expect(sources.length).toBeGreaterThan(50);
    expect(lines(sources.flatMap(forbiddenImports))).toEqual([]);
  });

  it('enter a folder by its index.ts', () => {
    expect(lines(aroundEntries(repositorySources()))).toEqual([]);
  });

  it('can all be read: no source has a syntax error', () => {
    expect(repositorySources().flatMap(({ path, tree }) => (tree.errors.length > 0 ? [path] : []))).toEqual(
      [],
    );
  });
});

describe('the reader sees', () => {
  const targets = (text: string) =>
    importsOf(source('appliance/call/leg.ts', text)).map(({ target, kind, typeOnly }) => [
      target,
      kind,
      typeOnly,
    ]);

  it.each([
    [`import { a } from './a.ts';`, ['appliance/call/a.ts', 'ours', false]],
    [`import '../io/a.ts';`, ['appliance/io/a.ts', 'ours', false]],
    [`import type { A } from '#shared/a.ts';`, ['shared/a.ts', 'ours', true]],
    [`import { type A } from '#shared/a.ts';`, ['shared/a.ts', 'ours', true]],
    [`import { type A, b } from '#shared/a.ts';`, ['shared/a.ts', 'ours', false]],
    [`export * from './a.ts';`, ['appliance/call/a.ts', 'ours', false]],
    [`export { a } from './a.ts';`, ['appliance/call/a.ts', 'ours', false]],
    [`export type { A } from './a.ts';`, ['appliance/call/a.ts', 'ours', true]],
    [`const a = await import('./a.ts');`, ['appliance/call/a.ts', 'ours', false]],
    [`let a: import('./a.ts').A;`, ['appliance/call/a.ts', 'ours', true]],
    [`let a: typeof import('./a.ts');`, ['appliance/call/a.ts', 'ours', true]],
    [`const a = new URL('./a-worker.ts', import.meta.url);`, ['appliance/call/a-worker.ts', 'ours', false]],
    [`const a = require('pg');`, ['pg', 'package', false]],
    [`import fs from 'node:fs';`, ['node:fs', 'node', false]],
    [`const a = await import(name);`, ['', 'unknown', false]],
  ])('%s', (text, expected) => {
    expect(targets(text)).toEqual([expected]);
  });

  it('nothing in comments, strings and addresses that are not modules', () => {
    expect(targets(`// import 'pg';\nconst a = "import 'pg'"; const b = new URL('./x', base);`)).toEqual([]);
  });
});

describe('the table turns red when', () => {
  it.each([
    ['appliance/sip/message/parse.ts', `import '#shared/alarm-event/index.ts';`],
    ['appliance/sip/message/parse.ts', `import 'sdp-transform';`],
    ['appliance/sip/message/parse.ts', `import '#appliance/media/rtp/index.ts';`],
    ['appliance/media/rtp/packet.ts', `import '../../sip/message/index.ts';`],
    ['appliance/media/rtp/packet.ts', `import { Buffer } from 'node:buffer';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import '../bs8521/index.ts';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import type { A } from '../bs8521/index.ts';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import type { A } from '#appliance/sip/message/index.ts';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import 'fast-xml-parser';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import '#shared/contract/runtime/index.ts';`],
    ['appliance/alarm/session/step.ts', `import '../protocol/scaip/index.ts';`],
    ['appliance/alarm/session/step.ts', `import '../../outbox/index.ts';`],
    ['appliance/call/session/step.ts', `import { offer } from '#appliance/sip/sdp/index.ts';`],
    ['appliance/call/session/step.ts', `import type { M } from '#appliance/sip/message/index.ts';`],
    ['appliance/delivery/callback/build.ts', `import '../outbox/index.ts';`],
    ['appliance/delivery/outbox/lane.ts', `import 'node:fs';`],
    ['appliance/replica/apply.ts', `import 'better-sqlite3';`],
    ['appliance/engine/loop.ts', `import type { A } from '../io/sqlite/index.ts';`],
    ['appliance/engine/loop.ts', `const io = await import('../io/sqlite/index.ts');`],
    ['appliance/io/http/server.ts', `import { step } from '../../alarm/session/index.ts';`],
    ['appliance/io/sqlite/open.ts', `import 'left-pad';`],
    ['appliance/main.ts', `import '#cloud/main.ts';`],
    ['cloud/http/site/route.ts', `import '../../store/index.ts';`],
    ['cloud/http/routing/gate.ts', `import '../session/session.ts';`],
    ['cloud/site/lifecycle/site.ts', `import '../status/overview.ts';`],
    ['cloud/store/sql/store.ts', `import '../change/audit.ts';`],
    ['cloud/console/component/badge.tsx', `import '../page/host/host.tsx';`],
    ['installer/plan/action/plan.ts', `import '../network/network-plan.ts';`],
    ['cloud/http/site/route.ts', `import '../../io/broker/index.ts';`],
    ['cloud/feed/announce.ts', `import '../io/broker/index.ts';`],
    ['cloud/feed/announce.ts', `import type { A } from '../tenant/index.ts';`],
    ['cloud/feed/announce.ts', `import 'undici';`],
    ['cloud/store/query.ts', `import 'drizzle-orm/better-sqlite3';`],
    ['cloud/store/query.ts', `export * from 'pg';`],
    ['cloud/io/keys/read.ts', `import { grant } from '../../tenant/index.ts';`],
    ['cloud/cli/login.ts', `import '../tenant/index.ts';`],
    ['cloud/tenant/grant.ts', `import type { A } from '#appliance/site/index.ts';`],
    ['installer/command/demo.ts', `import '#cloud/main.ts';`],
    ['installer/command/demo.ts', `const appliance = await import('#appliance/main.ts');`],
    ['shared/id.ts', `import { randomBytes } from 'node:crypto';`],
    ['shared/contract/site/host.ts', `import 're2js';`],
    ['shared/contract/site/host.ts', `import '@hono/zod-openapi';`],
    ['shared/result.ts', `import type { A } from '#appliance/sip/message/index.ts';`],
    ['shared/result.ts', `import '#test/support/clock.ts';`],
    ['appliance/engine/loop.ts', `new URL('../io/media-worker/media-worker.ts', import.meta.url);`],
    ['appliance/io/tts/load.ts', `await import(name);`],
    ['gateway/main.ts', `export {};`],
  ])('%s holds %s', (path, text) => {
    expect(judged(path, text)).toHaveLength(1);
  });
});

describe('the table stays green when', () => {
  it.each([
    ['appliance/sip/transaction/step.ts', `import '../message/index.ts'; import '#shared/result.ts';`],
    ['appliance/sip/sdp/offer.ts', `import 'sdp-transform'; import '../message/index.ts';`],
    ['appliance/alarm/protocol/scaip/parse.ts', `import '../xml-message/index.ts'; import './codes.ts';`],
    ['appliance/alarm/protocol/xml-message/parse.ts', `import { XMLParser } from 'fast-xml-parser';`],
    ['appliance/alarm/protocol/index.ts', `export * from './scaip/index.ts';`],
    [
      'appliance/alarm/receiver/pick.ts',
      `import '../protocol/index.ts'; import '#shared/matching/index.ts';`,
    ],
    ['appliance/call/session/step.ts', `import type { Offer } from '#appliance/sip/sdp/index.ts';`],
    ['appliance/engine/loop.ts', `import '../sip/transaction/index.ts'; import '../alarm/session/index.ts';`],
    ['appliance/io/http/server.ts', `import 'node:http'; import type { A } from '../../operation/index.ts';`],
    ['cloud/http/site/route.ts', `import { Hono } from 'hono'; import '../../site/index.ts';`],
    ['cloud/store/query.ts', `import { eq } from 'drizzle-orm';`],
    ['installer/carillon.ts', `await import('#cloud/main.ts'); await import('#appliance/main.ts');`],
    ['installer/bin.ts', `await import(await frontDoor());`],
    [
      'test/journey/alarm.test.ts',
      `import '#cloud/main.ts'; import '#appliance/main.ts'; import 'node:net';`,
    ],
  ])('%s holds %s', (path, text) => {
    expect(judged(path, text)).toEqual([]);
  });
});

describe('an index.ts', () => {
  const entry = source('appliance/delivery/outbox/index.ts', `export * from './row.ts';`);
  const entering = (path: string, text: string) => aroundEntries([entry, source(path, text)]);

  it('turns red when it is passed by', () => {
    expect(entering('appliance/engine/loop.ts', `import '../delivery/outbox/row.ts';`)).toHaveLength(1);
    expect(
      entering('appliance/io/sqlite/read.ts', `import type { Row } from '../../delivery/outbox/row.ts';`),
    ).toHaveLength(1);
  });

  it('speaks for a folder below it that has none of its own', () => {
    const text = `import '../delivery/outbox/sql/read.ts';`;
    expect(entering('appliance/engine/loop.ts', text)).toHaveLength(1);
    const below = source('appliance/delivery/outbox/sql/index.ts', `export * from './read.ts';`);
    const inside = source('appliance/engine/loop.ts', `import '../delivery/outbox/sql/index.ts';`);
    expect(aroundEntries([entry, below, inside])).toEqual([]);
  });

  it('stays green when it is used, from inside, and in tests', () => {
    expect(entering('appliance/engine/loop.ts', `import '../delivery/outbox/index.ts';`)).toEqual([]);
    expect(entering('appliance/delivery/outbox/sql/read.ts', `import '../row.ts';`)).toEqual([]);
    expect(entering('appliance/delivery/outbox/lane.ts', `import './row.ts';`)).toEqual([]);
    expect(
      entering('test/appliance/delivery/outbox/row.test.ts', `import '#appliance/delivery/outbox/row.ts';`),
    ).toEqual([]);
  });
});

describe('the table itself', () => {
  it('gives every row a reason and names no folder twice', () => {
    const folders = IMPORT_TABLE.flatMap((row) => row.folders);
    expect(new Set(folders).size).toBe(folders.length);
    expect(IMPORT_TABLE.filter((row) => row.reason.length < 20)).toEqual([]);
  });

  it('takes the longest row, and an exact name before a star', () => {
    const ruled = (path: string) => rulingFor(path)?.row.folders[0];
    expect(ruled('appliance/alarm/protocol/scaip/parse.ts')).toBe('appliance/alarm/protocol/*');
    expect(ruled('appliance/alarm/protocol/xml-message/parse.ts')).toBe(
      'appliance/alarm/protocol/xml-message',
    );
    expect(ruled('appliance/alarm/protocol/index.ts')).toBe('appliance/alarm/protocol');
    expect(ruled('installer/carillon.ts')).toBe('installer/carillon.ts');
    expect(ruled('installer/io/release.ts')).toBe('installer');
  });
});
