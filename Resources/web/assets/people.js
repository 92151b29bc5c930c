// Who is in a room and who has answered, and what its host may do about them.
import { sureButton } from './controls.js';
import { h, keyed, setAttribute, setText, show } from './dom.js';
import { language, nameOf, t } from './texts.js';

/** The list of members: only who comes, goes or answers is drawn anew. */
export function people() {
  const list = h('ul', { class: 'people' });
  const update = (entry, member) => {
    setAttribute(entry, 'class', member.hasSubmitted ? 'done' : null);
    setText(entry.querySelector('.who'), nameOf(member));
    show(entry.querySelector('.badge'), member.isHost);
    setText(entry.querySelector('.state'), member.hasSubmitted ? t('done') : t('choosing'));
  };
  const make = () => h('li', {},
    h('span', { class: 'mark', 'aria-hidden': 'true' }), h('span', { class: 'who' }),
    h('span', { class: 'badge', text: t('isHost') }), h('span', { class: 'state small' }));
  return { node: list, update: (room) => keyed(list, room.members, (member) => member.id, make, update) };
}

/** What the host does with members and room, and what everybody else may do: leave. Of every screen of who is in the room. */
export function management(context) {
  const { session } = context;
  const clock = new Intl.DateTimeFormat(language(), { month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const list = h('ul', { class: 'manage' });
  const close = sureButton(context, t('close'), t('closeSure'), async () => {
    await session.close();
    context.go('/', true);
  });
  const leave = sureButton(context, t('leave'), session.room.phase === 'open' ? t('leaveSure') : t('leaveResult'), async () => {
    await session.leave();
    context.go('/', true);
  });
  const ends = h('p', { class: 'small', text: t('ends', clock.format(session.room.expiresAt)) });
  const node = h('details', { class: 'panel' }, h('summary', { text: t('manage') }), list, ends, h('div', { class: 'row' }, leave, close));
  const named = (label, question, member, work) => {
    const button = sureButton(context, label, question, work);
    button.setAttribute('aria-label', t('of', label, nameOf(member)));
    return button;
  };
  const make = (member) => h('li', {},
    h('span', { class: 'who' }),
    named(t('hand'), t('handSure', nameOf(member)), member, () => session.handOver(member.id)),
    named(t('remove'), t('removeSure', nameOf(member)), member, () => session.remove(member.id)));
  // One who takes another name is asked about by that.
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
