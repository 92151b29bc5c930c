// The waiting room.
import { answersPanel } from './answers.js';
import { actButton, sureButton } from './controls.js';
import { recall } from './device.js';
import { h, setAttribute, setText, show } from './dom.js';
import { invite } from './invite.js';
import { management, people } from './people.js';
import { isForHost, mayReveal } from './room.js';
import { t } from './texts.js';

export function lobbyScreen(context, { game, draft }) {
  const { session } = context;
  const heading = h('h1');
  const bar = h('progress');
  const clock = h('p', { class: 'clock', role: 'timer' });
  const list = people();
  const own = ownTurn(context, game, draft);
  const host = revealPart(context);
  const manage = management(context);
  const node = h('section', { class: 'lobby' },
    invite(context),
    h('div', { class: 'stack' },
      h('div', { class: 'panel' }, h('div', { class: 'status' }, heading, bar, clock), own.node, list.node, host.node),
      own.answers.node, manage.node));

  const tick = () => {
    const left = session.deadline;
    show(clock, left !== null);
    if (left !== null) setText(clock, typeof left === 'number' ? t('left', minutes(left)) : t(left));
  };
  const timer = setInterval(tick, 500);

  return {
    node,
    title: t('waiting'),
    leave: () => clearInterval(timer),
    update() {
      const { room } = session;
      setText(heading, t('answered', room.submissionCount, room.memberCount));
      setAttribute(bar, 'aria-label', heading.textContent);
      bar.max = room.memberCount;
      bar.value = room.submissionCount;
      for (const part of [list, own, host, manage]) part.update(room);
      tick();
    },
  };
}

function ownTurn(context, game, draft) {
  const { session } = context;
  const answers = answersPanel(context, game);
  const at = recall(draft)?.index ?? 0;
  const play = h('button', {
    class: 'button primary', text: at > 0 ? t('goOn', Math.min(at + 1, game.cards.length), game.cards.length) : t('play'),
    onclick: () => context.go(`/r/${session.pin}#play`),
  });
  const sent = h('p', { class: 'sent' });
  const redo = actButton(context, t('redo'), async () => {
    await session.restart();
    context.go(`/r/${session.pin}#play`);
  }, 'quiet');
  return {
    node: h('div', { class: 'turn' }, play, sent, redo),
    answers,
    update(room) {
      show(play, !room.hasSubmitted);
      show(sent, room.hasSubmitted);
      setText(sent, room.submissionCount < room.memberCount ? t('sent') : t('allSent'));
      show(redo, room.hasSubmitted);
      answers.update();
    },
  };
}

/** The reveal, and for everybody else what it is waiting for. */
function revealPart(context) {
  const { session } = context;
  const hint = h('p', { class: 'small' });
  const missing = () => session.room.memberCount - session.room.submissionCount;
  const button = sureButton(context, t('reveal'), () => (missing() > 0 ? t('revealSure', missing()) : null), () => session.reveal(), '');
  return {
    node: h('div', { class: 'turn' }, hint, button),
    update(room) {
      const may = mayReveal(room);
      const said = room.submissionCount === 0 ? t('revealNone') : missing() > 0 ? t('revealSome', missing()) : t('revealAll');
      const awaited = room.revealWhen.submissions ? t('enough', room.revealWhen.submissions) : isForHost(room) ? t('hostReveals') : '';
      setText(hint, may ? said : awaited);
      show(button, may);
      setAttribute(button, 'class', missing() === 0 ? 'button primary' : 'button');
      if (button.getAttribute('aria-busy') !== 'true') setAttribute(button, 'aria-disabled', room.submissionCount === 0 ? 'true' : null);
    },
  };
}

function minutes(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
