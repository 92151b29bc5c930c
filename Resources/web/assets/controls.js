// What several screens press, tick and fill in.
import { Problem, serverNow } from './api.js';
import { confirmed, h } from './dom.js';
import { recall, remember } from './device.js';
import { t } from './texts.js';

/** A button of which the context knows while its work is done: it waits, keeps its place and the focus, and is not pressed twice. */
export function actButton(context, label, work, kind = '') {
  const button = h('button', { class: `button ${kind}`, type: 'button', text: label });
  button.addEventListener('click', () => context.act(button, work));
  return button;
}

/** As `actButton`, after a question. */
export function sureButton(context, label, question, work, kind = 'quiet') {
  return actButton(context, label, async () => {
    if (await confirmed(question, label, t('cancel'))) await work();
  }, kind);
}

/** Something to tick, as large as a finger. */
export function chip(label, isOn, change, attributes = {}) {
  const box = h('input', { type: 'checkbox', ...attributes });
  box.checked = isOn;
  box.addEventListener('change', () => change(box.checked));
  return h('label', { class: 'chip' }, box, h('span', { text: label }));
}

/** A field for the nickname that this device goes by. */
export function nicknameField() {
  const input = h('input', { id: 'nickname', maxlength: 40, autocomplete: 'nickname', placeholder: t('optional'), enterkeyhint: 'go' });
  input.value = recall('nickname') ?? '';
  const node = h('div', { class: 'field' }, h('label', { for: 'nickname', text: t('nickname') }), input);
  return {
    node,
    /** What is in it, remembered from now on; `null` for nothing. */
    take() {
      const name = input.value.trim();
      remember('nickname', name);
      return name || null;
    },
  };
}

/** Minutes after which a result may be revealed by itself. */
const deadlines = [3, 5, 10, 20];

/** A choice of when that is to be, if at all. */
export function deadlineField() {
  const select = h('select', { id: 'deadline' }, h('option', { value: '', text: t('never') }),
    ...deadlines.map((minutes) => h('option', { value: minutes, text: t('minutes', minutes) })));
  // The time is set once: pressed again after no answer, it is the same that is asked for.
  let at = null;
  select.addEventListener('change', () => { at = null; });
  return {
    node: h('div', { class: 'field aside' }, h('label', { for: 'deadline', text: t('automatic') }), select),
    /** Does what is done with the instant that was chosen; `null` for none. */
    async use(work) {
      if (select.value) at ??= serverNow() + Number(select.value) * 60_000;
      try {
        await work(at);
        at = null;
      } catch (error) {
        // Refused it is nothing, and the next may have to be another: its time may be over.
        if (error instanceof Problem && error.status < 500) at = null;
        throw error;
      }
    },
  };
}

/** A form that is sent without leaving the page. */
export function form(submit, ...children) {
  const node = h('form', { class: 'stack' }, ...children);
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  return node;
}
