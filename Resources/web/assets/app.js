// Where somebody is, which screen that is, and what all screens have in common.
import { Problem, send, Unreachable } from './api.js';
import { forgetOthers, recall, remember } from './device.js';
import { focusOn, setText, show } from './dom.js';
import { game } from './game.js';
import { homeScreen } from './home.js';
import { joinScreen } from './join.js';
import { lobbyScreen } from './lobby.js';
import { playScreen } from './play.js';
import { problemScreen } from './problem.js';
import { alertOf, announce, say, hideMessage } from './messages.js';
import { resultScreen } from './result.js';
import { pinOf, screenOf } from './room.js';
import { Session } from './session.js';
import { language, nameOf, speak, t } from './texts.js';

const main = document.querySelector('main');
const stale = document.querySelector('#stale');
const switcher = document.querySelector('#language');
let session = null;
let screen = null;
let shown = null;

const context = {
  get session() { return session; },
  go,
  announce,
  say,
  alert: (error) => alertOf(error),
  /** Goes to a room of which a snapshot is there already. */
  enter(room) {
    history.pushState(null, '', `/r/${room.pin}`);
    begin(room.pin);
    session.offer(room);
  },
  /** Does what a button is for. Until it is done the button cannot be pressed again; what goes wrong is said, and can be tried again. */
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
    render();
    for (const [kind, what] of event.detail) tell(kind, what);
  });
}

/** Says what has happened in the room to who does not see it. */
function tell(kind, what) {
  const texts = {
    came: () => t('newsCame', nameOf(what)), went: () => t('newsWent', nameOf(what)), host: () => t('newsHost'), round: () => t('newsRound'),
    revealed: () => t('newsRevealed'), decided: () => t('newsDecided'), answered: () => t('answered', what.submissionCount, what.memberCount),
  };
  // Who is not in the room any more sees another screen, and has to know why.
  if (kind === 'out') say(t('newsOut'));
  else announce(texts[kind]());
}

/** Draws the screen for where somebody is; one that is there already only what has changed. */
async function render() {
  document.documentElement.lang = language();
  setText(switcher, t('other'));
  switcher.lang = t('otherCode');
  const path = /^\/r\/([^/]+)$/.exec(location.pathname);
  const step = location.hash.slice(1);
  begin(path ? pinOf(path[1]) : null);
  setText(stale.querySelector('span'), t('stale'));
  setText(stale.querySelector('button'), t('retry'));
  show(stale, Boolean(session?.room && !session.failure && !session.isFresh));
  const [name, make] = session ? roomScreen(step) : soloScreen(step);
  const key = `${name} ${language()}`;
  if (key === shown) return screen?.update?.();
  shown = key;
  let made;
  try {
    made = await make();
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof Unreachable)) throw error;
    made = problemScreen(context, error, again);
  }
  // Somebody has gone on meanwhile.
  if (shown !== key) return undefined;
  return mount(made);
}

function mount(made) {
  const isFirst = screen === null;
  screen?.leave?.();
  screen = made;
  main.replaceChildren(made.node);
  document.title = made.title;
  made.update?.();
  scrollTo(0, 0);
  if (!isFirst && made.heading !== null) focusOn(made.heading ?? main.querySelector('h1'));
}

async function again() {
  shown = null;
  await session?.retry();
  await render();
}

/** The name of the screen of a room, and how it is made. */
function roomScreen(step) {
  const { room, failure } = session;
  if (failure) return [`problem ${failure.code}`, () => problemScreen(context, failure, again)];
  if (!room) return ['loading', () => ({ node: loading(), title: t('title'), heading: null })];
  const draft = `draft:${room.id}:${room.round}`;
  const name = screenOf(room, step);
  const screens = {
    join: () => joinScreen(context),
    lobby: async () => lobbyScreen(context, { game: await game(), draft }),
    play: async () => {
      forgetOthers('draft:r_', draft);
      return playScreen(context, {
        game: await game(), draft, label: t('send'), leave: () => go(`/r/${session.pin}`),
        send: async (sheet) => {
          await session.submit(sheet);
          go(`/r/${session.pin}`, true);
        },
      });
    },
    result: async () => {
      forgetOthers('seen:r_', `seen:${room.id}:${room.round}`);
      return roomResult(room, await game());
    },
  };
  return [`${name} ${room.id} ${room.round}`, screens[name]];
}

function roomResult(room, { vetoes }) {
  const round = document.createElement('button');
  Object.assign(round, { className: 'button', type: 'button', textContent: t('newRound') });
  round.addEventListener('click', () => context.act(round, async () => {
    await session.beginRound();
    go(`/r/${session.pin}`, true);
  }));
  const made = resultScreen(context, {
    view: () => ({ result: session.result, decision: session.room.decision?.menuId ?? null, vetoes, isHost: session.room.isHost }),
    place: `seen:${room.id}:${room.round}`, url: `${location.origin}/r/${room.pin}`, decide: (menuId) => session.decide(menuId), last: [round],
  });
  return {
    ...made,
    update() {
      show(round, session.room.isHost);
      made.update();
    },
  };
}

/** As `roomScreen`, outside of rooms. */
function soloScreen(step) {
  if (step === 'solo') {
    return ['solo', async () => playScreen(context, {
      game: await game(), draft: 'draft:solo', label: t('seeSolo'), leave: () => go('/'),
      send: async (sheet) => {
        remember('solo', { sheet, result: await send('POST', '/v1/solo', { body: sheet }), language: language() });
        remember('seen:solo', 0);
        go('/#solo-result', true);
      },
    })];
  }
  if (step === 'solo-result' && recall('solo')) return ['solo-result', soloResult];
  return ['home', () => homeScreen(context)];
}

async function soloResult() {
  const kept = recall('solo');
  const { vetoes } = await game();
  const link = document.createElement('a');
  Object.assign(link, { className: 'button', href: '/#solo', textContent: t('soloAgain') });
  return resultScreen(context, {
    view: () => ({ result: kept.result, decision: null, vetoes, isHost: true }), place: 'seen:solo', url: location.origin, decide: null, last: [link],
  });
}

function loading() {
  const node = document.createElement('p');
  node.className = 'lead loading';
  node.textContent = t('loading');
  return node;
}

switcher.addEventListener('click', () => {
  speak(t('otherCode'));
  hideMessage();
  session?.translate();
  render();
});
stale.querySelector('button').addEventListener('click', () => session?.retry());
addEventListener('popstate', render);
// Our own links change the screen and not the page.
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
render();
