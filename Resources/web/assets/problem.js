// What there is instead of a room.
import { Unreachable } from './api.js';
import { actButton } from './controls.js';
import { h } from './dom.js';
import { problemText } from './messages.js';
import { t } from './texts.js';

export function problemScreen(context, failure, retry) {
  const isUnreachable = failure instanceof Unreachable;
  const isPassing = isUnreachable || failure.isPassing;
  const known = { 'room-not-found': context.session?.room ? 'over' : 'gone', removed: 'removed' }[failure.code];
  const [heading, about] = isUnreachable ? [t('failed'), t('failedAbout')]
    : failure.isPassing ? [t('notNow'), problemText(failure)]
      : known ? [t(known), t(`${known}About`)] : [failure.message, ''];
  return {
    node: h('section', { class: 'problem' },
      h('div', { class: 'hero' },
        h('p', { class: 'face', 'aria-hidden': 'true', text: isUnreachable ? '📡' : isPassing ? '⏳' : '🍽️' }), h('h1', { text: heading }), h('p', { class: 'lead', text: about })),
      h('div', { class: 'panel' },
        isPassing ? actButton(context, t('retry'), retry, 'primary') : null,
        h('a', { class: isPassing ? 'button' : 'button primary', href: '/', text: t('startOver') }))),
    title: heading,
  };
}
