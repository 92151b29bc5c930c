// Who is in a room, and what may be done about it.
import { form, nicknameField, sureButton } from './controls.js';
import { h, keyed, setAttribute, setText, show } from './dom.js';
import { ownMember } from './ownroom.js';
import { language, nameOf, t } from './texts.js';

export function people() {
  const list = h('ul', { class: 'people' });
  let own = null;
  const update = (entry, member) => {
    setAttribute(entry, 'class', member.hasSubmitted ? 'done' : null);
    setText(entry.querySelector('.who'), nameOf(member));
    show(entry.querySelector('.me'), member.id === own);
    show(entry.querySelector('.host'), member.isHost);
    setText(entry.querySelector('.state'), member.hasSubmitted ? t('done') : t('choosing'));
  };
  const make = () => h('li', {},
    h('span', { class: 'mark', 'aria-hidden': 'true' }), h('span', { class: 'who' }), h('span', { class: 'badge me', text: t('me') }),
    h('span', { class: 'badge host', text: t('isHost') }), h('span', { class: 'state small' }));
  return {
    node: list,
    update(room) {
      own = ownMember(room)?.id;
      keyed(list, room.members, (member) => member.id, make, update);
    },
  };
}

/** For everybody another nickname and the way out; for the host all else. */
export function management(context) {
  const { session } = context;
  const clock = new Intl.DateTimeFormat(language(), { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const save = h('button', { class: 'button', text: t('rename') });
  const nickname = nicknameField('own-nickname', save);
  const rename = () => nickname.use(async (name) => {
    if (await session.join(name)) context.say(t('renamed'));
  });
  const list = h('ul', { class: 'manage' });
  const close = sureButton(context, t('close'), () => t('closeSure'), async () => {
    await session.close();
    context.go('/', true);
  });
  const leave = sureButton(context, t('leave'), () => (session.room.phase === 'open' ? t('leaveSure') : t('leaveResult')), async () => {
    await session.leave();
    context.go('/', true);
  });
  const ends = h('p', { class: 'small', text: t('ends', clock.format(session.room.expiresAt)) });
  const node = h('details', { class: 'panel' }, h('summary', { text: t('manage') }),
    form(() => context.act(save, rename), nickname.node), list, ends, h('div', { class: 'row' }, leave, close));
  const named = (label, question, member, work) => {
    const button = sureButton(context, label, () => question, work);
    button.setAttribute('aria-label', t('of', label, nameOf(member)));
    return button;
  };
  const make = (member) => h('li', {},
    h('span', { class: 'who' }),
    named(t('hand'), t('handSure', nameOf(member)), member, () => session.handOver(member.id)),
    named(t('remove'), t('removeSure', nameOf(member)), member, () => session.remove(member.id)));
  // Who takes another name is asked about by that.
  const key = (member) => `${member.id} ${member.nickname}`;
  const update = (entry, member) => setText(entry.querySelector('.who'), nameOf(member));
  return {
    node,
    update(room) {
      keyed(list, room.isHost ? room.members.filter((member) => !member.isHost) : [], key, make, update);
      show(list, list.children.length > 0);
      show(close, room.isHost);
    },
  };
}
