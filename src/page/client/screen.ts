import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { HomeView, ProfileView, TaskName, TaskView, UploadView } from '../api.js';

/** Props of every screen of an upload. */
export interface ScreenProps {
  readonly upload: UploadView;
  readonly home: HomeView | undefined;
  reload(): Promise<void>;
}

/** Finds the latest task of a name. */
export const taskOf = ({ tasks }: UploadView, name: TaskName): TaskView | undefined =>
  tasks.find((task) => task.name === name);

/** True if the task's files, cells, answers, params and company are unchanged since it started. */
export const isCurrent = ({ revision }: UploadView, task: TaskView | undefined): boolean =>
  task?.revision === revision;

const SENDING: readonly TaskName[] = ['send', 'adjust'];
/** Tasks that read or ask about the files and register nothing. */
const ASKING: readonly TaskName[] = ['events', 'reception'];

/** Finds the latest task that sends the files. */
export const sendingOf = ({ tasks }: Pick<UploadView, 'tasks'>): TaskView | undefined =>
  tasks.findLast(({ name }) => SENDING.includes(name));

/** True if a sending ended before every document had its outcome. */
export const isLeftOpen = ({ outcome }: TaskView): boolean =>
  outcome !== null && outcome !== 'fine' && outcome !== 'data-errors';

/** Finds the latest task that sends the files or asks the service about them. */
export const askedOf = ({ tasks }: UploadView): TaskView | undefined =>
  tasks.findLast(({ name }) => SENDING.includes(name) || ASKING.includes(name));

/** Finds a company by the name of its profile. */
export const companyOf = (home: HomeView | undefined, profile: string): ProfileView | undefined =>
  home?.profiles.find(({ name }) => name === profile);

/** True if the person may do an act; on one computer everything is allowed. */
export const mayDo = (
  company: ProfileView | undefined,
  act: NonNullable<ProfileView['acts']>[number],
): boolean => company?.acts?.includes(act) ?? true;

/** Company of the screen, whose acts decide what is offered. */
export const Company = createContext<ProfileView | undefined>(undefined);

export const useMay = (act: Parameters<typeof mayDo>[1]): boolean => mayDo(useContext(Company), act);

/** True if the person may change the upload of the screen. */
export const useMayPrepare = (): boolean => useMay('prepare');

/** True if the person may only look at the documents of the company. */
export const useLooksOnly = (): boolean => useContext(Company)?.acts?.every((act) => act === 'see') === true;
