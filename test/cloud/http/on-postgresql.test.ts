import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';

// Everything that the API promises, promised on PostgreSQL too: the same files once more. On PGlite here; on a real
// server where TEST_POSTGRES names one.
process.env.TEST_DIALECT = 'pg';
// A database in WebAssembly takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

describe('alarm-bridge.test.ts', async () => {
  await import('./alarm-bridge.test.ts');
});
describe('alarm-queue.test.ts', async () => {
  await import('./alarm-queue/alarm-queue.test.ts');
});
describe('app.test.ts', async () => {
  await import('./app.test.ts');
});
describe('authorize.test.ts', async () => {
  await import('./authorize.test.ts');
});
describe('bulk.test.ts', async () => {
  await import('./bulk.test.ts');
});
describe('capture.test.ts', async () => {
  await import('./record/capture.test.ts');
});
describe('capture-scope.test.ts', async () => {
  await import('./record/capture-scope.test.ts');
});
describe('call-list.test.ts', async () => {
  await import('./provisioning/call-list.test.ts');
});
describe('competition.test.ts', async () => {
  await import('./competition.test.ts');
});
describe('confirmed.test.ts', async () => {
  await import('./provisioning/confirmed.test.ts');
});
describe('configuration.test.ts', async () => {
  await import('./configuration.test.ts');
});
describe('connectivity.test.ts', async () => {
  await import('./site/connectivity.test.ts');
});
describe('current-user.test.ts', async () => {
  await import('./current-user.test.ts');
});
describe('evidence.test.ts', async () => {
  await import('./record/evidence.test.ts');
});
describe('export.test.ts', async () => {
  await import('./record/export.test.ts');
});
describe('example.test.ts', async () => {
  await import('./description/example.test.ts');
});
describe('operation-example.test.ts', async () => {
  await import('./description/operation-example.test.ts');
});
describe('delivery.test.ts', async () => {
  await import('./site/delivery.test.ts');
});
describe('device-account.test.ts', async () => {
  await import('./provisioning/device-account.test.ts');
});
describe('device.test.ts', async () => {
  await import('./device.test.ts');
});
describe('dry-run.test.ts', async () => {
  await import('./provisioning/dry-run.test.ts');
});
describe('edge-prompt.test.ts', async () => {
  await import('./edge-prompt.test.ts');
});
describe('figure.test.ts', async () => {
  await import('./record/figure.test.ts');
});
describe('gate.test.ts', async () => {
  await import('./gate.test.ts');
});
describe('history.test.ts', async () => {
  await import('./provisioning/history.test.ts');
});
describe('history-trial.test.ts', async () => {
  await import('./provisioning/history-trial.test.ts');
});
describe('host-record.test.ts', async () => {
  await import('./host-record.test.ts');
});
describe('host-request.test.ts', async () => {
  await import('./host-request.test.ts');
});
describe('host.test.ts', async () => {
  await import('./host.test.ts');
});
describe('idempotency.test.ts', async () => {
  await import('./idempotency.test.ts');
});
describe('log.test.ts', async () => {
  await import('./log.test.ts');
});
describe('listening.test.ts', async () => {
  await import('./site/listening.test.ts');
});
describe('merge-patch.test.ts', async () => {
  await import('./provisioning/merge-patch.test.ts');
});
describe('log-tail.test.ts', async () => {
  await import('./log-tail.test.ts');
});
describe('maintenance.test.ts', async () => {
  await import('./maintenance.test.ts');
});
describe('maker.test.ts', async () => {
  await import('./maker.test.ts');
});
describe('maker-tree.test.ts', async () => {
  await import('./maker-tree.test.ts');
});
describe('media-call.test.ts', async () => {
  await import('./media-call.test.ts');
});
describe('parallel-patch.test.ts', async () => {
  await import('./provisioning/parallel-patch.test.ts');
});
describe('patch.test.ts', async () => {
  await import('./patch.test.ts');
});
describe('person-statement.test.ts', async () => {
  await import('./session/person-statement.test.ts');
});
describe('plain-text.test.ts', async () => {
  await import('./provisioning/plain-text.test.ts');
});
describe('profile-use.test.ts', async () => {
  await import('./profile-use.test.ts');
});
describe('prompt-file.test.ts', async () => {
  await import('./prompt-file.test.ts');
});
describe('provisory.test.ts', async () => {
  await import('./provisory.test.ts');
});
describe('record.test.ts', async () => {
  await import('./record/record.test.ts');
});
describe('reference.test.ts', async () => {
  await import('./reference.test.ts');
});
describe('remote-call.test.ts', async () => {
  await import('./remote-call.test.ts');
});
describe('push.test.ts', async () => {
  await import('./alarm-queue/push.test.ts');
});
describe('resource.test.ts', async () => {
  await import('./resource.test.ts');
});
describe('revocation.test.ts', async () => {
  await import('./revocation.test.ts');
});
describe('recording.test.ts', async () => {
  await import('./edge/recording.test.ts');
});
describe('revision.test.ts', async () => {
  await import('./site/revision.test.ts');
});
describe('runtime.test.ts', async () => {
  await import('./runtime.test.ts');
});
describe('second-factor.test.ts', async () => {
  await import('./session/second-factor.test.ts');
});
describe('secret-at-rest.test.ts', async () => {
  await import('./secret-at-rest.test.ts');
});
describe('served.test.ts', async () => {
  await import('./served.test.ts');
});
describe('session.test.ts', async () => {
  await import('./session.test.ts');
});
describe('fast-path.test.ts', async () => {
  await import('./fast-path.test.ts');
});
describe('signing-credential.test.ts', async () => {
  await import('./provisioning/signing-credential.test.ts');
});
describe('site-stream.test.ts', async () => {
  await import('./site-stream.test.ts');
});
describe('overview.test.ts', async () => {
  await import('./site/overview.test.ts');
});
describe('topology.test.ts', async () => {
  await import('./topology.test.ts');
});
describe('trace.test.ts', async () => {
  await import('./record/trace.test.ts');
});
describe('transcript.test.ts', async () => {
  await import('./record/transcript.test.ts');
});
describe('transcript-search.test.ts', async () => {
  await import('./record/transcript-search.test.ts');
});
describe('usage.test.ts', async () => {
  await import('./usage.test.ts');
});
describe('user.test.ts', async () => {
  await import('./user.test.ts');
});

/** They ask no database. */
const WITHOUT = /^(?:on-|middleware\/|console\.|description\.|description\/documentation\.)/;

test('no file of this folder is forgotten but those that ask no database', () => {
  const own = readFileSync(import.meta.filename, 'utf8');
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts') && !WITHOUT.test(file),
  );
  expect(files.filter((file) => !own.includes(`import('./${file}')`))).toEqual([]);
});
