#!/usr/bin/env node
import { exitCode } from './exit-code.ts';
import { keepWrapperCode } from './io/engine-flag.ts';
import { complain } from './io/terminal/terminal.ts';
import { DAEMONS, type Programs } from './program.ts';

/** The entry of the command line: the only file that knows all programs. Each is loaded when it is needed. */
const programs: Programs = {
  startCloud: async (sources) => (await import('../cloud/main.ts')).start(sources),
  startAppliance: async (sources) => (await import('../appliance/main.ts')).start(sources),
  database: async () => (await import('../cloud/cli/index.ts')).databaseCommands,
  backup: async () => (await import('../cloud/cli/index.ts')).backupCommands,
  exportMosquitto: async (sources, folder, owner, eachHost) =>
    (await import('../cloud/cli/index.ts')).exportMosquitto(sources, folder, owner, eachHost),
  checkBroker: async (sources) => (await import('../cloud/cli/index.ts')).checkBroker(sources),
  startArc: async (options) => (await import('../appliance/simulator/index.ts')).startArc(options),
  openReceiver: async (run) => (await import('../appliance/simulator/index.ts')).openReceiver(run),
  simulateScaip: async (run) => (await import('../appliance/simulator/index.ts')).simulateScaip(run),
  simulateTone: async (run) => (await import('../appliance/simulator/index.ts')).simulateTone(run),
  simulateNowIp: async (run) => (await import('../appliance/simulator/index.ts')).simulateNowIp(run),
  simulateLacs: async (run) => (await import('../appliance/simulator/index.ts')).simulateLacs(run),
  openPhone: async (run) => (await import('../appliance/simulator/index.ts')).openPhone(run),
  openRecordingClient: async (run) =>
    (await import('../appliance/simulator/index.ts')).openRecordingClient(run),
  openRecordingServer: async (run) =>
    (await import('../appliance/simulator/index.ts')).openRecordingServer(run),
  simulateSwarm: async (run) => (await import('../appliance/simulator/index.ts')).simulateSwarm(run),
  simulateDc09: async (run) => (await import('../appliance/simulator/index.ts')).simulateDc09(run),
  rehearsal: async () => {
    const { openRehearsal, openTlsFront, rehearsalPage, SITUATIONS } = await import(
      '../appliance/rehearsal/index.ts'
    );
    return { situations: SITUATIONS, page: rehearsalPage, open: openRehearsal, front: openTlsFront };
  },
  verifyAudit: async (run) => (await import('../cloud/cli/index.ts')).verifyAudit(run),
  selfTest: async (run) => (await import('../appliance/selftest/index.ts')).selfTest(run),
  sipGateway: async (host, port) => (await import('../appliance/selftest/index.ts')).sipGateway(host, port),
  enrolHost: async (run) => (await import('../appliance/io/edge/index.ts')).enrol(run),
  readClaimFile: async (text, nowMs) =>
    (await import('../appliance/io/edge/index.ts')).readClaimFile(text, nowMs),
  hostOfSite: async (folder) => (await import('../appliance/io/edge/index.ts')).loadIdentity(folder),
  keyFingerprint: async (folder) => (await import('../appliance/io/edge/index.ts')).keyFingerprint(folder),
  signersOf: async ({ verifyKeys }, folder) => {
    const replicated = (await import('../appliance/io/config/index.ts')).replicatedKeys(folder);
    return replicated.length > 0 ? replicated.map(({ chain: _, ...key }) => key) : verifyKeys;
  },
  readTwin: async (compact, { uid, verifyKeys, twinRev }, chain) => {
    const { followKeys, keysFrom, kidOf, signedReader } = await import('../appliance/io/edge/index.ts');
    const { acceptTwin, TWIN_TYP } = await import('../appliance/replica/index.ts');
    const followed = await followKeys(verifyKeys, chain);
    const read = acceptTwin(await signedReader(() => followed.keys)(compact, TWIN_TYP), uid, twinRev);
    if (!read.ok) return read;
    const trust = { uid, verifyKeys: keysFrom(followed, kidOf(compact)), twinRev: read.value.twinRev };
    return { ok: true, value: { twin: read.value, trust } };
  },
  tellCloud: async (folder, note) => (await import('../appliance/io/edge/index.ts')).sendNote(folder, note),
  copyDatabases: async (folder, into) =>
    (await import('../appliance/io/sqlite/index.ts')).copyDatabases(folder, into),
  countRows: async (folder) => (await import('../appliance/io/sqlite/index.ts')).countRows(folder),
  onSite: async () => (await import('../appliance/compose/on-site.ts')).onSite,
  explain: async (kind, content, { key, protocol, profile }) => {
    const { explain } = await import('../appliance/explain/index.ts');
    const { aesCbc } = await import('../appliance/io/frame-listener/index.ts');
    return explain(kind, content, { key, protocol, profile, aes: aesCbc });
  },
  hearTones: async (wav, profile) =>
    (await import('../appliance/media/dtmf/index.ts')).hearFile(wav, profile),
};

async function main(words: readonly string[]): Promise<number> {
  if (DAEMONS.has(words[0])) return await (await import('./command/daemon.ts')).runDaemon(programs, words);
  return await (await import('./command/root.ts')).runCommand(programs, words, process.env);
}

keepWrapperCode();
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (cause: unknown) => {
    complain(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    process.exit(exitCode.unexpected);
  },
);
