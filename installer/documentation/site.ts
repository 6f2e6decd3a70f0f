import type { Command } from 'commander';
import type { ApiDocuments } from './api-document.ts';
import { apiPages } from './api-page.ts';
import { callbackPages } from './callback-page.ts';
import { CONTENTS } from './contents.ts';
import { errorPage } from './error-page.ts';
import { ownPage } from './own-page.ts';
import type { Page, Section } from './page.ts';
import { protocolPages } from './protocol-page.ts';
import { commandPage, exitPage, logPage, settingPage } from './reference-page.ts';
import { metricPage, platformAlarmPage, runbookPage, topicPage } from './watch-page.ts';

/** Every page, in the order of the navigation. The first page stands before all sections. */
export function siteOf(
  root: string,
  { openApi, asyncApi }: ApiDocuments,
  command: Command,
): readonly Section[] {
  const own = (part: keyof typeof CONTENTS): Page[] =>
    CONTENTS[part].map(({ address, file }) => ownPage(root, address, file));
  return [
    { label: 'Start', pages: [ownPage(root, '', 'docs/README.md'), ...own('start')] },
    { label: 'Concepts', pages: own('concepts') },
    { label: 'Guides', pages: own('guides') },
    { label: 'Recipes', pages: own('recipes') },
    { label: 'Protocols', pages: protocolPages(root) },
    { label: 'Callbacks', pages: callbackPages(openApi, root) },
    {
      label: 'Reference',
      pages: [
        commandPage(command),
        settingPage(),
        errorPage(root),
        exitPage(),
        logPage(root),
        metricPage(root),
        platformAlarmPage(openApi),
        runbookPage(root),
        topicPage(asyncApi),
      ],
    },
    { label: 'API', pages: apiPages(openApi) },
    { label: 'About', pages: own('about') },
    { label: 'Rules in full', pages: own('rules') },
  ];
}

const LINK = /\]\(\/docs(?:\/([^)#\s]*))?(?:#[^)\s]*)?\)/g;
/** Served by the control plane beside the site. */
const ELSEWHERE = new Set(['try']);

/** Links to addresses that no page has, and addresses that two pages have. */
export function siteFaults(sections: readonly Section[]): string[] {
  const pages = sections.flatMap((section) => section.pages);
  const known = new Set(pages.map(({ address }) => address));
  const twice = pages.filter(
    ({ address }, index) => pages.findIndex((each) => each.address === address) !== index,
  );
  const dead = pages.flatMap(({ address, body }) =>
    [...body.matchAll(LINK)].flatMap(([, target = '']) =>
      known.has(target) || ELSEWHERE.has(target)
        ? []
        : [`/docs/${address} links /docs/${target}, which is no page`],
    ),
  );
  return [...twice.map(({ address }) => `two pages have the address /docs/${address}`), ...dead];
}

/** The page as text, as `<address>.md` serves it. */
export const markdownOf = ({ title, body }: Page): string => `# ${title}\n\n${body.trim()}\n`;

/** `/llms.txt`: the list of all pages for programs that read, each with its address as Markdown. */
export function listForPrograms(sections: readonly Section[]): string {
  const line = ({ address, title, summary }: Page): string =>
    `- [${title}](/docs/${address === '' ? 'index' : address}.md): ${summary}`;
  return [
    '# Carillon',
    '',
    '> Connects alarm devices, people and alarm receiving centres. An appliance on the site of a customer receives alarms, turns each into one signed JSON callback and lets people talk; a control plane provisions tenants and devices and watches the sites.',
    '',
    'Each page is Markdown at its address with `.md` behind it. The API is described by /openapi.json, the messages of the broker by /asyncapi.json.',
    '',
    ...sections.flatMap(({ label, pages }) => [`## ${label}`, '', ...pages.map(line), '']),
  ].join('\n');
}
