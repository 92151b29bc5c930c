// The cards, and then what cannot be eaten; in a room and alone.
import { chip } from './controls.js';
import { forget, recall, remember } from './device.js';
import { focusOn, h, setAttribute, setText, show } from './dom.js';
import { faceOf, optionsOf, picked } from './game.js';
import { swipe } from './swipe.js';
import { t } from './texts.js';

/** Milliseconds in which a tap is still meant for the card that is gone. */
const settling = 300;

/**
 * @param draft the name under which unsent answers are kept
 * @param send what is done with `{answers, vetoes}`
 * @param renew what is done where there are other cards by now; `null` where they stay
 * @param leave where "back" from the first card leads
 */
export function playScreen(context, { game, draft, label, send, renew = null, leave }) {
  const { cards } = game;
  let { index, answers } = started(draft, cards);
  const count = h('p', { class: 'count' });
  const bar = h('progress', { max: cards.length, 'aria-label': t('play') });
  const face = h('div', { class: 'face', 'aria-hidden': 'true' });
  const prompt = h('h1');
  const about = h('p', { class: 'small' });
  const options = h('div', { class: 'chips', role: 'group' });
  const card = h('div', { class: 'card' }, face, prompt, about, options);
  const buttons = {
    dislike: answerButton('👎', t('dislike'), () => answer('dislike')),
    skip: answerButton('', t('skip'), () => answer('skip')),
    like: answerButton('👍', t('like'), () => answer('like')),
  };
  const next = h('button', { class: 'button primary', text: t('next'), onclick: () => move(1) });
  const sendButton = h('button', { class: 'button primary', text: label, onclick: finish });
  const keys = h('p', { class: 'small keys', text: t('keys') });
  const back = h('button', { class: 'button icon', 'aria-label': t('back'), text: '←', onclick: () => move(-1) });
  const answerRow = h('div', { class: 'answers' }, ...Object.values(buttons), next, sendButton);
  let settled;
  const node = h('section', { class: 'play' },
    h('div', { class: 'row top' }, back, h('div', { class: 'grow' }, count, bar)), card,
    answerRow, keys);

  const isTrait = () => cards[index]?.kind === 'trait';
  const vetoes = () => (recall('vetoes') ?? []).filter((id) => game.vetoes.some((veto) => veto.id === id));

  function answer(value) {
    answers[cards[index].id] = value;
    move(1, value);
  }

  function move(by, way = null) {
    if (index + by < 0) return leave();
    if (by > 0 && cards[index]) answers[cards[index].id] ??= 'skip';
    index = Math.min(cards.length, index + by);
    remember(draft, { index, answers });
    const focused = document.activeElement;
    draw();
    thrown(card, way);
    context.announce(`${count.textContent}. ${prompt.textContent}`);
    // A button that stays keeps the focus.
    if (focused !== document.body && !focused.offsetParent) focusOn(prompt);
    return undefined;
  }

  function finish() {
    const chosen = vetoes();
    remember('vetoes', chosen);
    return context.act(sendButton, async () => {
      try {
        await send({ answers, vetoes: chosen });
      } catch (error) {
        if (!renew || error.status !== 422) throw error;
        await renew();
        return context.say(t('newCards'));
      }
      return forget(draft);
    });
  }

  function draw() {
    const shown = cards[index];
    setText(count, shown ? t('step', index + 1, cards.length) : t('lastStep'));
    bar.value = index;
    setText(face, shown ? faceOf(shown) : '🙅');
    setText(prompt, shown ? shown.prompt : t('vetoes'));
    setText(about, shown ? (isTrait() ? '' : t('many')) : `${vetoes().length ? t('vetoesKept') : t('vetoesAbout')} ${game.notice}`);
    options.replaceChildren(...(isTrait() ? [] : shown ? chips(shown) : vetoChips()));
    setAttribute(options, 'aria-label', prompt.textContent);
    show(options, !isTrait());
    for (const [value, button] of Object.entries(buttons)) {
      show(button, isTrait() || (value === 'skip' && shown !== undefined));
      setAttribute(button, 'aria-pressed', String(answers[shown?.id] === value));
    }
    show(next, shown !== undefined && !isTrait());
    show(sendButton, shown === undefined);
    setAttribute(keys, 'class', isTrait() ? 'small keys' : 'small keys away');
    if (shown && !isTrait()) drawNext();
    setAttribute(answerRow, 'class', 'answers settling');
    clearTimeout(settled);
    settled = setTimeout(() => setAttribute(answerRow, 'class', 'answers'), settling);
  }

  function chips(shown) {
    const own = () => (Array.isArray(answers[shown.id]) ? answers[shown.id] : []);
    return optionsOf(shown).map((option) => chip(option, own().includes(option.id), (isOn) => {
      const now = picked(shown, own(), option.id, isOn);
      answers[shown.id] = now.length ? now : 'skip';
      remember(draft, { index, answers });
      for (const box of options.querySelectorAll('input')) box.checked = now.includes(box.value);
      drawNext();
    }));
  }

  /** With nothing picked there is nothing but to skip. */
  function drawNext() {
    const isPicked = Array.isArray(answers[cards[index].id]);
    setAttribute(next, 'aria-disabled', isPicked ? null : 'true');
    setAttribute(buttons.skip, 'aria-pressed', null);
  }
  next.addEventListener('click', (event) => {
    if (next.getAttribute('aria-disabled')) event.stopImmediatePropagation();
  }, { capture: true });

  function vetoChips() {
    return game.vetoes.map((veto) => chip(veto, vetoes().includes(veto.id), (isOn) => {
      const others = vetoes().filter((id) => id !== veto.id);
      remember('vetoes', isOn ? [...others, veto.id] : others);
    }));
  }

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const button = isTrait() ? buttons[{ ArrowLeft: 'dislike', ArrowRight: 'like', ArrowDown: 'skip' }[event.key]] : undefined;
    if (event.key === 'Enter' ? !event.repeat : event.key !== 'Backspace' && !button) return;
    event.preventDefault();
    // A key that is held down is meant for one card.
    if (event.repeat) return;
    if (button) button.click();
    else move(-1);
  };
  addEventListener('keydown', onKey);
  swipe(card, { isOn: isTrait, left: () => answer('dislike'), right: () => answer('like') });
  draw();
  return { node, title: t('title'), heading: prompt, leave: () => removeEventListener('keydown', onKey) };
}

/** Where this draft was left, or the first card without an answer before that. What is gone is not. */
function started(draft, cards) {
  const kept = recall(draft);
  const answers = {};
  for (const card of cards) {
    const answer = kept?.answers?.[card.id];
    if (isAnswer(card, answer)) answers[card.id] = answer;
  }
  const answered = cards.findIndex(({ id }) => answers[id] === undefined);
  const index = Number.isInteger(kept?.index) ? Math.min(Math.max(kept.index, 0), answered < 0 ? cards.length : answered) : 0;
  return { index, answers };
}

function isAnswer(card, answer) {
  if (card.kind === 'trait') return ['like', 'dislike', 'skip'].includes(answer);
  const known = optionsOf(card).map((option) => option.id);
  return answer === 'skip' || (Array.isArray(answer) && answer.length > 0 && answer.every((id) => known.includes(id)));
}

function answerButton(face, label, press) {
  return h('button', { class: 'button answer', onclick: press },
    face ? h('span', { class: 'face', 'aria-hidden': 'true', text: face }) : null, h('span', { text: label }));
}

function thrown(card, way) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = { like: '-2rem', dislike: '2rem' }[way] ?? '0';
  card.animate([{ opacity: 0, translate: `${from} .5rem` }, { opacity: 1, translate: '0 0' }], { duration: 160, easing: 'ease-out' });
}
