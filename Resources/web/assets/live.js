// Keeps hearing of a room: by a stream, else by held answers, else it tries again and again.
import { fieldsOf, open, Problem, send } from './api.js';
import { EventReader } from './events.js';

/** Milliseconds without a byte after which a stream is dead. The server says something every 15 s. */
const silence = 40_000;
/** Seconds that an answer is held. */
const hold = 25;
/** Held answers before the stream is tried again. */
const rounds = 4;
/** Milliseconds between two tries: at first, and at most. */
const pauses = { first: 400, longest: 10_000 };

export class Live {
  #pin; #told; #work = new AbortController(); #isStopped = false; #wake = () => {}; #heardAt = 0; #failures = 0; #polls = 0;

  /**
   * @param told `sequence()` that is known, `receive(snapshot)`, `connected(isConnected, error)`, and at last
   *   `refused(problem)`, or `ended()` for a room that is over.
   */
  constructor(pin, told) {
    this.#pin = pin;
    this.#told = told;
    for (const name of ['online', 'offline']) addEventListener(name, this.#onNetwork);
    this.#run();
  }

  stop() {
    this.#isStopped = true;
    for (const name of ['online', 'offline']) removeEventListener(name, this.#onNetwork);
    this.#work.abort();
    this.#wake();
  }

  /** Somebody looks: a pause ends, and a stream that was silent, as on a phone asleep, begins anew. */
  poke() {
    this.#failures = 0;
    if (performance.now() - this.#heardAt > silence / 2) this.#work.abort();
    this.#wake();
  }

  #onNetwork = () => {
    this.#failures = 0;
    this.#polls = 0;
    this.#work.abort();
    this.#wake();
  };

  async #run() {
    while (!this.#isStopped) {
      this.#work = new AbortController();
      let failure = null;
      try {
        if (this.#polls > 0) await this.#poll();
        else if (await this.#stream()) return this.#told.ended();
      } catch (error) {
        if (error instanceof Problem && !error.isPassing && !this.#isStopped) return this.#told.refused(error);
        failure = error;
      }
      if (this.#isStopped) return;
      if (this.#failures > 0) {
        this.#told.connected(false, failure);
        // Where held answers are tried next there may be room for these.
        await this.#pause(this.#polls > 0 ? 0 : failure?.retryAfter);
      }
    }
  }

  /** @returns whether the room is over. */
  async #stream() {
    let watchdog;
    const heard = () => {
      this.#heardAt = performance.now();
      clearTimeout(watchdog);
      watchdog = setTimeout(() => this.#work.abort(), silence);
    };
    this.#failures += 1;
    // Unless it opens, the next tries are held answers.
    this.#polls = rounds;
    try {
      heard();
      const known = this.#told.sequence();
      const headers = fieldsOf(known === null ? {} : { 'Last-Event-ID': String(known) });
      const response = await open(`/v1/rooms/${this.#pin}/events`, { headers, signal: this.#work.signal });
      this.#polls = 0;
      this.#told.connected(true);
      const events = new EventReader();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        heard();
        this.#failures = 1;
        for (const event of events.push(part.value)) {
          if (event.event === 'room') this.#told.receive(JSON.parse(event.data));
          if (event.event === 'end') return true;
        }
      }
      return false;
    } finally {
      clearTimeout(watchdog);
    }
  }

  async #poll() {
    this.#polls -= 1;
    const known = this.#told.sequence();
    const query = known === null ? '' : `?after=${known}&wait=${hold}`;
    try {
      this.#told.receive(await send('GET', `/v1/rooms/${this.#pin}${query}`, { signal: this.#work.signal, wait: (hold + 10) * 1000 }));
      this.#failures = 0;
      this.#told.connected(true);
    } catch (error) {
      this.#failures += 1;
      // Whatever is wrong is not the stream's fault.
      this.#polls = 0;
      throw error;
    }
  }

  /**
   * Longer each time and never the same, so that not everybody comes at once.
   *
   * @param least seconds that the server has asked for
   */
  #pause(least) {
    const longest = navigator.onLine ? Math.min(pauses.longest, pauses.first * 2 ** Math.min(this.#failures - 1, 10)) : pauses.longest;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2) + (least ?? 0) * 1000);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
