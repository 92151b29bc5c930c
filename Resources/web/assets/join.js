// Before somebody is in a room: whose it is, who is there, and one button.
import { form, nicknameField } from './controls.js';
import { h, setText } from './dom.js';
import { nameOf, t } from './texts.js';

export function joinScreen(context) {
  const { session } = context;
  const heading = h('h1');
  const count = h('p', { class: 'lead' });
  const names = h('p', { class: 'small names' });
  const nickname = nicknameField();
  const button = h('button', { class: 'button primary', text: t('joinGo') });
  const join = async () => {
    // From here it is straight to the cards.
    history.replaceState(null, '', `/r/${session.pin}#play`);
    await session.join(nickname.take());
  };
  const node = h('section', {},
    h('div', { class: 'hero' }, heading, count, names),
    h('div', { class: 'panel' }, form(() => context.act(button, join), nickname.node, button)));
  return {
    node,
    title: t('room'),
    update() {
      const { room } = session;
      const host = room.members.find((member) => member.isHost);
      setText(heading, host?.nickname ? t('roomOf', host.nickname) : t('room'));
      setText(count, t('gathered', room.memberCount));
      setText(names, room.members.map(nameOf).join(' · '));
    },
  };
}
