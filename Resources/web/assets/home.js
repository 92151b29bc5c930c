// The first page: open a room, join one, play alone, or take anything.
import { send } from './api.js';
import { actButton, choice, deadlineField, faultOf, form, nicknameField } from './controls.js';
import { recall } from './device.js';
import { h, setAttribute, setText, show } from './dom.js';
import { forgetGame, game } from './game.js';
import { forgetRoom, keepName, ownRoom } from './ownroom.js';
import { pinIn, spoken } from './room.js';
import { t } from './texts.js';

export function homeScreen(context) {
  // It is needed next, whatever is chosen.
  game().catch(() => {});
  const node = h('section', { class: 'home' },
    h('div', { class: 'hero' }, h('h1', { text: t('hello') }), h('p', { class: 'lead', text: t('about') })),
    wayBack(), openForm(context), joinForm(context), alone(context));
  return { node, title: t('title') };
}

/** Into the room that one is in. Where that is over, nothing moves for it. */
function wayBack() {
  const room = ownRoom();
  if (!room) return null;
  const link = h('a', { class: 'button', href: `/r/${room.pin}`, text: t('backTo', spoken(room.pin)) });
  const gone = () => {
    forgetRoom(room.pin);
    setAttribute(link, 'class', 'button away');
  };
  send('GET', `/v1/rooms/${room.pin}`).then(({ isMember }) => isMember || gone(), (error) => error.status === 404 && gone());
  return link;
}

function openForm(context) {
  const nickname = nicknameField();
  // With anybody, nobody is stuck when the host's phone is gone.
  const who = choice('who', t('who'), [['host', t('onlyHost')], ['anybody', t('anybody')]]);
  const deadline = deadlineField();
  const open = () => nickname.use((name) => deadline.use(async (deadlineAt) => {
    const revealWhen = { anyMember: who.select.value === 'anybody', deadline: deadlineAt !== null };
    const room = await send('POST', '/v1/rooms', { body: { nickname: name, deadlineAt, revealWhen } });
    keepName(room, name);
    context.enter(room);
  }));
  const button = h('button', { class: 'button primary', text: t('open') });
  return h('div', { class: 'panel' }, form(() => context.act(button, open), nickname.node, who.node, deadline.node, button));
}

function joinForm(context) {
  const input = h('input', { id: 'pin', inputmode: 'numeric', autocomplete: 'off', placeholder: '000 000', enterkeyhint: 'go' });
  const fault = faultOf(input);
  const button = h('button', { class: 'button', text: t('enter') });
  const join = async () => {
    const pin = pinIn(input.value);
    fault.say(pin ? '' : t('pinWrong'));
    try {
      if (pin) context.enter(await send('GET', `/v1/rooms/${pin}`));
    } catch (error) {
      if (error.code !== 'room-not-found') throw error;
      fault.say(error.message);
    }
  };
  return h('div', { class: 'panel' },
    form(() => context.act(button, join),
      h('div', { class: 'field' }, h('label', { for: 'pin', text: t('join') }), h('div', { class: 'row' }, input, button)), fault.node));
}

function alone(context) {
  const picture = h('img', { alt: '', width: 120, height: 120 });
  const name = h('p', { class: 'name' });
  const without = h('p', { class: 'small' });
  const anyWithout = (known) => send('GET', `/v1/menus/random?${known.map((veto) => `veto=${encodeURIComponent(veto.id)}`).join('&')}`);
  const own = async () => {
    const vetoes = recall('vetoes') ?? [];
    return (await game()).vetoes.filter((veto) => vetoes.includes(veto.id));
  };
  const draw = async () => {
    let known = await own();
    const menu = await anyWithout(known).catch(async (error) => {
      if (error.status !== 422) throw error;
      forgetGame();
      known = await own();
      return anyWithout(known);
    });
    setText(name, menu.name);
    picture.src = menu.imageURL;
    setText(without, known.length ? t('without', known.map((veto) => veto.label).join(', ')) : '');
    show(drawn, true);
    context.announce(menu.name);
  };
  const drawn = h('div', { class: 'panel drawn', hidden: true },
    picture, h('div', {}, name, without), actButton(context, t('again'), draw));
  return h('div', { class: 'stack' },
    h('div', { class: 'pair' },
      tile('🙋', t('solo'), t('soloAbout'), () => context.go('/#solo')),
      tile('🎲', t('random'), t('randomAbout'), (button) => context.act(button, draw))),
    drawn);
}

function tile(face, label, about, press) {
  const button = h('button', { class: 'tile' },
    h('span', { class: 'face', 'aria-hidden': 'true', text: face }), h('b', { text: label }), h('small', { text: about }));
  button.addEventListener('click', () => press(button));
  return button;
}
