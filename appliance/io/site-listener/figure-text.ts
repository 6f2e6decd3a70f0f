import { exposition, type Family } from '#shared/metric/index.ts';

type Kind = Family['kind'];
type Sample = ReturnType<Family['samples']>[number];

/** The figures of this host by name, without the product's prefix: what each says. A figure without a row fails a test. */
const HELP: Readonly<Record<string, readonly [kind: Kind, help: string]>> = {
  alarm_sessions: ['gauge', 'Alarm sessions that run'],
  alarms_last_hour: ['gauge', 'Alarms of the last hour'],
  registrations: ['gauge', 'Devices that are registered'],
  supervised_devices: ['gauge', 'Devices whose sign of life is supervised'],
  sip_transactions: ['gauge', 'Transactions of SIP that run'],
  calls: ['gauge', 'Calls that run'],
  call_legs: ['gauge', 'Legs of these calls'],
  people_calls: ['gauge', 'Calls to people of emergency lists that ring or are answered'],
  people_calls_waiting: [
    'gauge',
    'Calls to people that wait for one of those that the tenant may have at once',
  ],
  people_calls_total: ['counter', 'Calls to people of emergency lists, by kind of destination and result'],
  people_list_tests_total: ['counter', 'Test calls of emergency lists that ended, by result'],
  people_lists_total: ['counter', 'Emergency lists that ended, by result'],
  processor_steal_ratio: ['gauge', 'Share of the processor that the host of this virtual machine takes'],
  processor_own_ratio: ['gauge', 'Share of the processor that this process takes'],
  tone_handshakes: ['gauge', 'Calls in tones since the start, by protocol and result'],
  tone_line_handshakes: ['gauge', 'Calls in tones by kind of device, trunk and receiver, and by result'],
  tone_line_requests: ['gauge', 'Data requests in these calls'],
  tone_line_bad_strings: ['gauge', 'Strings of these calls that failed their check'],
  tone_line_offers: ['gauge', '1 = a change of this setting would help these calls'],
  tone_line_level_dbm0: ['gauge', 'Mean level of their digits, dBm0'],
  tone_line_twist_db: ['gauge', 'Mean twist of their digits, dB'],
  tone_line_noise_dbm0: ['gauge', 'Mean noise beside their digits, dBm0'],
  media_legs_free: ['gauge', 'Legs that could be opened now'],
  media_worker_legs: ['gauge', 'Legs of a worker of audio'],
  media_worker_late: ['gauge', '1 = its slices of audio begin late'],
  media_worker_overloaded: ['gauge', '1 = it is a reason to refuse new ordinary legs'],
  media_worker_cpu_ratio: ['gauge', 'Share of a processor that it takes'],
  media_worker_skipped_ticks_total: ['counter', 'Slices of audio that it left out'],
  media_worker_ring_overruns_total: ['counter', 'Rings between threads that ran over'],
  media_worker_lateness_max_seconds: ['gauge', 'Longest lateness of a slice'],
  media_worker_lateness_seconds: ['histogram', 'Lateness of its slices'],
  media_legs_total: ['counter', 'Legs that are closed'],
  media_silent_legs_total: ['counter', 'Closed legs on which not one packet came'],
  media_packets_received_total: ['counter', 'Packets of audio that came'],
  media_packets_sent_total: ['counter', 'Packets of audio that were sent'],
  media_packets_lost_total: ['counter', 'Packets of audio that were lost'],
  media_packets_late_total: ['counter', 'Packets of audio that came too late to be played'],
  media_packets_duplicate_total: ['counter', 'Packets of audio that came twice'],
  media_packets_reordered_total: ['counter', 'Packets of audio that came in another order'],
  media_packets_rejected_total: ['counter', 'Packets that are none of a leg, by reason'],
  media_concealed_seconds_total: ['counter', 'Audio that was made up for lost packets'],
  media_leg_loss_ratio: ['histogram', 'Share of lost packets of a leg'],
  media_leg_jitter_seconds: ['histogram', 'Jitter of a leg (RFC 3550)'],
  media_leg_round_trip_seconds: ['histogram', 'Round trip of a leg by RTCP'],
  media_leg_mos: ['histogram', 'Estimated quality of speech of a leg, 1 to 5'],
  media_rtp_timeouts_total: ['counter', 'Legs whose audio stopped'],
  media_rtp_resumptions_total: ['counter', 'Legs whose audio came back'],
  media_ssrc_changes_total: ['counter', 'Changes of the source of a stream'],
  media_srtp_failures_total: ['counter', 'Packets that SRTP refused: altered, repeated or of another key'],
  media_workers_lost_total: ['counter', 'Workers of audio that ended by themselves'],
};

const SUFFIXES = ['_bucket', '_sum', '_count'] as const;

/** The names of figures that have a text, for the test that looks for those that lack one. */
export const namedFigures = (): ReadonlySet<string> => new Set(Object.keys(HELP));

/** The name of the family of a figure, and the part of it that this one is. */
export function familyOf(figure: string): { readonly name: string; readonly suffix: Sample['suffix'] } {
  const [bare = ''] = figure.split('{');
  const suffix = SUFFIXES.find(
    (each) => bare.endsWith(each) && HELP[bare.slice(0, -each.length)]?.[0] === 'histogram',
  );
  return suffix === undefined ? { name: bare, suffix: '' } : { name: bare.slice(0, -suffix.length), suffix };
}

/** Figures as text of the format 0.0.4, each family with its head. */
export function figureText(figures: Readonly<Record<string, number>>): string {
  const samples = new Map<string, Sample[]>();
  for (const [figure, value] of Object.entries(figures)) {
    const { name, suffix } = familyOf(figure);
    const labels = /\{(.*)\}$/s.exec(figure)?.[1] ?? '';
    const known = samples.get(name) ?? [];
    known.push({ suffix, labels, value });
    samples.set(name, known);
  }
  return exposition(
    [...samples].map(([name, all]): Family => {
      const [kind, help] = HELP[name] ?? ['gauge', `${name.replaceAll('_', ' ')} of this host`];
      return { name: `carillon_${name}`, kind, help, samples: () => all };
    }),
  );
}
