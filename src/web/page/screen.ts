import type { ActName, ActView, UploadView } from '../api.js';

/** What each screen of an upload gets. */
export interface ScreenProps {
  readonly upload: UploadView;
  reload(): Promise<void>;
}

/** The latest act of a name. */
export const actOf = ({ acts }: UploadView, name: ActName): ActView | undefined =>
  acts.find((act) => act.name === name);

const SENDING: ReadonlySet<string> = new Set<ActName>(['send', 'adjust', 'events', 'reception']);

/** The latest act that sends the files. */
export const sendingOf = ({ acts }: UploadView): ActView | undefined =>
  acts.findLast(({ name }) => SENDING.has(name));
