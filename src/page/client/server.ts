import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActTurn, ActView, PageEvent, PageIssue, Refusal } from '../api.js';
import { language } from './words.js';

/** What the server refused, in its words. */
export class Refused extends Error {
  constructor(readonly issues: readonly PageIssue[]) {
    super(issues.map(({ message }) => message).join(' '));
  }
}

/** Thrown where the program does not answer. */
export class Unanswered extends Error {}

/** What the server refused; anything else is thrown on, for the page to say. */
export function refusalOf(error: unknown): readonly PageIssue[] {
  if (error instanceof Refused) return error.issues;
  throw error;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** @throws Refused with the words of the server; Unanswered when it is not there */
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
  /** Asks again. */
  reload(): Promise<void>;
}

/** What the server says at a path, asked when the path changes. */
export function useLoaded<T>(path: string | undefined): Loaded<T> {
  const [state, setState] = useState<{ path?: string; value?: T; refused: readonly PageIssue[] }>({
    refused: [],
  });
  // A reload may be asked for by a screen that was left meanwhile, and answers may overtake each other.
  const current = useRef(path);
  current.current = path;
  const asked = useRef(0);
  const load = async (): Promise<void> => {
    const of = current.current;
    if (of === undefined) return;
    asked.current += 1;
    const number = asked.current;
    const answer = await call<T>('GET', of).then(
      (value) => ({ path: of, value, refused: [] }),
      (error) => ({ path: of, refused: refusalOf(error) }),
    );
    if (number === asked.current) setState(answer);
  };
  useEffect(() => void load(), [path]);
  return { value: state.path === path ? state.value : undefined, refused: state.refused, reload: load };
}

interface Followed {
  readonly act: ActView | undefined;
  readonly events: readonly PageEvent[];
  /** The program does not answer. */
  readonly lost: boolean;
}

const NOTHING: Followed = { act: undefined, events: [], lost: false };

/** A use case at work: all that it tells, from its beginning, however late the page comes. */
export function useAct(id: string | undefined): Followed {
  const [state, setState] = useState<Followed & { readonly id?: string | undefined }>(NOTHING);
  useEffect(() => {
    if (id === undefined) return;
    setState({ ...NOTHING, id });
    const source = new EventSource(`/api/act/${id}/events`);
    source.onmessage = ({ data }) => {
      const turn = JSON.parse(data as string) as ActTurn;
      setState((before) => ({
        id,
        act: turn.act,
        events: turn.events.length === 0 ? before.events : [...before.events, ...turn.events],
        lost: false,
      }));
      if (turn.act.state === 'ended') source.close();
    };
    source.onerror = () => {
      setState((before) => ({ ...before, lost: true }));
      // The browser gives up where the server refuses: asked once more, it says why.
      if (source.readyState === EventSource.CLOSED) void call('GET', `/act/${id}`);
    };
    return () => source.close();
  }, [id]);
  return state.id === id ? state : NOTHING;
}
