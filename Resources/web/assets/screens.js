// Which screen is shown where.
import { deadlineField, form, nicknameField, sureButton } from './controls.js';
import { forgetOthers, recall } from './device.js';
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

/** A screen's name, and how it is made. */
export const screenFor = (context, step) => (context.session ? roomScreen(context, step) : soloScreen(context, step));

function roomScreen(context, step) {
  const { session, go } = context;
  const { room, failure } = session;
  if (failure) return [`problem ${failure.code}`, () => problemScreen(context, failure, context.again)];
  if (!room) return ['loading', () => ({ node: h('p', { class: 'lead loading', text: t('loading') }), title: t('title'), heading: null })];
  // What was not sent in one round can be sent in the next.
  const draft = `draft:${room.id}`;
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
      return roomResult(context, room, await game(room), draft);
    },
  };
  return [`${name} ${room.id} ${room.round}`, screens[name]];
}

function roomResult(context, room, { vetoes }, draft) {
  const { session } = context;
  // Whether the clock reveals is said once; when, for each round.
  const deadline = deadlineField();
  const round = sureButton(context, t('newRound'), () => t('roundSure'), () => deadline.use(async (deadlineAt) => {
    await session.beginRound(session.room.revealWhen.deadline ? deadlineAt : undefined);
    context.go(`/r/${session.pin}`, true);
  }), '');
  const missed = h('p', { class: 'fault', text: recall(draft) ? `${t('missed')} ${t('kept')}` : t('missed') });
  const nickname = nicknameField();
  const button = h('button', { class: 'button primary', text: t('joinNext') });
  const joinNext = () => nickname.use(async (name) => {
    if (!await session.join(name)) return;
    context.say(t('joined'));
    manage.node.firstChild.focus();
  });
  const join = h('div', { class: 'panel' }, form(() => context.act(button, joinNext), nickname.node, button));
  const made = resultScreen(context, {
    view: () => ({ result: session.result, decision: session.room.decision?.menuId ?? null, vetoes, isHost: session.room.isHost }),
    place: `seen:${room.id}:${room.round}`, url: `${location.origin}/r/${room.pin}`, decide: (menuId) => session.decide(menuId),
    last: [round, deadline.node], missed,
  });
  const manage = management(context);
  made.node.append(join, manage.node);
  return {
    ...made,
    update() {
      show(round, session.room.isHost);
      show(deadline.node, session.room.isHost && session.room.revealWhen.deadline);
      show(missed, session.room.isMember && !session.room.hasSubmitted);
      show(join, !session.room.isMember);
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
