// One room as this device knows it: what its newest snapshot says.
import { Problem, send, Unreachable } from './api.js';
import { Live } from './live.js';
import { forgetRoom, keepName, keepRoom } from './ownroom.js';
import { deadline, freshness, news, supersedes } from './room.js';
import { language } from './texts.js';

/** Milliseconds before a snapshot is old at which another is asked for, and between two tries. */
const ahead = 3_000;

export class Session extends EventTarget {
  /** The newest snapshot; `null` for none. */
  room = null;
  /** Why there is none, or no more: a `Problem`, or `Unreachable`. */
  failure = null;
  /** What the server said last instead of a newer snapshot. */
  trouble = null;
  isConnected = false;
  result = null;
  /** The caller's answers as the server has them, changes that it has not answered, and the end of the last. */
  #sent = null; #amends = []; #amended = Promise.resolve();
  #resultIn = null; #live = null; #arrive = null; #receivedAt = 0; #timers = []; #isAsking = false; #isReading = false; #isStopped = false; #isOver = false;

  constructor(pin) {
    super();
    this.pin = pin;
    this.path = `/v1/rooms/${pin}`;
    document.addEventListener('visibilitychange', this.#onLook);
    this.#live = new Live(pin, {
      sequence: () => this.room?.sequence ?? null,
      receive: (snapshot) => this.offer(snapshot),
      connected: (isConnected, error) => this.#connected(isConnected, error),
      refused: (problem) => this.#end(problem),
      ended: () => this.#end(new Problem(404, { code: 'room-not-found' }, null)),
    });
  }

  stop() {
    this.#isStopped = true;
    document.removeEventListener('visibilitychange', this.#onLook);
    this.#live?.stop();
    this.#timers.forEach(clearTimeout);
  }

  /** Milliseconds since the snapshot came. */
  get elapsed() { return performance.now() - this.#receivedAt; }

  get isFresh() { return this.room !== null && this.elapsed < freshness(this.room); }

  /** The caller's answers as they are to be. */
  get submission() { return this.#sent && this.#amends.reduce(merged, this.#sent); }

  get deadline() { return deadline(this.room, this.elapsed); }

  /** Takes a snapshot unless there is a newer one. */
  offer(snapshot) {
    if (this.#isOver || !supersedes(snapshot, this.room)) return;
    const before = this.room;
    this.room = snapshot;
    this.failure = null;
    this.trouble = null;
    this.#receivedAt = performance.now();
    if (snapshot.isMember) this.#arrive?.();
    if (!snapshot.isMember) forgetRoom(this.pin);
    else if (!before?.isMember) keepRoom(snapshot);
    if (before?.round !== snapshot.round || !snapshot.hasSubmitted) this.#forgetAnswers();
    if (before?.round !== snapshot.round || snapshot.phase === 'open') this.result = null;
    this.#arm();
    this.#changed(news(before, snapshot));
    this.#complete();
  }

  async refresh() {
    if (this.#isAsking || this.#isOver) return;
    this.#isAsking = true;
    try {
      this.offer(await send('GET', this.path));
    } catch (error) {
      if (error instanceof Problem && error.status === 404) this.#end(error);
      else this.#fail(error);
    } finally {
      this.#isAsking = false;
      this.#arm();
    }
  }

  retry() {
    this.#live?.poke();
    return this.refresh();
  }

  /**
   * Joins, or takes another nickname. To who was removed the room is over.
   *
   * @param arrive what is done as soon as it has worked: the stream may be faster than the answer
   * @returns whether it has
   */
  async join(nickname, arrive = null) {
    this.#arrive = arrive;
    try {
      const room = await send('PUT', `${this.path}/members/me`, { body: { nickname } });
      keepName(room, nickname);
      this.offer(room);
      return true;
    } catch (error) {
      // What one is called now is not known.
      if (error instanceof Unreachable) keepName(this.room);
      if (error.code !== 'removed') throw error;
      this.#end(error);
      return false;
    } finally {
      this.#arrive = null;
    }
  }

  async leave() {
    await send('DELETE', `${this.path}/members/me`);
    forgetRoom(this.pin);
  }

  async submit(sheet) { this.#submitted(await send('PUT', `${this.path}/submission`, { body: sheet })); }

  async restart() {
    await send('DELETE', `${this.path}/submission`);
    await this.refresh();
  }

  /**
   * Changes `{answers}` or `{vetoes}` of what was sent, which shows at once.
   * One goes out after another, for each names the revision that the one before has made.
   */
  amend(patch) {
    const former = this.#amended;
    this.#amends.push(patch);
    this.#changed();
    const work = async () => {
      await former.catch(() => {});
      // There is nothing to change any more.
      if (!this.#amends.includes(patch)) return;
      try {
        const options = { body: patch, headers: { 'If-Match': `"${this.#sent.revision}"` } };
        const answer = await send('PATCH', `${this.path}/submission`, options);
        this.#settle(patch, answer.submission);
        this.offer(answer.room);
        this.#changed();
      } catch (error) {
        this.#settle(patch, error.submission);
        this.#changed();
        throw error;
      }
    };
    this.#amended = work();
    return this.#amended;
  }

  /** Takes out a change that was answered, with what there is now. */
  #settle(patch, sent) {
    if (!this.#amends.includes(patch)) return;
    this.#amends = this.#amends.filter((other) => other !== patch);
    if (sent) this.#sent = sent;
  }

  #forgetAnswers() {
    this.#sent = null;
    this.#amends = [];
  }

  /** Nobody is shown a result that there is not. */
  async reveal() {
    const spoken = language();
    const result = await send('POST', `${this.path}/reveal`);
    if (result.round === this.room.round) this.#show(result, spoken);
    await this.refresh();
  }

  async decide(menuId) { this.offer(await send('POST', `${this.path}/decision`, { body: { menuId } })); }

  /** @param deadlineAt `null` for none, `undefined` for the room's */
  async beginRound(deadlineAt) { this.offer(await send('POST', `${this.path}/rounds`, { body: { deadlineAt } })); }

  async handOver(memberId) { this.offer(await send('PUT', `${this.path}/host`, { body: { memberId } })); }

  async remove(memberId) {
    await send('DELETE', `${this.path}/members/${memberId}`);
    await this.refresh();
  }

  async close() {
    await send('DELETE', this.path);
    forgetRoom(this.pin);
  }

  /** Reads what belongs to the snapshot: the caller's answers, and the result in this language. */
  async #complete() {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { room } = this;
      if (room.isMember && room.hasSubmitted && !this.#sent && room.phase === 'open') {
        const submission = await send('GET', `${this.path}/submission`);
        if (this.room.hasSubmitted && this.room.round === room.round && !this.#sent) this.#sent = submission;
        this.#changed();
      }
      if (room.phase !== 'open' && (!this.result || this.#resultIn !== language())) {
        const spoken = language();
        const result = await send('GET', `${this.path}/result?round=${room.round}`);
        if (this.room.round === room.round) this.#show(result, spoken);
      }
    } catch { /* The next snapshot brings another try. */ } finally {
      this.#isReading = false;
    }
  }

  translate() {
    if (this.room && !this.#isOver) this.#complete();
  }

  #show(result, spoken) {
    this.result = result;
    this.#resultIn = spoken;
    this.#changed();
  }

  #submitted({ submission, room }) {
    this.offer(room);
    if (this.room.hasSubmitted && this.room.round === room.round) this.#sent = submission;
    this.#changed();
  }

  #connected(isConnected, error = null) {
    this.isConnected = isConnected;
    // A stream that goes on says nothing until there is news.
    if (isConnected && this.room && this.elapsed > ahead) this.refresh();
    if (isConnected) this.#changed();
    else this.#fail(error);
  }

  #fail(error) {
    this.trouble = error instanceof Problem ? error : null;
    if (!this.room) this.failure = this.trouble ?? new Unreachable();
    this.#changed();
  }

  #end(problem) {
    this.stop();
    forgetRoom(this.pin);
    this.#isOver = true;
    this.failure = problem;
    this.#changed();
  }

  /** Before the snapshot is old another is asked for, and when its deadline is over; that it is old is told. */
  #arm() {
    this.#timers.forEach(clearTimeout);
    if (!this.room || this.failure || this.#isStopped) return;
    const left = freshness(this.room) - this.elapsed;
    const look = () => (document.hidden ? null : this.refresh());
    this.#timers = [setTimeout(look, Math.max(ahead, left - ahead, (this.trouble?.retryAfter ?? 0) * 1000))];
    if (left > 0) this.#timers.push(setTimeout(() => this.#changed(), left + 1));
    const due = this.deadline;
    if (typeof due === 'number') this.#timers.push(setTimeout(look, due + 50));
  }

  #onLook = () => {
    if (document.hidden) return;
    this.retry();
    this.#changed();
  };

  #changed(told = []) { this.dispatchEvent(new CustomEvent('change', { detail: told })); }
}

const merged = (submission, { answers, vetoes = submission.vetoes }) => ({ ...submission, answers: { ...submission.answers, ...answers }, vetoes });
