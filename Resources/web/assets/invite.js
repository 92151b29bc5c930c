// How others get in.
import { actButton } from './controls.js';
import { h } from './dom.js';
import { spoken } from './room.js';
import { canShare, copy, share } from './share.js';
import { t } from './texts.js';

export function invite(context) {
  const { session } = context;
  const link = `${location.origin}/r/${session.pin}`;
  const told = async (isCopied) => {
    if (await isCopied) context.say(t('copied'));
  };
  return h('div', { class: 'panel invite' },
    h('div', { class: 'row' },
      h('div', {}, h('p', { class: 'small', text: t('invite') }), pin(session)),
      h('button', { class: 'code', 'aria-label': t('qr'), onclick: () => enlarge(session) }, code(session, 104, ''))),
    h('div', { class: 'row' },
      canShare() ? actButton(context, t('share'), () => told(share({ text: t('shareRoom', session.pin), url: link }))) : null,
      actButton(context, t('copy'), () => told(copy(link)))));
}

/** Digit by digit for who listens, in groups for who looks. */
function pin(session) {
  return h('p', { class: 'pin' },
    h('span', { class: 'unseen', text: `PIN ${[...session.pin].join(' ')}` }), h('span', { 'aria-hidden': 'true', text: spoken(session.pin) }));
}

const code = (session, side, alt) => h('img', { class: 'qr', src: `${session.path}/qr.svg`, alt, width: side, height: side });

function enlarge(session) {
  const dialog = h('dialog', { 'aria-label': t('qr') },
    code(session, 320, t('qr')), pin(session), h('form', { method: 'dialog' }, h('button', { class: 'button', text: t('dismiss') })));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
