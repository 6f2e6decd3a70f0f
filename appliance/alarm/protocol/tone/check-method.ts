/** Named ways to make check digits. Which one a protocol uses is a value of its profile. */
export type CheckMethod =
  | 'none'
  | 'sumMod15'
  | 'sumHexByte'
  | 'sumMod100'
  | 'sumMod100Complement'
  | 'weightedMod97'
  | 'luhn'
  | 'xorColumn'
  | 'table';

/** A customer's own method: check = sum of value times weight, modulo, complemented when set. */
export interface CheckTable {
  readonly alphabet: string;
  /** One number for each symbol of the alphabet. */
  readonly values: readonly number[];
  /** Repeated over the string. */
  readonly weights: readonly number[];
  readonly modulus: number;
  readonly complement: boolean;
  /** Length and base of the check as written. */
  readonly digits: number;
  readonly radix: number;
}

const SYMBOLS = '0123456789ABCD*#';
/** Contact ID counts 0 as ten and goes on with `*`, `#` and the letters (SIA DC-05). */
const CONTACT_ID_VALUE: Readonly<Record<string, number>> = { '0': 10, '*': 11, '#': 12, A: 13, B: 14, C: 15 };

type Make = (checked: string) => string | undefined;

/** Check digits of a string; undefined where the string has symbols the method does not know. */
const METHODS: Readonly<Record<Exclude<CheckMethod, 'none' | 'table'>, Make>> = {
  /** With the check the sum is a multiple of 15; what would be 0 is 15. */
  sumMod15(checked) {
    const sum = sumOf(checked, (symbol) => CONTACT_ID_VALUE[symbol] ?? decimal(symbol));
    return sum === undefined ? undefined : '1234567890*#ABC'[14 - (sum % 15)];
  },
  sumHexByte(checked) {
    const sum = sumOf(checked, sixteen);
    return sum === undefined ? undefined : `${SYMBOLS[(sum >> 4) & 15]}${SYMBOLS[sum & 15]}`;
  },
  sumMod100(checked) {
    const sum = sumOf(checked, decimal);
    return sum === undefined ? undefined : two(sum % 100);
  },
  sumMod100Complement(checked) {
    const sum = sumOf(checked, decimal);
    return sum === undefined ? undefined : two((100 - (sum % 100)) % 100);
  },
  weightedMod97(checked) {
    if (!/^\d+$/.test(checked)) return undefined;
    let rest = 0;
    for (const digit of checked) rest = (rest * 10 + Number(digit)) % 97;
    return two(98 - rest);
  },
  luhn(checked) {
    if (!/^\d+$/.test(checked)) return undefined;
    let sum = 0;
    for (let i = 0; i < checked.length; i++) {
      // The digit next to the check digit is the first that is doubled.
      const digit = Number(checked[checked.length - 1 - i]) * (i % 2 === 0 ? 2 : 1);
      sum += digit > 9 ? digit - 9 : digit;
    }
    return String((10 - (sum % 10)) % 10);
  },
  xorColumn(checked) {
    let xor = 0;
    for (const symbol of checked) xor ^= symbol.charCodeAt(0);
    return two(xor % 100);
  },
};

/** Check digits by a method; undefined when it cannot make any for this string. */
export function makeCheck(method: CheckMethod, checked: string, table?: CheckTable): string | undefined {
  if (method === 'none') return undefined;
  if (method === 'table') return table && byTable(checked, table);
  return METHODS[method](checked);
}

/** Whether `check` is what the method makes; shorter results are filled with zeros in front. */
export function checkFits(method: CheckMethod, checked: string, check: string, table?: CheckTable): boolean {
  if (method === 'none') return true;
  return makeCheck(method, checked, table)?.padStart(check.length, '0') === check;
}

/** Every method, the customer's table too, that would make this check: what policy `learn` counts. */
export function fittingMethods(checked: string, check: string, table?: CheckTable): readonly CheckMethod[] {
  const methods = [...(Object.keys(METHODS) as CheckMethod[]), 'table' as const];
  return methods.filter((method) => checkFits(method, checked, check, table));
}

function byTable(checked: string, table: CheckTable): string | undefined {
  let sum = 0;
  for (let i = 0; i < checked.length; i++) {
    const value = table.values[table.alphabet.indexOf(checked[i] ?? '')];
    if (value === undefined) return undefined;
    sum += value * (table.weights[i % table.weights.length] ?? 1);
  }
  const rest = sum % table.modulus;
  const check = table.complement ? (table.modulus - rest) % table.modulus : rest;
  return check.toString(table.radix).toUpperCase().padStart(table.digits, '0');
}

const decimal = (symbol: string): number | undefined => (/\d/.test(symbol) ? Number(symbol) : undefined);

/** Symbols as the digits of base 16: A to D, then `*` and `#`. */
function sixteen(symbol: string): number | undefined {
  const value = SYMBOLS.indexOf(symbol);
  return value === -1 ? undefined : value;
}

function sumOf(text: string, numberOf: (symbol: string) => number | undefined): number | undefined {
  let sum = 0;
  for (const symbol of text) {
    const value = numberOf(symbol);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

const two = (value: number): string => String(value).padStart(2, '0');
