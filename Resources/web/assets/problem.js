// What there is instead of a room: none, or none that can be reached.
import { Unreachable } from './api.js';
import { actButton } from './controls.js';
import { h } from './dom.js';
import { problemText } from './messages.js';
import { t } from './texts.js';

/** @param failure why; another try is offered only where it can help. */
export function problemScreen(context, failure, retry) {
  const isUnreachable = failure instanceof Unreachable;
  const isPassing = isUnreachable || failure.isPassing;
  const [heading, about] = isUnreachable ? [t('failed'), t('failedAbout')]
    : failure.isPassing ? [t('notNow'), problemText(failure)]
      : failure.code === 'room-not-found' ? [t('gone'), t('goneAbout')] : [failure.message, ''];
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
