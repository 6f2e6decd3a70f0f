import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import { NoiseSource, pcma, pcmu } from '#appliance/media/audio/index.ts';
import type { LegStream, PreparedPrompt, VoiceCodec } from '#appliance/media/control/index.ts';
import type { Result } from '#shared/result.ts';
import { openPrograms } from '../media/stream-program.ts';
import type { MediaLegsAnswer, MediaLegsReady, MediaLegsSetting } from './media-setting.ts';
import { type Served, serveParent } from './serve-parent.ts';

/** A media worker with legs and nothing else: what it costs is what audio costs. */

const PAYLOAD_TYPE: Readonly<Record<VoiceCodec, number>> = { PCMU: 0, GSM: 3, PCMA: 8 };

async function start(setting: MediaLegsSetting): Promise<Served<MediaLegsReady, null, MediaLegsAnswer>> {
  const media = await openMedia({
    ports: setting.ports,
    workers: 1,
    host4: setting.peerHost,
    // Opening many legs in one go makes it late; its lateness is what the benchmark looks at.
    tooLateMs: 60_000,
    saturatedShare: Number.POSITIVE_INFINITY,
    legs: { alarm: Math.max(setting.legs, 800) },
    log: (level, event, message, detail) => console.error(level, event, message, detail),
  });
  const ports: number[] = [];
  for (let n = 0; n < setting.legs; n++) {
    // Alarms are admitted also where a worker is late.
    const opened = must(await media.openLeg({ leg: `${n}`, profile: 'alarm', family: 4 }));
    ports.push(opened.port);
    must(await media.updateLeg(`${n}`, streamOf(setting, n)));
  }
  await employ(media, setting);
  const programs = setting.programs && (await joinPrograms(media, setting, setting.programs));
  return {
    ready: { ports },
    answer: () => media.load(),
    close: async () => {
      await programs?.close();
      await media.close();
    },
  };
}

async function employ(media: OpenMedia, { legs, work, programs }: MediaLegsSetting): Promise<void> {
  const prompt = noisePrompt(10);
  for (let n = 0; n < (programs?.from ?? legs); n++) {
    if (work === 'relay' || work === 'mixed') {
      if (n % 2 === 1) must(await media.connect(`${n - 1}`, `${n}`));
      // A detector of silence needs samples.
      if (work === 'mixed') must(await media.watchSilence(`${n}`, 1e9));
      continue;
    }
    must(await media.listen(`${n}`, { profile: 'ivr', digits: true, tones: [] }));
    const phrases = [{ kind: 'prompt', prompt, ...(work === 'samples' && { volumeDb: -1 }) }] as const;
    must(await media.play(`${n}`, 'p', { phrases, over: 'instead', loop: { pauseMs: 0 } }));
  }
}

/** A two-way stream of each leg from `from` on. */
async function joinPrograms(
  media: OpenMedia,
  { legs }: MediaLegsSetting,
  { url, from }: NonNullable<MediaLegsSetting['programs']>,
) {
  const programs = openPrograms(media);
  await Promise.all(
    Array.from({ length: legs - from }, (_, n) => programs.join(`s${n}`, url, `${from + n}`)),
  );
  return programs;
}

function streamOf({ codec, srtp, peerHost, firstPeerPort }: MediaLegsSetting, n: number): LegStream {
  const numbered = { payloadType: PAYLOAD_TYPE[codec], codec };
  const port = firstPeerPort + 2 * n;
  return {
    remote: { host: peerHost, port, rtcpPort: port + 1 },
    rtcpMux: false,
    direction: 'sendrecv',
    send: numbered,
    receive: [numbered],
    latching: false,
    ...(srtp && { srtp: { suite: 'AES_CM_128_HMAC_SHA1_80', ...srtp } }),
  };
}

function noisePrompt(seconds: number): PreparedPrompt {
  const samples = new Int16Array(seconds * 8_000);
  new NoiseSource(1).fill(samples, -20);
  const pcm = new SharedArrayBuffer(samples.byteLength);
  const [alaw, ulaw] = [new SharedArrayBuffer(samples.length), new SharedArrayBuffer(samples.length)];
  new Int16Array(pcm).set(samples);
  pcma.encode(samples, new Uint8Array(alaw), 0);
  pcmu.encode(samples, new Uint8Array(ulaw), 0);
  return { samples: samples.length, pcm, alaw, ulaw };
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.reason}`);
  return result.value;
}

serveParent(start);
