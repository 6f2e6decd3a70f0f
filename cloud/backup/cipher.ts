import { Decrypter, Encrypter } from 'age-encryption';

/** The readers of an archive: those with a passphrase, or the holders of these public keys (`age1…`). */
export interface SealTo {
  readonly passphrase?: string | undefined;
  readonly recipients: readonly string[];
}

/** The opener of an archive: a passphrase, or secret keys (`AGE-SECRET-KEY-1…`). */
export interface OpenBy {
  readonly passphrase?: string | undefined;
  readonly identities: readonly string[];
}

/** An archive that cannot be used; the message is one sentence with the reason. */
export class ArchiveFault extends Error {}

/** The length of a passphrase that is not tried out within a life time (NIST SP 800-63B 5.1.1 asks for 8 with a counter). */
const SHORTEST_PASSPHRASE = 16;

/** Throws `ArchiveFault` for both, for none, for a short passphrase, and for a text that is no public key. */
export async function encrypted(
  plain: ReadableStream<Uint8Array>,
  { passphrase, recipients }: SealTo,
): Promise<ReadableStream<Uint8Array>> {
  if ((passphrase === undefined) === (recipients.length === 0))
    throw new ArchiveFault('A backup is encrypted: give either a passphrase or public keys of age.');
  const encrypter = new Encrypter();
  if (passphrase !== undefined) {
    if (passphrase.length < SHORTEST_PASSPHRASE)
      throw new ArchiveFault(
        `The passphrase has ${passphrase.length} characters: give at least ${SHORTEST_PASSPHRASE}, since an archive can be tried without limit.`,
      );
    encrypter.setPassphrase(passphrase);
  }
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new ArchiveFault(`${recipient} is no public key of age: it begins with age1.`);
    }
  return await encrypter.encrypt(plain);
}

/** Throws `ArchiveFault` when nothing of what is given opens it. */
export async function decrypted(
  sealed: ReadableStream<Uint8Array>,
  { passphrase, identities }: OpenBy,
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = new Decrypter();
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  for (const identity of identities)
    try {
      decrypter.addIdentity(identity);
    } catch {
      throw new ArchiveFault('The identity is no secret key of age: it begins with AGE-SECRET-KEY-1.');
    }
  try {
    return await decrypter.decrypt(sealed);
  } catch (cause) {
    throw new ArchiveFault(reasonOf(cause));
  }
}

function reasonOf(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  if (/no identity matched/.test(said))
    return 'Neither the passphrase nor a key that was given opens the backup: give the one that it was made for.';
  return `The file is no backup, or its beginning is damaged (${said}): take another copy.`;
}
