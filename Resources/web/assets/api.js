// The HTTP contract: one request, and what can come of it.
import { randomName, token } from './device.js';
import { language } from './texts.js';

/** A refusal (RFC 9457). */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? '');
    this.status = status;
    this.code = body.code;
    this.errors = body.errors ?? [];
    /** The caller's submission as it is, where another was to be changed. */
    this.submission = body.submission ?? null;
    /** Seconds; `null` where it does not say. */
    this.retryAfter = retryAfter;
  }

  /** Whether it may be answered otherwise in a while. */
  get isPassing() { return this.status >= 500 || this.status === 429; }
}

/** Nothing came back, or nothing of ours: whether it was done is not known. */
export class Unreachable extends Error {}

/** Milliseconds for which an answer is waited for. */
const patience = 10_000;
/** Milliseconds before a request goes out once more. */
const repeats = [400, 1200];

let skew = 0;

/** The server's time, to a second: this device's may be wrong. */
export const serverNow = () => Date.now() + skew;

// A POST without an answer goes out again under the same key, also when pressed anew: it is done once.
const keys = new Map();

/**
 * Sends a request and returns its JSON; `null` for none.
 *
 * @param isStored whether the server is to keep something: only then has a POST a key
 * @throws Problem or Unreachable
 */
export async function send(method, path, { body, headers, signal, cache, wait = patience, isStored = true } = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const intent = `${path} ${text}`;
  const isKeyed = method === 'POST' && isStored;
  if (isKeyed && !keys.has(intent)) keys.set(intent, randomName());
  const fields = fieldsOf(headers);
  if (text !== undefined) fields['Content-Type'] = 'application/json';
  if (isKeyed) fields['Idempotency-Key'] = keys.get(intent);
  // Nothing but PATCH does more when it is done twice.
  const delays = method === 'PATCH' ? [] : repeats;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await open(path, { method, body: text, headers: fields, cache, signal: within(wait, signal) });
      const answer = response.status === 204 ? null : await response.json();
      keys.delete(intent);
      return answer;
    } catch (error) {
      if (error instanceof Problem) {
        if (error.status < 500) keys.delete(intent);
        throw error;
      }
      if (signal?.aborted || !navigator.onLine || attempt >= delays.length) throw new Unreachable();
      await new Promise((resolve) => { setTimeout(resolve, delays[attempt] * (0.5 + Math.random())); });
    }
  }
}

/** A response to be read, a stream for one. Fails with `Problem`, or as `fetch` does. */
export async function open(path, { cache = 'no-store', ...options }) {
  // A snapshot out of the browser's cache would not say when it was looked at.
  const response = await fetch(path, { cache, credentials: 'omit', ...options });
  const date = Date.parse(response.headers.get('Date'));
  if (date) skew = date - Date.now();
  if (response.ok) return response;
  const body = await response.json();
  if (typeof body.code !== 'string') throw new Unreachable();
  throw new Problem(response.status, body, Number(response.headers.get('Retry-After')) || null);
}

export function fieldsOf(more) {
  return { Authorization: `Bearer ${token()}`, 'Accept-Language': language(), ...more };
}

/** Ends when time is up, or with `signal`; `AbortSignal.any` is too new. */
function within(milliseconds, signal) {
  const work = new AbortController();
  const end = () => work.abort();
  setTimeout(end, milliseconds);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { signal: work.signal });
  return work.signal;
}
