// What the caller has sent, card by card. A tap shows at once, and is taken back where the server does not take it.
import { chip } from './controls.js';
import { h, show } from './dom.js';
import { optionsOf, picked } from './game.js';
import { t } from './texts.js';

export function answersPanel(context, game) {
  const { session } = context;
  const rows = game.cards.map((card) => (card.kind === 'trait' ? traitRow : optionsRow)(card, (value) => amend(card, value)));
  const node = h('details', { class: 'panel' }, h('summary', { text: t('mine') }), ...rows.map((row) => row.node));

  async function amend(card, value) {
    try {
      await session.amend({ answers: { [card.id]: value } });
    } catch (error) {
      context.alert(error);
    }
  }

  return {
    node,
    update() {
      show(node, session.submission !== null);
      if (session.submission) rows.forEach((row, place) => row.update(session.submission.answers[game.cards[place].id] ?? 'skip'));
    },
  };
}

function traitRow(card, change) {
  const radios = ['dislike', 'skip', 'like'].map((value) => {
    const input = h('input', { type: 'radio', name: `mine-${card.id}`, value });
    input.addEventListener('change', () => change(value));
    return input;
  });
  const node = h('fieldset', {}, h('legend', { text: card.prompt }),
    h('div', { class: 'segments' }, ...radios.map((input) => h('label', { class: 'chip' }, input, h('span', { text: t(input.value) })))));
  return { node, update: (answer) => radios.forEach((input) => { input.checked = input.value === answer; }) };
}

function optionsRow(card, change) {
  let own = [];
  const chips = h('div', { class: 'chips' }, ...optionsOf(card).map((option) => chip(option.label, false, (isOn) => {
    const now = picked(card, own, option.id, isOn);
    change(now.length ? now : 'skip');
  }, { value: option.id })));
  const node = h('fieldset', {}, h('legend', { text: card.prompt }), chips);
  return {
    node,
    update(answer) {
      own = Array.isArray(answer) ? answer : [];
      for (const box of chips.querySelectorAll('input')) box.checked = own.includes(box.value);
    },
  };
}
