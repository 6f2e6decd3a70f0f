import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LIST = join(import.meta.dirname, '../../../cloud/console/foundation/page-list.ts');

/** Paths of the list of pages, as the router reads them. Its macros are for the bundler: the source is read as text. */
export function pagePaths(): readonly string[] {
  const source = readFileSync(LIST, 'utf8');
  return [...source.matchAll(/^\s*(?:\{\s*)?path: '([^']+)'/gm)].map(([, path]) => path ?? '');
}

/**
 * The address of a page below `/console/`. `examples`: what stands in place of a part (`$recordId`), by the path of the page.
 * A page with a part and no example fails: it would stay unseen.
 */
export function addressOf(path: string, examples: Readonly<Record<string, string>>): string {
  const example = examples[path];
  if (example !== undefined) return example;
  const plain = path.replace(/\/\$$/, '');
  if (plain.includes('$'))
    throw new Error(
      `The page ${path} has no example: add one where the sheet and the test of axe name theirs.`,
    );
  return plain;
}

/**
 * Parts of addresses that follow the name of a page, by its path; `{bridge}` stands for the id of an object of that name. A page that shows its list at
 * its bare address is in the sheet with both.
 */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'host/$': [
    ...['{host}', '{host}?part=past', '{host}?part=configuration', '{host}?part=diagnosis'],
    ...['{host}?part=audit', '{host}?part=service'],
  ],
  'site/$': ['{site}'],
  'alarm/$': ['', '{incident}'],
  'queue/$': ['', '{waiting}'],
  'record/$recordId': ['{record}'],
  'recording/$recordId': ['{recording}'],
  'delivery/$': [''],
  'device/$deviceId': ['{device}'],
  'bridge/$': ['', '{bridge}', '{home}', 'new'],
  'try-on-history/$': ['{bridge}'],
  'sender/$': ['', '{sender}', 'new'],
  'media-service/$': ['', '{mediaService}', 'new'],
  'user-agent/$': ['', '{userAgent}', 'new'],
  'recording-service/$': ['', '{recordingService}', 'new'],
  'trunk/$': ['', '{trunk}', 'new', 'draft/{draft}'],
  'profile/$': ['', '{profile}', 'new'],
  'event-map/$': ['', 'bridge/{bridge}'],
  'taker/$': ['', 'scaip'],
  'access/$': [''],
  'privacy/$': [''],
};

/** The addresses of a page: of its list, and of an object that it shows. Throws for a page that nothing above names: it would stay unseen. */
export function addressesShown(path: string, objects: Readonly<Record<string, string>>): readonly string[] {
  if (!path.includes('$')) return [path];
  const [name = ''] = path.split('/');
  const shown = SHOWN[path];
  if (shown === undefined)
    throw new Error(`The page ${path} has no picture: name in route.ts what it shows.`);
  return shown.map((rest) =>
    [
      name,
      ...(rest === '' ? [] : [rest.replace(/\{(\w+)\}/g, (_, object: string) => objectOf(objects, object))]),
    ].join('/'),
  );
}

function objectOf(objects: Readonly<Record<string, string>>, name: string): string {
  const id = objects[name];
  if (id === undefined || id === '' || id === 'undefined')
    throw new Error(`No object of the demo is a ${name}: a page would be shown empty.`);
  return id;
}
