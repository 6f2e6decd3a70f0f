import type { Party } from './answering-party.ts';
import { joined, music, noise, over, quiet, recorded, repeated, said, toneRow } from './callee-sound.ts';

/** Voices of which the limits of the detector were chosen, and voices that were held out. */
export type VoiceKind = 'voices of espeak-ng' | 'recorded voices';
export const VOICES: readonly VoiceKind[] = ['voices of espeak-ng', 'recorded voices'];

/** People: none of them may be dropped. */
const PEOPLE_ROWS = ['human', 'company sentence', 'silence', 'television'] as const;
export const PEOPLE: readonly string[] = PEOPLE_ROWS;
export const ROWS = [
  ...PEOPLE_ROWS,
  'short greeting',
  'long greeting',
  'company announcement',
  'SIT',
  'fax',
  'busy',
  'ringback',
  'beep',
] as const;
export type Row = (typeof ROWS)[number];

/** The sentences of one voice. */
interface Speaker {
  /** The first words of a person. */
  readonly words: readonly Int16Array[];
  /** Sentences of a conversation. */
  readonly talk: readonly Int16Array[];
  /** First sentence of a person who answers for a company. */
  readonly company: readonly Int16Array[];
  readonly shortGreetings: readonly Int16Array[];
  readonly longGreetings: readonly Int16Array[];
  readonly announcements: readonly Int16Array[];
}

interface Texts {
  readonly words: readonly string[];
  readonly talk: readonly string[];
  readonly company: readonly string[];
  readonly short: readonly string[];
  readonly long: readonly string[];
  readonly announcements: readonly string[];
}

const TEXTS: Readonly<Record<string, Texts>> = {
  en: {
    words: ['Hello?', 'Anna Svensson.', 'Yes, hello, Anna speaking.'],
    talk: ['Who is it? I can hardly hear you.', 'Stay where you are, I am on my way to you.', 'Yes.'],
    company: [
      'Nordic Care, good morning.',
      'Good morning, Nordic Care, you are speaking with Anna Svensson, how can I help you?',
    ],
    short: ['Leave a message.', 'Hi, this is Anna. Leave a message.'],
    long: [
      'Hello, you have reached Anna Svensson. I cannot take your call right now. Please leave your name and your number after the tone, and I will call you back as soon as I can.',
      'The person you have called is not available. Please record your message after the beep. When you have finished, hang up.',
    ],
    announcements: [
      'Welcome to Nordic Care. All our lines are busy at the moment. Your call is important to us. Please hold, and you will be connected to the next free agent.',
    ],
  },
  sv: {
    words: ['Hallå?', 'Anna Svensson.', 'Ja hej, det är Anna.'],
    talk: ['Vem är det? Jag hör dig dåligt.', 'Stanna där du är, jag är på väg till dig.', 'Ja.'],
    company: [
      'Nordisk omsorg, god morgon.',
      'God morgon, Nordisk omsorg, du talar med Anna Svensson, vad kan jag hjälpa till med?',
    ],
    short: ['Lämna ett meddelande.', 'Hej, det är Anna. Lämna ett meddelande.'],
    long: [
      'Hej, du har kommit till Anna Svensson. Jag kan inte svara just nu. Lämna ditt namn och ditt nummer efter tonen, så ringer jag upp så snart jag kan.',
    ],
    announcements: [
      'Välkommen till Nordisk omsorg. Alla våra linjer är upptagna just nu. Du står i kö och får hjälp så snart en handläggare blir ledig.',
    ],
  },
  de: {
    words: ['Hallo?', 'Svensson.', 'Ja, hallo, Anna am Apparat.'],
    talk: ['Wer ist da? Ich höre Sie schlecht.', 'Bleiben Sie, wo Sie sind, ich komme zu Ihnen.', 'Ja.'],
    company: [
      'Nordische Pflege, guten Morgen.',
      'Guten Morgen, Nordische Pflege, mein Name ist Anna Svensson, was kann ich für Sie tun?',
    ],
    short: ['Bitte hinterlassen Sie eine Nachricht.', 'Hier ist Anna. Sprechen Sie nach dem Ton.'],
    long: [
      'Guten Tag, Sie haben Anna Svensson erreicht. Ich kann Ihren Anruf gerade nicht annehmen. Bitte hinterlassen Sie Namen und Nummer nach dem Ton, ich rufe so bald wie möglich zurück.',
    ],
    announcements: [
      'Willkommen bei der Nordischen Pflege. Alle unsere Leitungen sind zurzeit belegt. Bitte haben Sie etwas Geduld, Sie werden mit dem nächsten freien Mitarbeiter verbunden.',
    ],
  },
};

const VOICE_NAMES: readonly (readonly [lang: string, voice: string])[] = [
  ['en', 'en-gb'],
  ['en', 'en-us+f3'],
  ['sv', 'sv'],
  ['sv', 'sv+f2'],
  ['de', 'de'],
  ['de', 'de+f4'],
];

/** The same meanings in the files of Debian's recorded voices, whichever the language is. */
const RECORDED: Readonly<Record<keyof Texts, readonly (readonly string[])[]>> = {
  words: [
    ['hello-world'],
    ['vm-goodbye'],
    ['auth-thankyou'],
    ['privacy-thankyou'],
    ['vm-no', 'pbx-transfer'],
  ],
  talk: [['queue-thankyou'], ['please-try-again'], ['vm-pls-try-again'], ['followme/call-from']],
  company: [
    ['dir-welcome'],
    ['dir-welcome', 'dir-pls-enter', 'vm-extension'],
    ['dir-welcome', 'vm-reachoper', 'vm-press'],
  ],
  short: [['vm-isunavail'], ['vm-leavemsg'], ['vm-theperson', 'vm-isunavail']],
  long: [
    ['vm-theperson', 'digits/4', 'digits/2', 'digits/7', 'vm-isunavail', 'vm-intro'],
    ['vm-nobodyavail', 'vm-intro'],
    ['vm-intro'],
  ],
  announcements: [['tt-allbusy'], ['queue-periodic-announce'], ['demo-congrats']],
};
const RECORDED_LANGUAGES = ['en', 'fr', 'es', 'it', 'ru'];

function speakers(kind: VoiceKind): Speaker[] {
  if (kind === 'recorded voices')
    return RECORDED_LANGUAGES.map((lang) =>
      speaker((what, place) => recorded(lang, RECORDED[what][place] ?? []), RECORDED),
    );
  return VOICE_NAMES.map(([lang, voice]) => {
    const texts = TEXTS[lang];
    if (texts === undefined) throw new Error(`no texts of ${lang}`);
    return speaker((what, place) => said(voice, texts[what][place] ?? ''), texts);
  });
}

function speaker(
  sound: (what: keyof Texts, place: number) => Int16Array,
  all: Readonly<Record<keyof Texts, readonly unknown[]>>,
): Speaker {
  const each = (what: keyof Texts): Int16Array[] => all[what].map((_, place) => sound(what, place));
  return {
    words: each('words'),
    talk: each('talk'),
    company: each('company'),
    shortGreetings: each('short'),
    longGreetings: each('long'),
    announcements: each('announcements'),
  };
}

const known = new Map<VoiceKind, readonly Speaker[]>();

function speakersOf(kind: VoiceKind): readonly Speaker[] {
  const found = known.get(kind) ?? speakers(kind);
  known.set(kind, found);
  return found;
}

/** Waits of a party before it speaks, ms, one after the other. */
const BEFORE_MS = [300, 700, 1_200];
/** A person waits so long before each further sentence of the conversation, ms. */
const TURN_MS = 2_400;
const CALL_MS = 75_000;
const STREET_DB = -34;
const MAILBOX_BEEPS = [
  [1_000, 400],
  [1_400, 250],
  [850, 900],
] as const;

/** Everybody of a row. */
export function parties(kind: VoiceKind, row: Row): Party[] {
  const isPerson = PEOPLE.includes(row);
  return soundsOf(kind, row).map((sound) => ({ sound, isPerson }));
}

function soundsOf(kind: VoiceKind, row: Row): Int16Array[] {
  const all = speakersOf(kind);
  switch (row) {
    case 'human':
      return all.flatMap((each) =>
        each.words.flatMap((word, n) => inRooms(conversation(word, each.talk, n))),
      );
    case 'company sentence':
      return all.flatMap((each) =>
        each.company.flatMap((word, n) => inRooms(conversation(word, each.talk, n))),
      );
    case 'silence':
      return [quiet(CALL_MS), noise(CALL_MS, -48), noise(CALL_MS, -36)];
    case 'television':
      return all.flatMap((each, n) => {
        const other = all[(n + 1) % all.length] ?? each;
        const talk = conversation(each.words[0] ?? quiet(0), each.talk, n);
        return [television(other, -12), television(other, -24)].map((ground) => over(talk, ground));
      });
    case 'short greeting':
      return all.flatMap((each) => each.shortGreetings.map((said, n) => mailbox(said, kind, n)));
    case 'long greeting':
      return all.flatMap((each) => each.longGreetings.map((said, n) => mailbox(said, kind, n)));
    case 'company announcement':
      return all.flatMap((each) =>
        each.announcements.map((text, n) => joined(quiet(beforeMs(n)), text, music(20_000, -18))),
      );
    case 'SIT':
      return all.flatMap((each) =>
        each.announcements.map((text, n) => joined(sit(n), quiet(300), text, quiet(1_000), text)),
      );
    case 'fax':
      return [2_080, 2_100, 2_120].map((hz) => joined(quiet(1_000), toneRow([[hz, 3_000]]), quiet(3_000)));
    case 'busy':
      return BUSY.map((period) => repeated(period(), CALL_MS));
    case 'ringback':
      return RINGBACK.map((period) => repeated(period(), CALL_MS));
    case 'beep':
      return MAILBOX_BEEPS.flatMap(([hz, ms]) =>
        BEFORE_MS.map((before) => joined(quiet(before), toneRow([[hz, ms]]), quiet(60_000))),
      );
  }
}

const beforeMs = (n: number): number => BEFORE_MS[n % BEFORE_MS.length] ?? 0;

/** A person: the first word, then a sentence now and then. */
function conversation(word: Int16Array, talk: readonly Int16Array[], n: number): Int16Array {
  const turns = Array.from({ length: 12 }, (_, turn) => [
    quiet(TURN_MS),
    talk[(n + turn) % talk.length] ?? quiet(0),
  ]);
  return joined(quiet(beforeMs(n)), word, ...turns.flat());
}

/** In a quiet room, and at a street. */
const inRooms = (sound: Int16Array): Int16Array[] => [sound, over(sound, noise(sound.length / 8, STREET_DB))];

/** Voices and music without an end, so much below full scale. */
function television(other: Speaker, peakDb: number): Int16Array {
  const factor = 10 ** ((peakDb + 8) / 20);
  const voices = joined(...other.longGreetings, ...other.talk).map((sample) => Math.round(sample * factor));
  return repeated(joined(voices, music(3_000, peakDb)), CALL_MS);
}

/** A mailbox: its greeting, its beep, and it records. */
function mailbox(greeting: Int16Array, kind: VoiceKind, n: number): Int16Array {
  const made = MAILBOX_BEEPS[n % MAILBOX_BEEPS.length] ?? MAILBOX_BEEPS[0];
  const beep = kind === 'recorded voices' && n % 2 === 0 ? recorded('en', ['beep'], -10) : toneRow([made]);
  return joined(quiet(beforeMs(n)), greeting, quiet(350), beep, quiet(60_000));
}

/** Special information tones (ITU-T E.180), and the second set of them. */
const sit = (n: number): Int16Array =>
  toneRow((n % 2 === 0 ? [950, 1_400, 1_800] : [914, 1_371, 1_777]).map((hz) => [hz, 330] as const));

const pair = (one: number, other: number, ms: number): Int16Array =>
  over(toneRow([[one, ms]], -18), toneRow([[other, ms]], -18));

/** One period each: the Nordic countries, Germany, France, Great Britain, North America. */
const BUSY: readonly (() => Int16Array)[] = [
  () =>
    toneRow([
      [425, 250],
      [0, 250],
    ]),
  () =>
    toneRow([
      [425, 480],
      [0, 480],
    ]),
  () =>
    toneRow([
      [440, 500],
      [0, 500],
    ]),
  () =>
    toneRow(
      [
        [400, 375],
        [0, 375],
      ],
      -24,
    ),
  () => joined(pair(480, 620, 500), quiet(500)),
];
const RINGBACK: readonly (() => Int16Array)[] = [
  () =>
    toneRow([
      [425, 1_000],
      [0, 5_000],
    ]),
  () =>
    toneRow(
      [
        [425, 1_000],
        [0, 4_000],
      ],
      -24,
    ),
  () =>
    toneRow([
      [440, 1_500],
      [0, 3_500],
    ]),
  () => joined(pair(400, 450, 400), quiet(200), pair(400, 450, 400), quiet(2_000)),
  () => joined(pair(440, 480, 2_000), quiet(4_000)),
];
