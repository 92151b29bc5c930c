// How others get in: the PIN to read out, the link to send, the code to hold up.
import { actButton } from './controls.js';
import { h } from './dom.js';
import { spoken } from './room.js';
import { canShare, copy, share } from './share.js';
import { t } from './texts.js';

export function invite(context, isOpen) {
  const { session } = context;
  const link = `${location.origin}/r/${session.pin}`;
  const told = async (isCopied) => {
    if (await isCopied) context.say(t('copied'));
  };
  return h('div', { class: 'panel invite' },
    h('div', { class: 'stack' },
      h('p', { class: 'small', text: t('invite') }),
      h('p', { class: 'pin', 'aria-label': `PIN ${[...session.pin].join(' ')}`, role: 'text' },
        h('span', { 'aria-hidden': 'true', text: spoken(session.pin) })),
      h('div', { class: 'row' },
        canShare() ? actButton(context, t('share'), () => told(share({ text: t('shareRoom', session.pin), url: link }))) : null,
        actButton(context, t('copy'), () => told(copy(link))))),
    h('details', { open: isOpen },
      h('summary', { text: t('showQR') }),
      h('img', { class: 'qr', src: `${session.path}/qr.svg`, alt: t('qr'), width: 180, height: 180 })));
}
