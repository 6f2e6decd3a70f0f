/** Where in a lift the audio unit of a CPC call is. */
export interface LiftAudioUnit {
  readonly code: string;
  readonly key: string;
  readonly meaning: string;
}

// biome-ignore format: one row a line reads as a table
export const LIFT_AUDIO_UNITS: readonly LiftAudioUnit[] = [
  { code: '0', key: 'cabin', meaning: 'lift car' },
  { code: '1', key: 'machineRoom', meaning: 'machine room' },
  { code: '2', key: 'shaft', meaning: 'shaft' },
  { code: '3', key: 'cabinRoof', meaning: 'roof of the car' },
  { code: '4', key: 'cabinBottom', meaning: 'underside of the car' },
  { code: '5', key: 'cabin2', meaning: 'second car' },
  { code: '6', key: 'cabin2Roof', meaning: 'roof of the second car' },
  { code: '7', key: 'cabin2Bottom', meaning: 'underside of the second car' },
  { code: '8', key: 'fireman', meaning: 'fire service station' },
];
