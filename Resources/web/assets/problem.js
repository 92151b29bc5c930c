// What there is instead of a room: none, or none that can be reached.
import { Unreachable } from './api.js';
import { actButton } from './controls.js';
import { h } from './dom.js';
import { t } from './texts.js';

/** @param failure why; another try is offered only where it can help. */
export function problemScreen(context, failure, retry) {
  const isUnreachable = failure instanceof Unreachable || failure.status >= 500 || failure.status === 429;
  const isGone = failure.code === 'room-not-found';
  const heading = isUnreachable ? t('failed') : isGone ? t('gone') : failure.message;
  const about = isUnreachable ? failure.message || t('failedAbout') : isGone ? t('goneAbout') : '';
  return {
    node: h('section', { class: 'problem' },
      h('div', { class: 'hero' },
        h('p', { class: 'face', 'aria-hidden': 'true', text: isUnreachable ? '📡' : '🍽️' }), h('h1', { text: heading }), h('p', { class: 'lead', text: about })),
      h('div', { class: 'panel' },
        isUnreachable ? actButton(context, t('retry'), retry, 'primary') : null,
        h('a', { class: isUnreachable ? 'button' : 'button primary', href: '/', text: t('startOver') }))),
    title: heading,
  };
}
