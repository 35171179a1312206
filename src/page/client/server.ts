import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageEvent, PageIssue, Refusal, TaskUpdate, TaskView } from '../api.js';
import { language } from './words.js';

/** Issues of a request that the server refused. */
export class Refused extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

/** Error if the server does not respond. */
export class Unanswered extends Error {}

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
    throw new Unanswered(String(cause));
  });
  if (response.ok) return (await response.json()) as T;
  const refusal = (await response.json().catch(() => ({ issues: [] }))) as Refusal;
  throw new Refused(refusal.issues ?? []);
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
  useEffect(() => void load(), [path]);
  return { value: state.path === path ? state.value : undefined, refused: state.refused, reload: load };
}

interface TaskState {
  readonly task: TaskView | undefined;
  readonly events: readonly PageEvent[];
  /** True if the server does not respond. */
  readonly lost: boolean;
}

const NOTHING: TaskState = { task: undefined, events: [], lost: false };

/**
 * Follows a task: its state and all of its events, also if it started long before. `gone` is called if the
 * server has forgotten the task, because another one replaced it or the program started again.
 */
export function useTask(id: string | undefined, gone?: () => Promise<void>): TaskState {
  const [state, setState] = useState<TaskState & { readonly id?: string | undefined }>(NOTHING);
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
        lost: false,
      }));
      if (turn.task.state === 'ended') source.close();
    };
    source.addEventListener('gone', () => {
      source.close();
      setState({ ...NOTHING, id });
      void gone?.();
    });
    source.onerror = () => {
      setState((before) => ({ ...before, lost: true }));
      // The browser stops if the server refuses; one more request gets the reason.
      if (source.readyState === EventSource.CLOSED) void call('GET', `/task/${id}`);
    };
    return () => source.close();
  }, [id]);
  return state.id === id ? state : NOTHING;
}
