import type { MediaPhrase } from '#shared/contract/callback/index.ts';
import type { Result } from '#shared/result.ts';
import type { LegId, Media, MediaFault } from '../../media/control/index.ts';
import type { Link, ParticipantId, Underlay, WiredRecording, Wiring } from '../media-session/index.ts';
import { type LiveRecording, type Playback, recordingFailure, type Sound } from '../sound/index.ts';
import { SessionHearings, type SessionHearingsDependencies } from './session-hearings.ts';
import { SessionStreams, type SessionStreamsDependencies } from './session-streams.ts';

export interface SessionAudioDependencies
  extends Pick<SessionStreamsDependencies, 'names' | 'onStream'>,
    Pick<SessionHearingsDependencies, 'onSpeech'> {
  readonly media: Media;
  /** Without it nothing is heard but the parties. */
  readonly sound: Sound | undefined;
  readonly run: (work: Promise<unknown>) => void;
  /** Leg of a participant; undefined: it has none (yet, or any more). */
  readonly legOf: (participant: ParticipantId) => LegId | undefined;
  /** A command for a connection was refused. */
  readonly onFault: (connection: string, fault: MediaFault) => void;
  /** `reason`: it failed; one sentence for a person. */
  readonly onRecordingEnded: (recording: string, reason: string | undefined) => void;
  readonly onNote: (text: string) => void;
  /** A recording of this name runs; `isTranscribed`: its words are recognised. */
  readonly onRecorded: (fileName: string, isTranscribed: boolean) => void;
  /** The fields of a recording of this connection in `recordingReady`. */
  readonly reportOf: (connection: string) => Parameters<Sound['record']>[0]['report'];
}

const NOTHING: Wiring = {
  links: [],
  listening: [],
  underlays: new Map(),
  echoing: [],
  silence: new Map(),
  recordings: [],
  streams: [],
  hearings: [],
  connections: [],
};

/**
 * Carries out what the audio of a session is to be: each wiring is compared with the one before, and the difference is
 * said to the media engine and to sound. Takes away before it adds: a leg is in one connection at most.
 */
export class SessionAudio {
  readonly #dependencies: SessionAudioDependencies;
  #before: Wiring = NOTHING;
  /** As it was carried out, with legs instead of participants. */
  #links = new Map<string, LegLink>();
  readonly #ringing = new Map<ParticipantId, Playback>();
  readonly #recordings = new Map<
    string,
    { readonly live: LiveRecording | undefined; key: string; paused: boolean }
  >();
  readonly #plays = new Map<string, Playback>();
  readonly #streams: SessionStreams;
  readonly #hearings: SessionHearings;

  constructor(dependencies: SessionAudioDependencies) {
    this.#dependencies = dependencies;
    this.#streams = new SessionStreams(dependencies);
    this.#hearings = new SessionHearings(dependencies);
  }

  wire(next: Wiring): void {
    const before = this.#before;
    this.#before = next;
    // Recordings that end take their last frame before their legs go.
    for (const id of [...this.#recordings.keys()])
      if (!next.recordings.some((each) => each.id === id)) this.#stopRecording(id);
    this.#streams.end(next.streams, next.connections);
    this.#relink(next.links);
    this.#listen(before.listening, next.listening);
    this.#echo(before.echoing, next.echoing);
    this.#underlay(before.underlays, next.underlays);
    this.#watch(before.silence, next.silence);
    for (const recording of next.recordings) this.#record(recording);
    this.#streams.wire(next.streams);
    this.#hearings.wire(next.hearings);
  }

  /** A participant has pressed a key. */
  digit(participant: ParticipantId, digit: string): void {
    this.#streams.digit(participant, digit);
  }

  play(name: string, participant: ParticipantId, request: Parameters<Sound['play']>[1]): void {
    const leg = this.#dependencies.legOf(participant);
    if (leg === undefined || this.#dependencies.sound === undefined) {
      const reason = leg === undefined ? 'nobody is there to hear it' : 'this appliance plays no prompts';
      request.onPlayed({
        results: request.phrases.map(() => 'error'),
        faults: [{ phrase: 0, alarm: 'phraseError', reason }],
        sources: [],
      });
      return;
    }
    this.#plays.set(name, this.#dependencies.sound.play(leg, request));
  }

  /** Starts several at once, or one after the other has failed. */
  playTogether(
    plays: readonly {
      readonly name: string;
      readonly participant: ParticipantId;
      readonly request: Parameters<Sound['play']>[1];
    }[],
  ): void {
    const { sound, legOf } = this.#dependencies;
    const placed = plays.flatMap(({ participant, request }) => {
      const leg = legOf(participant);
      return leg === undefined ? [] : [{ leg, request }];
    });
    const started = placed.length === plays.length ? sound?.playTogether(placed) : undefined;
    if (started === undefined) {
      for (const { name, participant, request } of plays) this.play(name, participant, request);
      return;
    }
    for (const [index, playback] of started.entries()) {
      const name = plays[index]?.name;
      if (name !== undefined) this.#plays.set(name, playback);
    }
  }

  stop(name: string): void {
    this.#plays.get(name)?.stop();
  }

  /** It was heard, or stopped. */
  played(name: string): void {
    this.#plays.delete(name);
  }

  #relink(links: readonly Link[]): void {
    const wanted = new Map<string, LegLink>();
    for (const link of links) {
      const asLegs = legLink(link, this.#dependencies.legOf);
      if (asLegs !== undefined) wanted.set(link.id, asLegs);
    }
    for (const [id, link] of this.#links) {
      const now = wanted.get(id);
      if (now?.kind !== link.kind || now.key !== link.key) this.#unlink(id, link);
    }
    const before = this.#links;
    this.#links = wanted;
    for (const [id, link] of wanted) {
      const was = before.get(id);
      const same = was?.kind === link.kind && was.key === link.key;
      this.#link(id, link, same ? was : undefined);
    }
  }

  #unlink(id: string, link: LegLink): void {
    const { media } = this.#dependencies;
    if (link.kind === 'mix') this.#do(id, media.endConference(id));
    else this.#do(id, media.disconnect(link.ends[0]), media.disconnect(link.ends[1]));
  }

  #link(id: string, link: LegLink, was: LegLink | undefined): void {
    const { media } = this.#dependencies;
    if (link.kind === 'pair') {
      if (was === undefined) this.#do(id, media.connect(link.ends[0], link.ends[1]));
      return;
    }
    const before = was?.kind === 'mix' ? was.members : undefined;
    if (before === undefined) {
      const { beep, most } = link;
      const most_ = most === undefined ? {} : { maxParticipants: most };
      this.#do(id, media.createConference({ conference: id, beep, ...most_ }));
    }
    for (const leg of before?.keys() ?? []) if (!link.members.has(leg)) this.#do(id, media.leave(id, leg));
    for (const [leg, setting] of link.members) {
      const known = before?.get(leg);
      // The loss of a monitor has no consequence; other members take their own connection with them.
      const concerned = setting.monitor === true ? undefined : (setting.circle ?? id);
      if (known !== undefined && known.circle === setting.circle) {
        if (JSON.stringify(known) !== JSON.stringify(setting))
          this.#do(concerned, media.change(id, leg, setting));
        continue;
      }
      // Into another circle is out of the one and into the other, and heard as that.
      if (known !== undefined) this.#do(concerned, media.leave(id, leg));
      this.#do(concerned, media.join(id, leg, setting));
    }
  }

  /** Sends commands to the media engine; a leg that left meanwhile is no failure. */
  #do(connection: string | undefined, ...commands: readonly Promise<Result<unknown, MediaFault>>[]): void {
    const { run, onFault, onNote } = this.#dependencies;
    for (const command of commands)
      run(
        command.then((done) => {
          if (done.ok || done.error.code === 'Unknown' || done.error.code === 'Lost') return;
          if (connection === undefined) onNote(`the monitor hears nothing: ${done.error.reason}`);
          else onFault(connection, done.error);
        }),
      );
  }

  #listen(before: readonly ParticipantId[], next: readonly ParticipantId[]): void {
    const { media, legOf, run } = this.#dependencies;
    for (const each of before) {
      const leg = next.includes(each) ? undefined : legOf(each);
      if (leg !== undefined) run(media.listen(leg, null));
    }
    for (const each of next) {
      const leg = before.includes(each) ? undefined : legOf(each);
      if (leg !== undefined) run(media.listen(leg, { profile: 'ivr', digits: true, tones: [] }));
    }
  }

  #echo(before: readonly ParticipantId[], next: readonly ParticipantId[]): void {
    for (const each of new Set([...before, ...next])) {
      const on = next.includes(each);
      const leg = on === before.includes(each) ? undefined : this.#dependencies.legOf(each);
      if (leg !== undefined) this.#dependencies.run(this.#dependencies.media.echo(leg, on));
    }
  }

  #watch(before: Wiring['silence'], next: Wiring['silence']): void {
    for (const each of new Set([...before.keys(), ...next.keys()])) {
      const ms = next.get(each);
      const leg = ms === before.get(each) ? undefined : this.#dependencies.legOf(each);
      if (leg !== undefined) this.#dependencies.run(this.#dependencies.media.watchSilence(leg, ms ?? null));
    }
  }

  #underlay(before: Wiring['underlays'], next: Wiring['underlays']): void {
    for (const each of new Set([...before.keys(), ...next.keys()])) {
      const [was, now] = [before.get(each), next.get(each)];
      if (JSON.stringify(was) === JSON.stringify(now)) continue;
      const leg = this.#dependencies.legOf(each);
      this.#ringing.get(each)?.stop();
      this.#ringing.delete(each);
      if (leg !== undefined) this.#lay(each, leg, was, now);
    }
  }

  #lay(participant: ParticipantId, leg: LegId, was: Underlay | undefined, now: Underlay | undefined): void {
    const { sound, onNote } = this.#dependencies;
    if (sound === undefined) return;
    if (was?.kind === 'loop' && now?.kind !== 'loop') sound.background(leg, null);
    if (now?.kind === 'ringback') this.#ringing.set(participant, sound.ringback(leg));
    else if (now?.kind === 'loop') {
      sound.background(leg, {
        phrase: asked(now.phrase),
        repeatPause: now.pauseS,
        ...(now.duckingDb !== undefined && { ducking: now.duckingDb }),
        onFault: ({ reason }) => onNote(`background prompt: ${reason}`),
      });
    }
  }

  #record(wired: WiredRecording): void {
    const { sound, onRecordingEnded, reportOf, onNote } = this.#dependencies;
    const channels = wired.sides.map((side) =>
      side.flatMap((each) => {
        const leg = this.#dependencies.legOf(each);
        return leg === undefined ? [] : [leg];
      }),
    );
    const key = JSON.stringify(channels);
    const running = this.#recordings.get(wired.id);
    if (running === undefined) {
      // No party is on the line yet: a file begins with its first voice.
      if (channels.every((channel) => channel.length === 0)) return;
      const begun = sound?.record({
        fileName: wired.fileName,
        channels,
        layout: wired.layout,
        of: wired.of,
        report: reportOf(wired.connection),
        ...(wired.overwrite === true && { overwrite: true }),
        onEnded: ({ event, reason }) => {
          this.#recordings.delete(wired.id);
          const failure = event === 'recordingFailed' ? recordingFailure(wired.fileName, reason) : undefined;
          onRecordingEnded(wired.id, failure);
        },
      });
      const live = begun?.ok === true ? begun.value : undefined;
      this.#recordings.set(wired.id, { live, key, paused: false });
      if (live !== undefined) {
        this.#dependencies.onRecorded(wired.fileName, live.isTranscribed);
        return;
      }
      const why = begun?.ok === false ? begun.error.reason : 'this appliance records nothing';
      const failure = `${wired.fileName} is not recorded: ${why}`;
      onNote(failure);
      onRecordingEnded(wired.id, failure);
      return;
    }
    if (running.key !== key) {
      running.key = key;
      running.live?.change(channels);
    }
    if (running.paused !== wired.paused) {
      running.paused = wired.paused;
      if (wired.paused) running.live?.pause();
      else running.live?.resume();
    }
  }

  #stopRecording(id: string): void {
    this.#recordings.get(id)?.live?.stop();
    this.#recordings.delete(id);
  }
}

type LegLink =
  | { readonly kind: 'pair'; readonly ends: readonly [LegId, LegId]; readonly key: string }
  | {
      readonly kind: 'mix';
      readonly key: '';
      readonly beep: boolean;
      readonly most: number | undefined;
      readonly members: ReadonlyMap<LegId, Parameters<Media['join']>[2]>;
    };

/** Undefined: one of a pair has no leg. */
function legLink(link: Link, legOf: SessionAudioDependencies['legOf']): LegLink | undefined {
  if (link.kind === 'pair') {
    const [a, b] = [legOf(link.ends[0]), legOf(link.ends[1])];
    return a === undefined || b === undefined ? undefined : { kind: 'pair', ends: [a, b], key: `${a} ${b}` };
  }
  const members = new Map<LegId, Parameters<Media['join']>[2]>();
  for (const [participant, { whisperTo, ...setting }] of link.members) {
    const leg = legOf(participant);
    const target = whisperTo === undefined || whisperTo === null ? whisperTo : legOf(whisperTo);
    if (leg !== undefined)
      members.set(leg, { ...setting, ...(target !== undefined && { whisperTo: target }) });
  }
  return { kind: 'mix', key: '', beep: link.beep, most: link.most, members };
}

type Asked = Parameters<Sound['play']>[1]['phrases'][number];

/** The contract has checked it; only what is absent is left out. */
export const asked = (phrase: MediaPhrase): Asked => phrase as Asked;
