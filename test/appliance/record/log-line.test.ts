import { describe, expect, it } from 'vitest';
import { repositorySources } from '#test/architecture/repository.ts';

/** Folders whose code works for sessions. */
const OF_SESSIONS = /^appliance\/(?:alarm|call|delivery)\//;
const LINE = /\blog\(\s*'(?:warn|error)',\s*'([a-z_.]+)'/g;
/** The line names its session, or is made of a detail that does. */
const NAMED = /\b(?:traceId|sessionId|recordId|defectDetail)\b/;

/** Events about no one session, each with its subject. */
const OF_NO_SESSION: Readonly<Record<string, string>> = {
  'protocol_profile.content_ignored': 'a profile',
  'event_map.compile_failed': 'a bridge',
  'devices_seen.store_failed': 'a report of all devices',
  'receiver.poll_skipped': 'a receiver between its sessions',
  'receiver.not_answered': 'a receiver between its sessions',
  'controller.read_failed': 'a controller, whose sessions are over',
  'media.load_shed': 'this host',
  'recording.write_failed': 'the list of all recordings',
  'recording.complete_failed': 'a file of an earlier run of the program',
  'trunk_host.call_failed': 'a host of a trunk; the trace of the call has its own line',
  'dead_letter.request_read_failed': 'the request that a person on site laid down',
  'dead_letter.request_damaged': 'the request that a person on site laid down',
  'platform_alarm.issued': 'the alarm, which carries the session where it has one',
  'host_report.store_failed': 'this host',
  'unknown_unit.refused': 'units that are not provisioned',
};

interface LogLine {
  readonly event: string;
  readonly call: string;
}

/** Calls of the log at warn and error in a source, with their text up to the closing bracket. */
function linesIn(text: string): LogLine[] {
  return [...text.matchAll(LINE)].map(({ 1: event = '', index }) => {
    let [at, depth] = [text.indexOf('(', index), 0];
    const from = at;
    do {
      if (text[at] === '(') depth++;
      if (text[at] === ')') depth--;
      at++;
    } while (depth > 0 && at < text.length);
    return { event, call: text.slice(from, at) };
  });
}

const nameless = (text: string): string[] =>
  linesIn(text)
    .filter(({ event, call }) => !NAMED.test(call) && OF_NO_SESSION[event] === undefined)
    .map(({ event }) => event);

describe('a line of the log about one session', () => {
  const sources = repositorySources().filter(({ path }) => OF_SESSIONS.test(path));

  it('names the session: its trace, by which the log adds the record', () => {
    const all = sources.flatMap(({ text }) => linesIn(text));
    expect(all.length).toBeGreaterThan(20);
    expect(sources.flatMap(({ path, text }) => nameless(text).map((event) => `${path}: ${event}`))).toEqual(
      [],
    );
  });

  it('is looked for: every exception stands in a source', () => {
    const known = new Set(sources.flatMap(({ text }) => linesIn(text).map(({ event }) => event)));
    expect(Object.keys(OF_NO_SESSION).filter((event) => !known.has(event))).toEqual([]);
  });

  it('turns red without the ids', () => {
    expect(nameless("log('error', 'call.lost', 'Lost a call', { leg: name(1) });")).toEqual(['call.lost']);
    expect(nameless("ports.log(\n 'warn',\n 'call.lost', 'Lost a call', { traceId });")).toEqual([]);
  });
});
