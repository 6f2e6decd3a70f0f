import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';
import type { Lane } from '../../component/trace/lane.ts';

export type Entry = Operations['getRecordByDomain']['answer']['records'][number];

export const KINDS: Readonly<Record<Entry['kind'], MessageDescriptor>> = {
  alarm: msg`Alarm`,
  alarmSent: msg`Alarm sent on`,
  call: msg`Call`,
  mediaService: msg`Call of a media service`,
  cloudUserAgent: msg`Call of a cloud user agent`,
  recording: msg`Recording session`,
  message: msg`Message`,
  attempt: msg`Refused attempts`,
};

export const RESULTS: Readonly<Record<Entry['result'], MessageDescriptor>> = {
  running: msg`In progress`,
  done: msg`Done`,
  refused: msg`Refused`,
  unanswered: msg`Not answered`,
  failed: msg`Failed`,
  interrupted: msg`Interrupted`,
};

/** Next step of a person who reads a result, where its reason says no more. */
export const NEXT: Readonly<Partial<Record<Entry['result'], MessageDescriptor>>> = {
  running: msg`The session goes on. This page follows it.`,
  refused: msg`A side said no. The ladder shows which one, and the reason stands in its answer.`,
  unanswered: msg`No person accepted it. Check the destinations of the receiver, and call the device back.`,
  failed: msg`An error ended it. The last steps of the timeline show where; deliveries that failed can be sent again.`,
  interrupted: msg`The program ended in the middle of it. The device reports again by itself; check that its next alarm arrived.`,
};

export const LANE_NAMES: Readonly<Record<Lane, MessageDescriptor>> = {
  device: msg`Device`,
  appliance: msg`Appliance`,
  application: msg`Application`,
  centre: msg`Centre`,
  people: msg`People`,
};

/** The device or caller of a session, as its link names it. */
export const whoOf = ({ deviceId, from, source }: Entry): string => deviceId ?? from ?? source ?? '';

/** How much a result wants to be looked at. */
export const TONES: Readonly<Record<Entry['result'], string>> = {
  running: 'busy',
  done: 'good',
  refused: 'warn',
  unanswered: 'bad',
  failed: 'bad',
  interrupted: 'bad',
};

export const SIGNS: Readonly<Record<Entry['result'], string>> = {
  running: '◐',
  done: '●',
  refused: '▲',
  unanswered: '■',
  failed: '■',
  interrupted: '■',
};
