// Before somebody is in a room.
import { form, nicknameField } from './controls.js';
import { h, setText } from './dom.js';
import { nameOf, t } from './texts.js';

/** Of more members only the number is said. */
const named = 10;

export function joinScreen(context) {
  const { session } = context;
  const heading = h('h1');
  const count = h('p', { class: 'lead' });
  const names = h('p', { class: 'small names' });
  const nickname = nicknameField();
  const button = h('button', { class: 'button primary', text: t('joinGo') });
  // Straight to the cards.
  const arrive = () => history.replaceState(null, '', `/r/${session.pin}#play`);
  const join = () => nickname.use((name) => session.join(name, arrive));
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
      const others = room.members.length - named;
      setText(names, [...room.members.slice(0, named).map(nameOf), ...(others > 0 ? [t('others', others)] : [])].join(' · '));
    },
  };
}
