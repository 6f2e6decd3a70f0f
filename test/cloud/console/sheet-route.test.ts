import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressesShown, pagePaths } from '#test/peers/sheet/route.ts';

const LIST = join(import.meta.dirname, '../../../cloud/console/foundation/page-list.ts');
/** Each object that a picture wants is there. */
const OBJECTS = new Proxy({}, { get: (_, name) => `id-of-${String(name)}` });

describe('the sheet of pictures', () => {
  it('finds every page that the router has', () => {
    // One module for each page, wherever its other properties stand; the type of a page names its promise.
    const pages = readFileSync(LIST, 'utf8').match(/\bload: \(\) =>(?! Promise<)/g) ?? [];
    expect(pages.length).toBeGreaterThan(30);
    expect(pagePaths()).toHaveLength(pages.length);
    expect(new Set(pagePaths()).size).toBe(pages.length);
  });

  it('has a picture of every page', () => {
    const without = pagePaths().filter((path) => {
      try {
        return addressesShown(path, OBJECTS).length === 0;
      } catch {
        return true;
      }
    });
    expect(without).toEqual([]);
  });

  it('shows a page of an object with its object', () => {
    expect(addressesShown('record/$recordId', { record: 'r-1' })).toEqual(['record/r-1']);
    expect(addressesShown('event-map/$', { bridge: 'b-1' })).toEqual(['event-map', 'event-map/bridge/b-1']);
    expect(addressesShown('usage', {})).toEqual(['usage']);
  });

  it('refuses a page that it would show without what it is about', () => {
    expect(() => addressesShown('record/$recordId', {})).toThrow('No object of the demo is a record');
    expect(() => addressesShown('secret/$', {})).toThrow('The page secret/$ has no picture');
  });
});
