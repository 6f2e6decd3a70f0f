import { InvalidArgumentError } from 'commander';
import type { Listen } from '#shared/setting/index.ts';

/* The values that a person may write behind a flag: each gives the value, or says what to write instead (exit 64). */

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`Write ${words.join(', ')}.`);
    return found;
  };

export function wholeNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Write a whole number.');
  return Number(text);
}

export function seconds(text: string): number {
  if (!/^\d{1,5}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Write a number of seconds.');
  return Number(text);
}

/** Decimal digits, from `least` to `most` of them. */
export const digits =
  (least: number, most: number = least) =>
  (text: string): string => {
    if (new RegExp(`^\\d{${least},${most}}$`).test(text)) return text;
    throw new InvalidArgumentError(`Write ${least === most ? least : `${least} to ${most}`} digits.`);
  };

/** An account of DC-09. */
export function account(text: string): string {
  if (!/^[\da-f]{3,16}$/i.test(text)) throw new InvalidArgumentError('Write 3 to 16 hexadecimal digits.');
  return text;
}

/** A key of AES. */
export function aesKey(text: string): string {
  if (!/^([\da-f]{32}|[\da-f]{48}|[\da-f]{64})$/i.test(text))
    throw new InvalidArgumentError('Write 32, 48 or 64 hexadecimal digits.');
  return text;
}

export function port(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > 65_535) throw new InvalidArgumentError('Write a port, 1 to 65535.');
  return value;
}

const HOST_PORT = /^(?:\[[\da-f:.]+\]|[^\s:[\]]+):(\d{1,5})$/i;

export function hostPort(text: string): string {
  const port = Number(HOST_PORT.exec(text)?.[1] ?? 0);
  if (port < 1 || port > 65_535)
    throw new InvalidArgumentError('Write HOST:PORT, for example 127.0.0.1:5060.');
  return text;
}

/** Splits a text that `hostPort` let pass. */
export function listenOf(written: string | undefined): Listen | undefined {
  if (written === undefined) return undefined;
  const colon = written.lastIndexOf(':');
  return { host: written.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(written.slice(colon + 1)) };
}
