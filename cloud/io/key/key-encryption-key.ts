import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptText } from './private-file.ts';

/** Where a key-encryption key may come from beside `<folder>/vault.key`; one of these at most. */
export interface KeySource {
  /** base64url of 32 bytes, as the environment or a file gives it (`CARILLON_VAULT_KEY`, `CARILLON_VAULT_KEY_FILE`). */
  readonly given?: string | undefined;
  /** A program that prints the same text, such as one that asks a key service (`CARILLON_VAULT_KEY_COMMAND`). */
  readonly command?: string | undefined;
  /** Folder of systemd credentials (`$CREDENTIALS_DIRECTORY`), which may hold the file `vault-key`. */
  readonly credentials?: string | undefined;
}

/** A key-encryption key and where it came from. */
export interface KeyEncryptionKey {
  readonly key: Buffer;
  /** Tells keys apart, and nothing about them; stands in every sealed text. */
  readonly name: string;
  /** Undefined = it is kept outside: environment, file, command or systemd. */
  readonly file: string | undefined;
}

export const KEY_BYTES = 32;

/** Chosen: a key service in another network answers within seconds; a start that waits longer hangs. */
const COMMAND_MS = 30_000;

const SOURCES =
  'CARILLON_VAULT_KEY, CARILLON_VAULT_KEY_FILE, CARILLON_VAULT_KEY_COMMAND or the systemd credential vault-key';

/**
 * The key of the one source that is given; where none is, that of the file in the folder, which is made at the first start only.
 * `sealedWith` names the key by which the database is sealed already. Throws one sentence: for two sources, for a text that is
 * no key, and for a key that is missing or is not the one of the database.
 *
 * Chosen: two sources are refused. Which of them counts would be found out on the day when one of them is changed.
 */
export function keyEncryptionKey(folder: string, source: KeySource, sealedWith?: string): KeyEncryptionKey {
  const sources = sourcesOf(source);
  const [first, second] = sources;
  if (first !== undefined && second !== undefined)
    throw new Error(`${first.name} and ${second.name} both give a vault key: keep one of them.`);
  const own = join(folder, 'vault.key');
  if (first === undefined && sealedWith !== undefined && !existsSync(own))
    throw new Error(
      `The database is sealed with the vault key ${sealedWith}, and this process has none: give it that key by ${SOURCES}, or put it back as ${own}.`,
    );
  const found =
    first === undefined ? keptKey(own) : keyFrom(first.read(), first.where ?? first.name, undefined);
  if (sealedWith !== undefined && found.name !== sealedWith)
    throw new Error(
      `The database is sealed with the vault key ${sealedWith}, and the key of ${first?.name ?? own} is ${found.name}: ${adviceFor(own, sealedWith)}.`,
    );
  return found;
}

/** A source of a key that is given. */
interface GivenSource {
  readonly name: string;
  /** The file that is read, where the name does not say it. */
  readonly where?: string;
  readonly read: () => string;
}

/** Whether the key comes from outside the folder. */
export const isKeyGiven = (source: KeySource): boolean => sourcesOf(source).length > 0;

function sourcesOf({ given, command, credentials }: KeySource): GivenSource[] {
  const sources: GivenSource[] = [];
  if (given !== undefined) sources.push({ name: 'CARILLON_VAULT_KEY', read: () => given });
  if (command !== undefined)
    sources.push({ name: 'CARILLON_VAULT_KEY_COMMAND', read: () => printedBy(command) });
  const credential = credentials === undefined ? undefined : join(credentials, 'vault-key');
  if (credential !== undefined && existsSync(credential))
    sources.push({
      name: 'the systemd credential vault-key',
      where: credential,
      read: () => readFileSync(credential, 'utf8'),
    });
  return sources;
}

/** The first line that the program prints. It gets no arguments and no shell: a script of the operator knows the rest. */
function printedBy(command: string): string {
  try {
    const printed = execFileSync(command, [], {
      encoding: 'utf8',
      timeout: COMMAND_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return printed.split('\n', 1)[0] ?? '';
  } catch (cause) {
    throw new Error(
      `CARILLON_VAULT_KEY_COMMAND gave no key: ${said(cause)}; run ${command} by hand, it must print the key and end with 0.`,
    );
  }
}

const said = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0] ?? '';

/** The file of the folder may still hold the key that is looked for. */
function adviceFor(own: string, sealedWith: string): string {
  if (!existsSync(own)) return 'give the one that sealed it';
  const name = nameOf(Buffer.from(readFileSync(own, 'utf8').trim(), 'base64url'));
  return name === sealedWith ? `the one that sealed it lies in ${own}` : 'give the one that sealed it';
}

/** The key that takes the place of the one in use, from the beginning of a rotation to its end. */
export const nextKeyFile = (folder: string): string => join(folder, 'vault.key.next');

/** The key of the file (0400), or the one made now and kept there. */
export const keptKey = (file: string): KeyEncryptionKey =>
  keyFrom(
    keptText(file, 0o400, () => `${randomBytes(KEY_BYTES).toString('base64url')}\n`),
    file,
    file,
  );

function keyFrom(text: string, where: string, file: string | undefined): KeyEncryptionKey {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new Error(
      `${where} must hold ${KEY_BYTES} bytes in base64url; make one with: openssl rand -base64 32`,
    );
  return { key, name: nameOf(key), file };
}

const nameOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
