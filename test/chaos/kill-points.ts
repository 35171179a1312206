import type { FaultName } from './fault-kinds.js';

/** Who kills: the sender itself where it is, or the service when it has got, or has done, a send. */
export type Killer = 'sender' | 'service';

/** What the play must be like for a point to be reached. */
export interface KillPoint {
  readonly by: Killer;
  /** The killed process lays the documents in as well. @default false */
  readonly spools?: true;
  /** @default false */
  readonly testSet?: true;
  /** With corrections, the first of which come before DIAN finds what they correct. @default false */
  readonly notes?: true;
  /** What happens to the first send of every number. @default nothing */
  readonly first?: FaultName;
  /** How often the point is passed before, so that others are under way. */
  readonly after: number;
}

const SPOOL = { by: 'sender', spools: true, after: 0 } as const;
const SEND = { by: 'sender', after: 6 } as const;
const SERVICE = { by: 'service', after: 6 } as const;
const POLL = { by: 'sender', testSet: true, after: 6 } as const;
const ASK = { by: 'sender', first: 'dropped after', after: 6 } as const;
const TURN = { by: 'sender', notes: true, after: 0 } as const;

/** Every point of the sender's way at which a death is told apart, in order. */
export const KILL_POINTS = {
  'spool: complete': SPOOL,
  'spool: durable': SPOOL,
  'run: opened': { ...SEND, after: 0 },
  'send: before mark': SEND,
  'send: marking': SEND,
  'send: before request': SEND,
  'send: received': SERVICE,
  'send: processed': SERVICE,
  'send: answered': SEND,
  'send: settled': SEND,
  'retry: pause': ASK,
  'poll: answered': POLL,
  'poll: settled': POLL,
  'ask: answered': ASK,
  'ask: settled': ASK,
  'turn: pause': TURN,
  'run: leaving': { ...SEND, after: 0 },
} as const satisfies Record<string, KillPoint>;

export type KillPointName = keyof typeof KILL_POINTS;
export const KILL_POINT_NAMES = Object.keys(KILL_POINTS) as KillPointName[];
