import type { ActName, ActView, UploadView } from '../api.js';

/** What each screen of an upload gets. */
export interface ScreenProps {
  readonly upload: UploadView;
  reload(): Promise<void>;
}

/** The latest act of a name. */
export const actOf = ({ acts }: UploadView, name: ActName): ActView | undefined =>
  acts.find((act) => act.name === name);
