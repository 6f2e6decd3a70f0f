import type { Sentence, TestSentence } from '../emergency-list/index.ts';

/** Everything that is said to a callee, or (`wait`) to a device. */
export type SpokenSentence = Sentence | TestSentence | 'wait';

/** The words of an alarm that follow the key: whom, where, and what. */
export interface AlarmWords {
  readonly device: string;
  readonly site: string | undefined;
  readonly status: string;
  readonly location: string | undefined;
}

type Say = (words: AlarmWords) => string;

const plain =
  (text: string): Say =>
  () =>
    text;

const known = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('. ');

const EN: Readonly<Record<SpokenSentence, Say>> = {
  announce: plain('An alarm waits for a person. To accept it, press 1. To refuse it, press 9.'),
  how: plain('To accept the alarm, press 1. To refuse it, press 9.'),
  wrongKey: plain('This key has no meaning here. To accept the alarm, press 1. To refuse it, press 9.'),
  taken: plain('Another person has accepted the alarm. Thank you.'),
  facts: ({ device, site, status, location }) =>
    known(
      `Alarm of ${device}`,
      site && `Site ${site}`,
      `Reason: ${status}`,
      location && `Place: ${location}`,
      'To clear the alarm and hang up, press 0 twice',
    ),
  keys: plain('4 is talk. 7 is listen. 8 is speak. 0 twice clears the alarm and hangs up.'),
  wrongPin: plain('The PIN is wrong.'),
  noDoor: plain('You cannot open the door with this call.'),
  deviceGone: plain(
    'The device has hung up. It is called back where that is possible. Please stay on the line.',
  ),
  over: plain('The alarm is over. Thank you.'),
  wait: plain('Your alarm has been received. Please stay calm. We are calling a person for you.'),
  test: plain(
    'This is a test call. There is no alarm. You are called when an alarm comes. To confirm that you hear this, press 1.',
  ),
  testHow: plain('This is a test call. There is no alarm. To confirm that you hear this, press 1.'),
  testThanks: plain('Thank you. The test is over.'),
};

const SV: typeof EN = {
  announce: plain('Ett larm väntar på en person. Tryck 1 för att ta emot det. Tryck 9 för att avböja.'),
  how: plain('Tryck 1 för att ta emot larmet. Tryck 9 för att avböja.'),
  wrongKey: plain('Knappen har ingen betydelse här. Tryck 1 för att ta emot larmet. Tryck 9 för att avböja.'),
  taken: plain('En annan person har tagit emot larmet. Tack.'),
  facts: ({ device, site, status, location }) =>
    known(
      `Larm från ${device}`,
      site && `Plats ${site}`,
      `Orsak: ${status}`,
      location && `Rum: ${location}`,
      'Tryck 0 två gånger för att avsluta larmet och lägga på',
    ),
  keys: plain('4 är samtal. 7 är lyssna. 8 är tala. 0 två gånger avslutar larmet och lägger på.'),
  wrongPin: plain('Koden är fel.'),
  noDoor: plain('Du kan inte öppna dörren i det här samtalet.'),
  deviceGone: plain('Enheten har lagt på. Den rings upp där det är möjligt. Stanna kvar i samtalet.'),
  over: plain('Larmet är avslutat. Tack.'),
  wait: plain('Ditt larm är mottaget. Var lugn. Vi ringer en person åt dig.'),
  test: plain(
    'Det här är ett provsamtal. Det finns inget larm. Du rings upp när ett larm kommer. Tryck 1 för att bekräfta att du hör det här.',
  ),
  testHow: plain(
    'Det här är ett provsamtal. Det finns inget larm. Tryck 1 för att bekräfta att du hör det här.',
  ),
  testThanks: plain('Tack. Provet är slut.'),
};

const DE: typeof EN = {
  announce: plain('Ein Alarm wartet auf eine Person. Zum Annehmen drücken Sie die 1, zum Ablehnen die 9.'),
  how: plain('Zum Annehmen des Alarms drücken Sie die 1, zum Ablehnen die 9.'),
  wrongKey: plain(
    'Diese Taste hat hier keine Bedeutung. Zum Annehmen drücken Sie die 1, zum Ablehnen die 9.',
  ),
  taken: plain('Eine andere Person hat den Alarm angenommen. Danke.'),
  facts: ({ device, site, status, location }) =>
    known(
      `Alarm von ${device}`,
      site && `Standort ${site}`,
      `Grund: ${status}`,
      location && `Ort: ${location}`,
      'Zum Beenden des Alarms und zum Auflegen drücken Sie zweimal die 0',
    ),
  keys: plain('4 ist Gespräch. 7 ist Hören. 8 ist Sprechen. Zweimal 0 beendet den Alarm und legt auf.'),
  wrongPin: plain('Die PIN ist falsch.'),
  noDoor: plain('Mit diesem Anruf können Sie die Tür nicht öffnen.'),
  deviceGone: plain(
    'Das Gerät hat aufgelegt. Es wird zurückgerufen, wo das möglich ist. Bitte bleiben Sie am Apparat.',
  ),
  over: plain('Der Alarm ist beendet. Danke.'),
  wait: plain('Ihr Alarm ist angekommen. Bitte bleiben Sie ruhig. Wir rufen eine Person für Sie.'),
  test: plain(
    'Dies ist ein Probeanruf. Es gibt keinen Alarm. Sie werden angerufen, wenn ein Alarm kommt. Zum Bestätigen, dass Sie dies hören, drücken Sie die 1.',
  ),
  testHow: plain(
    'Dies ist ein Probeanruf. Es gibt keinen Alarm. Zum Bestätigen, dass Sie dies hören, drücken Sie die 1.',
  ),
  testThanks: plain('Danke. Die Probe ist beendet.'),
};

const LANGUAGES: Readonly<Record<string, typeof EN>> = { en: EN, sv: SV, de: DE };

/** A sentence with the language that it is in: English where the wanted one is not known. */
export function sentenceText(
  sentence: SpokenSentence,
  language: string | undefined,
  words: AlarmWords,
): { readonly text: string; readonly lang: string } {
  const [wanted = 'en'] = (language ?? 'en').toLowerCase().split(/[-_]/);
  const texts = LANGUAGES[wanted];
  return texts === undefined
    ? { text: EN[sentence](words), lang: 'en' }
    : { text: texts[sentence](words), lang: wanted };
}

/** A word of the common event as people say it: `alarmManual` is "alarm manual". */
export const spokenWord = (word: string): string =>
  word.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
