// Which screen is shown where, and what each is given.
import { actButton, deadlineField } from './controls.js';
import { forgetOthers } from './device.js';
import { h, show } from './dom.js';
import { game } from './game.js';
import { homeScreen } from './home.js';
import { joinScreen } from './join.js';
import { lobbyScreen } from './lobby.js';
import { management } from './people.js';
import { playScreen } from './play.js';
import { problemScreen } from './problem.js';
import { resultScreen } from './result.js';
import { screenOf } from './room.js';
import { hasPlayedAlone, soloCards, soloResult } from './solo.js';
import { t } from './texts.js';

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
  // Whether the clock reveals is said once for all rounds; when it does, for each.
  const deadline = deadlineField();
  const round = actButton(context, t('newRound'), () => deadline.use(async (deadlineAt) => {
    await session.beginRound(session.room.revealWhen.deadline ? deadlineAt : undefined);
    context.go(`/r/${session.pin}`, true);
  }));
  const made = resultScreen(context, {
    view: () => ({ result: session.result, decision: session.room.decision?.menuId ?? null, vetoes, isHost: session.room.isHost }),
    place: `seen:${room.id}:${room.round}`, url: `${location.origin}/r/${room.pin}`, decide: (menuId) => session.decide(menuId),
    last: [round, deadline.node],
  });
  const manage = management(context);
  made.node.append(manage.node);
  return {
    ...made,
    update() {
      show(round, session.room.isHost);
      show(deadline.node, session.room.isHost && session.room.revealWhen.deadline);
      show(manage.node, session.room.isMember);
      manage.update(session.room);
      made.update();
    },
  };
}

function soloScreen(context, step) {
  if (step === 'solo') return ['solo', () => soloCards(context)];
  if (step === 'solo-result' && hasPlayedAlone()) return ['solo-result', () => soloResult(context)];
  return ['home', () => homeScreen(context)];
}
