/**
 * Files that `.ci/run` leaves to `.ci/run --long`: random worlds with thousands of rounds, pairs of processes that wait for each other
 * in real time, campaigns whose smaller sisters run with every change, the whole API once more on PostgreSQL, and the build of a
 * release once more. Each is green there before a release.
 */
const LONG_ONLY = {
  test: [
    'walk/walks',
    'examples/call',
    'installer/command/develop/rehearse',
    'journey/record/pair',
    'journey/recording/recording-pair',
    'installer/step/demo-simulated',
    'journey/cloud-stopped',
    'journey/privacy',
    'journey/privacy-pair',
    'journey/usage-cloud',
    'journey/both-families-door',
    'journey/call-reconnect',
    'journey/far-end-gone',
    'journey/sending-group-hangup',
    'journey/tone-line',
    'journey/review-random',
    'appliance/engine/unknown-unit-flood',
    'appliance/io/sqlite/salvage',
    'appliance/site/peer/sim',
    'cloud/site/simulation',
    'fuzz/sip-storm',
  ],
  peers: [
    // Parts are taken away to see what breaks; the program as it is has its promises in `cloud/replicas` and `campaign/control-plane`.
    'replica/removal',
    // Connections on which nothing is said any more: `cloud/replica-rows` has them at the store, `campaign/control-plane` parts a replica for longer than its lease.
    'replica/half-open',
    // The demo started twice: `cloud/demo` starts it once, `cloud/console-record` shows the records of its alarms.
    'cloud/demo-record',
    // The page of a recording: `recording-site` plays and judges the file, `cloud/console-record` shows the record beside it.
    'cloud/console-recording',
    // A pattern tried on alarms that came: `test/appliance/io/history` has what is behind the page, `cloud/console-now` tries one of a sender.
    'cloud/console-history',
    // An upgrade under an open page: `test/cloud/http/console` keeps the files of the build before, `console-chromium` what was typed.
    'console/trouble',
    'campaign/loss',
    'campaign/flood',
    'campaign-wan',
    'campaign/damaged',
    'campaign/hanging',
    'campaign/lasting',
    'call-silent-host',
    'recording-crash',
    'tone-loss',
    'people/answer-matrix',
    'replica/api-on-postgres',
    'replica/upgrade',
    'replica/whichever-replica',
    'replica/partition',
    'replica/parted-writer',
    'replica/mass-loss',
    'replica/mass-loss-judge',
    'replica/mass-loss-twice',
    'replica/database-failover',
    'replica/full-disk',
    'replica/haproxy',
    'sdk/first-hour',
    'sdk/first-site',
    'sdk/csharp',
    'console/task',
    'console/transcript',
  ],
  // The program of this processor is built, started and judged with every change, and its signature by `test/installer/build`.
  system: ['second-build'],
} as const;

/** Paths for `exclude` of a suite; none where `TEST_LONG` asks for all of it. */
export const longOnly = (suite: keyof typeof LONG_ONLY, folder: string): string[] =>
  process.env.TEST_LONG === undefined ? LONG_ONLY[suite].map((name) => `${folder}/${name}.test.ts`) : [];
