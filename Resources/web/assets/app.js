// Where somebody is, which screen that is, and what all screens have in common.
import { Problem, Unreachable } from './api.js';
import { focusOn, setText, show } from './dom.js';
import { alertOf, announce, hideMessage, problemText, say } from './messages.js';
import { problemScreen } from './problem.js';
import { pinOf } from './room.js';
import { screenFor } from './screens.js';
import { Session } from './session.js';
import { language, nameOf, speak, t } from './texts.js';

const main = document.querySelector('main');
const stale = document.querySelector('#stale');
const switcher = document.querySelector('#language');
let session = null;
let screen = null;
let shown = null;
let spoken = language();

const context = {
  get session() { return session; },
  go,
  again,
  announce,
  say,
  alert: alertOf,
  enter(room) {
    history.pushState(null, '', `/r/${room.pin}`);
    begin(room.pin);
    session.offer(room);
  },
  /** Does what a button is for, once at a time; what goes wrong is said, and can be tried again. */
  async act(button, work) {
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    button.setAttribute('aria-busy', 'true');
    hideMessage();
    try {
      await work(button);
    } catch (error) {
      alertOf(error, () => context.act(button, work));
    } finally {
      button.removeAttribute('aria-disabled');
      button.removeAttribute('aria-busy');
      screen?.update?.();
    }
  },
};

/** Goes to an address of ours; `isInstead` where "back" is not to lead here again. */
function go(address, isInstead = false) {
  if (isInstead) history.replaceState(null, '', address);
  else if (address !== location.pathname + location.hash) history.pushState(null, '', address);
  render();
}

function begin(pin) {
  if (session?.pin === pin) return;
  session?.stop();
  session = null;
  if (pin === null) return;
  session = new Session(pin);
  session.addEventListener('change', (event) => {
    if (event.target !== session) return;
    render();
    for (const [kind, what] of event.detail) tell(kind, what);
  });
}

function tell(kind, what) {
  const texts = {
    came: () => t('newsCame', nameOf(what)), went: () => t('newsWent', nameOf(what)), host: () => t('newsHost'), round: () => t('newsRound'),
    revealed: () => t('newsRevealed'), decided: () => t('newsDecided'), answered: () => t('answered', what.submissionCount, what.memberCount),
  };
  // Another screen comes, and who sees it has to know why.
  if (kind === 'out') say(t('newsOut'));
  else announce(texts[kind]());
}

/** Draws the screen, or what has changed on it. */
async function render() {
  document.documentElement.lang = language();
  setText(switcher, t('other'));
  switcher.lang = t('otherCode');
  const path = /^\/r\/([^/]+)\/?$/.exec(location.pathname);
  const step = location.hash.slice(1);
  begin(path ? pinOf(path[1]) : null);
  setText(stale.querySelector('span'), session?.trouble ? `${t('stale')} ${problemText(session.trouble)}` : t('stale'));
  setText(stale.querySelector('button'), t('retry'));
  show(stale, Boolean(session?.room && !session.failure && !session.isFresh));
  const [name, make] = screenFor(context, step);
  const key = `${name} ${language()}`;
  if (key === shown) return screen?.update?.();
  shown = key;
  screen?.leave?.();
  screen = null;
  let made;
  try {
    made = await make();
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof Unreachable)) throw error;
    made = problemScreen(context, error, again);
  }
  if (shown !== key) return undefined;
  return mount(made);
}

function mount(made) {
  const isFirst = main.querySelector('h1') === null;
  // In another language it is the same screen, with what was filled in.
  const isTranslated = spoken !== language();
  const filled = isTranslated ? [...main.querySelectorAll('input[id], select[id]')].map(({ id, value }) => [id, value]) : [];
  spoken = language();
  screen = made;
  // It asked about the screen before.
  for (const question of document.querySelectorAll('dialog[open]')) question.close();
  main.replaceChildren(made.node);
  for (const [id, value] of filled) Object.assign(document.getElementById(id) ?? {}, { value });
  document.title = made.title;
  made.update?.();
  if (isTranslated) return;
  scrollTo(0, 0);
  if (!isFirst && made.heading !== null) focusOn(made.heading ?? main.querySelector('h1'));
}

async function again() {
  shown = null;
  await session?.retry();
  await render();
}

switcher.addEventListener('click', () => {
  speak(t('otherCode'));
  hideMessage();
  session?.translate();
  render();
});
stale.querySelector('button').addEventListener('click', () => session?.retry());
addEventListener('popstate', render);
// Our links change the screen, not the page.
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
render();
