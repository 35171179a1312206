import type { ReportedState } from './run-report.js';

/** State of a row in an annotated copy; rows that were only checked are `good`. */
export type CopyState = ReportedState | 'skipped' | 'good';

/** Meaning of a colour. */
export type Tone = 'good' | 'bad' | 'waiting' | 'doubt' | 'idle';

export const TONE_OF: Readonly<Record<CopyState, Tone>> = {
  accepted: 'good',
  good: 'good',
  rejected: 'bad',
  'held-back': 'bad',
  elsewhere: 'waiting',
  pending: 'waiting',
  unknown: 'doubt',
  unsent: 'idle',
  skipped: 'idle',
};

/** Colours of reports and of annotated copies. */
export const TONES: Readonly<Record<Tone, { readonly fill: string; readonly font: string }>> = {
  good: { fill: 'FFD5F0DC', font: 'FF14532D' },
  bad: { fill: 'FFFBD9D7', font: 'FF8A1C14' },
  waiting: { fill: 'FFFFF0C2', font: 'FF6B4A00' },
  doubt: { fill: 'FFFFDDB8', font: 'FF7A3A00' },
  idle: { fill: 'FFEDEFF2', font: 'FF4B5563' },
};
