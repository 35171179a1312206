import type { ActName, ActView, UploadView } from '../api.js';

/** What each screen of an upload gets. */
export interface ScreenProps {
  readonly upload: UploadView;
  reload(): Promise<void>;
}

/** The latest act of a name. */
export const actOf = ({ acts }: UploadView, name: ActName): ActView | undefined =>
  acts.find((act) => act.name === name);

/** True if the act was made from the files, cells, answers, params and company as they are now. */
export const isCurrent = ({ revision }: UploadView, act: ActView | undefined): boolean =>
  act?.revision === revision;

const SENDING: readonly ActName[] = ['send', 'adjust'];
/** Asks about the files, or has them read; registers nothing. */
const ASKING: readonly ActName[] = ['events', 'reception'];

/** The latest act that sends the files. */
export const sendingOf = ({ acts }: UploadView): ActView | undefined =>
  acts.findLast(({ name }) => SENDING.includes(name));

/** The latest act that has the service say something of the files. */
export const askedOf = ({ acts }: UploadView): ActView | undefined =>
  acts.findLast(({ name }) => SENDING.includes(name) || ASKING.includes(name));
