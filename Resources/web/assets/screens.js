// Which screen is shown where, and what each is given.
import { send } from './api.js';
import { actButton } from './controls.js';
import { forgetOthers, recall, remember } from './device.js';
import { h, show } from './dom.js';
import { game } from './game.js';
import { homeScreen } from './home.js';
import { joinScreen } from './join.js';
import { lobbyScreen } from './lobby.js';
import { playScreen } from './play.js';
import { problemScreen } from './problem.js';
import { resultScreen } from './result.js';
import { screenOf } from './room.js';
import { language, t } from './texts.js';

/** The name of the screen for `step` of the room that somebody is in, or of playing alone, and how it is made. */
export const screenFor = (context, step) => (context.session ? roomScreen(context, step) : soloScreen(context, step));

function roomScreen(context, step) {
  const { session, go } = context;
  const { room, failure } = session;
  if (failure) return [`problem ${failure.code}`, () => problemScreen(context, failure, context.again)];
  if (!room) return ['loading', () => ({ node: h('p', { class: 'lead loading', text: t('loading') }), title: t('title'), heading: null })];
  const draft = `draft:${room.id}:${room.round}`;
  const name = screenOf(room, step);
  const screens = {
    join: () => joinScreen(context),
    lobby: async () => lobbyScreen(context, { game: await game(room), draft }),
    play: async () => {
      forgetOthers('draft:r_', draft);
      return playScreen(context, {
        game: await game(room), draft, label: t('send'), leave: () => go(`/r/${session.pin}`),
        send: async (sheet) => {
          await session.submit(sheet);
          go(`/r/${session.pin}`, true);
        },
      });
    },
    result: async () => {
      forgetOthers('seen:r_', `seen:${room.id}:${room.round}`);
      return roomResult(context, room, await game(room));
    },
  };
  return [`${name} ${room.id} ${room.round}`, screens[name]];
}

function roomResult(context, room, { vetoes }) {
  const { session } = context;
  const round = actButton(context, t('newRound'), async () => {
    await session.beginRound();
    context.go(`/r/${session.pin}`, true);
  });
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

function soloScreen(context, step) {
  const { go } = context;
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
  if (step === 'solo-result' && recall('solo')) return ['solo-result', () => soloResult(context)];
  return ['home', () => homeScreen(context)];
}

async function soloResult(context) {
  const kept = recall('solo');
  const { vetoes } = await game();
  const link = h('a', { class: 'button', href: '/#solo', text: t('soloAgain') });
  return resultScreen(context, {
    view: () => ({ result: kept.result, decision: null, vetoes, isHost: true }), place: 'seen:solo', url: location.origin, decide: null, last: [link],
  });
}
