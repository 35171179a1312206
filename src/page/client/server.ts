import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { PageEvent, PageIssue, Refusal, TaskUpdate, TaskView } from '../api.js';
import { language } from './words.js';

/** Issues of a request that the server refused. */
export class Refused extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

/** Error if the server does not respond. */
export class Unanswered extends Error {
  constructor(
    /** Path of what was to be changed, and was not; undefined if nothing was. */
    readonly unchanged: string | undefined,
    cause: unknown,
  ) {
    super(String(cause));
  }
}

/** Returns the issues of a refused request; rethrows other errors, which the page reports. */
export function refusalOf(error: unknown): readonly PageIssue[] {
  if (error instanceof Refused) return error.issues;
  throw error;
}

/** Returns the events of a name; `T` is their type. */
export const eventsNamed = <T = PageEvent>(events: readonly PageEvent[], name: string): readonly T[] =>
  events.filter(({ event }) => event === name) as unknown as readonly T[];

/** Finds the latest event of a name. */
export const lastEvent = <T = PageEvent>(events: readonly PageEvent[], name: string): T | undefined =>
  events.findLast(({ event }) => event === name) as T | undefined;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Name of the window's event of a change that was made; its detail is the path. */
export const CHANGED = 'changed';

/** Sends a request to the server. @throws Refused with its issues; Unanswered if it does not respond */
export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const isFile = body instanceof Blob;
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      'x-language': language,
      ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Unanswered(method === 'GET' ? undefined : path, cause);
  });
  if (response.ok) {
    const value = (await response.json()) as T;
    if (method !== 'GET') dispatchEvent(new CustomEvent(CHANGED, { detail: path }));
    return value;
  }
  const refusal = (await response.json().catch(() => ({ issues: [] }))) as Refusal;
  throw new Refused(refusal.issues ?? []);
}

/** Time between two looks at whether the server responds, in ms. */
const PING_MS = 3_000;

interface Connection {
  /** Reasons if the server refuses this browser, or none if it does not respond; undefined if it responds. */
  readonly lost?: readonly PageIssue[] | undefined;
  /** Number of times that a lost connection came back. */
  readonly returns: number;
}

/** Number of times that a lost connection came back; each time everything is loaded again. */
export const Returns = createContext(0);

/** Watches the connection to the server while the page is seen. */
export function useConnection(): Connection {
  const [state, setState] = useState<Connection>({ returns: 0 });
  useEffect(() => {
    const ping = (): void => {
      if (document.visibilityState === 'visible')
        void call('GET', '/alive').then(
          () => setState((before) => (before.lost === undefined ? before : { returns: before.returns + 1 })),
          (error) =>
            setState(({ returns }) => ({ lost: error instanceof Refused ? error.issues : [], returns })),
        );
    };
    const timer = setInterval(ping, PING_MS);
    addEventListener('unhandledrejection', ping);
    document.addEventListener('visibilitychange', ping);
    return () => {
      clearInterval(timer);
      removeEventListener('unhandledrejection', ping);
      document.removeEventListener('visibilitychange', ping);
    };
  }, []);
  return state;
}

interface Attempts {
  /** Issues of the latest attempt, if the server refused it. */
  readonly refused: readonly PageIssue[];
  attempt(work: () => Promise<unknown>): Promise<void>;
}

/** Runs work that the server may refuse, and holds its issues. */
export function useAttempts(): Attempts {
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setRefused([]);
    await work().catch((error) => setRefused(refusalOf(error)));
  };
  return { refused, attempt };
}

interface Loaded<T> {
  readonly value: T | undefined;
  readonly refused: readonly PageIssue[];
  /** Fetches again. */
  reload(): Promise<void>;
}

/** Fetches a path when it changes; the value is undefined until its response arrives. */
export function useLoaded<T>(path: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ path?: string; value?: T; refused: readonly PageIssue[] }>({
    refused: [],
  });
  // A reload may come from a screen that was left, and responses may overtake each other.
  const current = useRef(path);
  current.current = path;
  const asked = useRef(0);
  const load = async (): Promise<void> => {
    const target = current.current;
    if (target === undefined) return;
    asked.current += 1;
    const number = asked.current;
    const answer = await call<T>('GET', target).then(
      (value) => ({ path: target, value, refused: [] }),
      (error) => ({ path: target, refused: refusalOf(error) }),
    );
    if (number === asked.current) setState(answer);
  };
  const returns = useContext(Returns);
  useEffect(() => void load(), [path, returns]);
  return { value: state.path === path ? state.value : undefined, refused: state.refused, reload: load };
}

interface TaskState {
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
}

const NOTHING: TaskState = { task: undefined, events: [] };

/**
 * Follows a task: its state and all of its events, also if it started long before. `gone` is called if the
 * server has forgotten the task, because another one replaced it or the program started again.
 */
export function useTask(id: string | undefined, gone?: () => Promise<void>): TaskState {
  const [state, setState] = useState<TaskState & { readonly id?: string | undefined }>(NOTHING);
  const returns = useContext(Returns);
  useEffect(() => {
    if (id === undefined) return;
    setState({ ...NOTHING, id });
    const source = new EventSource(`/api/task/${id}/events`);
    source.onmessage = ({ data }) => {
      const turn = JSON.parse(data as string) as TaskUpdate;
      setState((before) => ({
        id,
        task: turn.task,
        events: turn.events.length === 0 ? before.events : [...before.events, ...turn.events],
      }));
      if (turn.task.state === 'ended') source.close();
    };
    source.addEventListener('gone', () => {
      source.close();
      setState({ ...NOTHING, id });
      void gone?.();
    });
    source.onerror = () => {
      // The browser stops if the server refuses; one more request gets the reason.
      if (source.readyState === EventSource.CLOSED) void call('GET', `/task/${id}`);
    };
    return () => source.close();
  }, [id, returns]);
  return state.id === id ? state : NOTHING;
}
