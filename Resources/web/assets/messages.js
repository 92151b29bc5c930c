// What is said on every screen, to who listens and who looks.
import { Problem, Unreachable } from './api.js';
import { setText, show } from './dom.js';
import { t } from './texts.js';

const news = document.querySelector('#news');
const message = document.querySelector('#message');
const [text, retry, dismiss] = message.children;
let again = null;
let queue = [];
let fade;

export function announce(what) {
  queue.push(what);
  if (queue.length === 1) setTimeout(speak, 50);
}

function speak() {
  news.textContent = queue.join(' ');
  queue = [];
}

export function say(what) {
  put(what, null);
  fade = setTimeout(hideMessage, 4_000);
}

/** Says what went wrong; `work` is offered once more where that can help. */
export function alertOf(error, work = null) {
  const isPassing = !(error instanceof Problem) || error.isPassing;
  if (!(error instanceof Problem) && !(error instanceof Unreachable)) throw error;
  put(error instanceof Problem ? problemText(error) : `${t('failed')}. ${t('failedAbout')}`, isPassing ? work : null);
}

/** Nobody is told of a header field; all else that passes says itself what helps. */
export function problemText({ code, message, errors, retryAfter }) {
  if (retryAfter && code === 'too-many-attempts') {
    return `${message.includes('Retry-After') ? t('tooMany') : message} ${t('wait', retryAfter)}`;
  }
  return errors.length ? errors.map((fault) => fault.detail).join(' ') : message;
}

function put(what, work) {
  clearTimeout(fade);
  again = work;
  setText(text, what);
  setText(retry, t('retry'));
  setText(dismiss, t('dismiss'));
  show(retry, Boolean(work));
  show(message, true);
}

export function hideMessage() {
  clearTimeout(fade);
  show(message, false);
  setText(text, '');
}

retry.addEventListener('click', () => {
  const work = again;
  hideMessage();
  work?.();
});
dismiss.addEventListener('click', hideMessage);
