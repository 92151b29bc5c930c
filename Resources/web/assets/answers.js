// What the caller has sent. A tap shows at once, and is taken back where the server refuses it.
import { chip } from './controls.js';
import { remember } from './device.js';
import { h, show } from './dom.js';
import { optionsOf, picked } from './game.js';
import { t } from './texts.js';

export function answersPanel(context, game) {
  const { session } = context;
  const rows = [...game.cards.map((card) => cardRow(card, amend)), vetoRow(game, amend)];
  const node = h('details', { class: 'panel' }, h('summary', { text: t('mine') }), ...rows.map((row) => row.node));

  async function amend(patch) {
    try {
      await session.amend(patch);
      if (patch.vetoes) remember('vetoes', patch.vetoes);
    } catch (error) {
      context.alert(error);
    }
  }

  return {
    node,
    update() {
      const { submission } = session;
      show(node, submission !== null);
      if (submission) rows.forEach((row) => row.update(submission));
    },
  };
}

function cardRow(card, amend) {
  const { node, update } = (card.kind === 'trait' ? traitRow : optionsRow)(card, (value) => amend({ answers: { [card.id]: value } }));
  return { node, update: ({ answers }) => update(answers[card.id] ?? 'skip') };
}

function traitRow(card, change) {
  const radios = ['dislike', 'skip', 'like'].map((value) => {
    const input = h('input', { type: 'radio', name: `mine-${card.id}`, value });
    input.addEventListener('change', () => change(value));
    return input;
  });
  const choices = h('div', { class: 'segments' }, ...radios.map((input) => h('label', { class: 'chip' }, input, h('span', { text: t(input.value) }))));
  return { node: row(card.prompt, choices), update: (answer) => radios.forEach((input) => { input.checked = input.value === answer; }) };
}

function optionsRow(card, change) {
  const { node, update } = chipsRow(card.prompt, optionsOf(card), (own, id, isOn) => {
    const now = picked(card, own, id, isOn);
    change(now.length ? now : 'skip');
  });
  return { node, update: (answer) => update(Array.isArray(answer) ? answer : []) };
}

function vetoRow(game, amend) {
  const { node, update } = chipsRow(t('vetoes'), game.vetoes, (own, id, isOn) => {
    const others = own.filter((other) => other !== id);
    amend({ vetoes: isOn ? [...others, id] : others });
  });
  return { node, update: ({ vetoes }) => update(vetoes) };
}

function chipsRow(prompt, options, change) {
  let own = [];
  const boxes = options.map((option) => chip(option, false, (isOn) => change(own, option.id, isOn)));
  const chips = h('div', { class: 'chips' }, ...boxes);
  return {
    node: row(prompt, chips),
    update(ids) {
      own = ids;
      for (const box of chips.querySelectorAll('input')) box.checked = own.includes(box.value);
    },
  };
}

const row = (prompt, choices) => h('fieldset', {}, h('legend', { text: prompt }), choices);
